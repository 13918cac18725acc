import { copyFileSync, existsSync, renameSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { StoreError } from '../platform/db/outage.ts'
import { lockServer } from '../platform/db/sqlite.ts'
import { makeDataFolder } from '../platform/start.ts'
import {
  checkCopy,
  endLogins,
  inWords,
  keepOnDisk,
  placesOf,
  putFile,
  refuseIrregular,
  removeDatabase,
  tell,
} from './backup.ts'

type Settings = { config: Config; now: () => Date }
type Options = { segredo?: string; substituir?: true; json?: true }

/** Adds `restaurar`: a copy takes the place of the embedded database, while no service uses it. */
export function addRestaurarCommand(program: Command, settings: Settings): void {
  program
    .command('restaurar <arquivo>')
    .description('põe uma cópia no lugar do banco embutido, com o serviço parado; todos entram de novo')
    .option('--segredo <arquivo>', 'traz de volta também o segredo do servidor')
    .option('--substituir', 'guarda o que existe com outro nome e põe a cópia no lugar')
    .option('--json', 'escreve JSON em vez de texto')
    .action((arquivo: string, options: Options) => restaurar(settings, arquivo, options))
}

async function restaurar({ config, now }: Settings, arquivo: string, options: Options): Promise<void> {
  const { banco, guardado } = placesOf(config)
  const { segredo, substituir, json } = options
  for (const file of [arquivo, segredo]) if (file) refuseIrregular(file)
  makeDataFolder(config)
  const unlock = lockServer(`${banco}.servidor`)
  const parcial = `${banco}.parcial`
  try {
    for (const file of [banco, ...(segredo ? [guardado] : [])])
      if (existsSync(file) && !substituir)
        throw new StoreError(`Já existe ${file}. Com --substituir ele fica guardado com outro nome.`)
    removeDatabase(parcial)
    copyFileSync(arquivo, parcial)
    const found = await checkCopy(parcial, { alheia: true })
    endLogins(parcial)
    const antes = setAside(banco, segredo ? [guardado] : [], now())
    keepOnDisk(parcial, banco)
    if (segredo) putFile(segredo, guardado)
    tell({ arquivo, ...found, antes }, json, [
      `Restaurado de ${arquivo}: ${inWords(found)}. Todos entram de novo.`,
      ...antes.map((file) => `O que havia está em ${file}.`),
      ...(config.SERVER_SECRET || existsSync(guardado)
        ? []
        : [
            'Sem o segredo do servidor: as chaves valem, mas não podem ser mostradas. Traga-o com --segredo, ou gere outras.',
          ]),
    ])
  } finally {
    removeDatabase(parcial)
    unlock()
  }
}

/**
 * Gives what stands in the data folder another name, and returns the new names. A log that stayed beside the
 * copy would be read into it.
 */
function setAside(banco: string, others: string[], now: Date): string[] {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  const names = ['', '-wal', '-shm'].map(
    (end) => [`${banco}${end}`, `${banco}.antes-${stamp}${end}`] as const,
  )
  const taken = [...names, ...others.map((file) => [file, `${file}.antes-${stamp}`] as const)].filter(
    ([de]) => existsSync(de),
  )
  for (const [de, para] of taken) renameSync(de, para)
  return taken.map(([, para]) => para)
}
