import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { StoreError } from '../platform/db/outage.ts'
import { copyDatabase, differing, inWords, placesOf, putFile, tell } from './copia.ts'

/** Adds `backup`: a copy of the embedded database, made while the service works. */
export function addBackupCommand(program: Command, config: Config): void {
  program
    .command('backup <arquivo>')
    .description('copia o banco embutido para um arquivo novo, com o serviço no ar, e confere a cópia')
    .option('--segredo <arquivo>', 'copia também o segredo do servidor, para este outro arquivo')
    .option('--json', 'escreve JSON em vez de texto')
    .action(async (arquivo: string, { segredo, json }: { segredo?: string; json?: true }) => {
      const { banco, guardado } = placesOf(config)
      for (const file of [arquivo, segredo]) if (file) refuseTaken(file)
      if (segredo && !existsSync(guardado))
        throw new StoreError(`Não há ${guardado}: o segredo está em SERVER_SECRET, que você guarda.`)
      const found = await copyDatabase(banco, arquivo)
      if (segredo) putFile(guardado, segredo)
      tell({ arquivo, ...found }, json, [
        `Cópia conferida em ${arquivo}: ${inWords(found)}.`,
        ...(found.diferencas.length > 0
          ? [`Assim ela não volta por "restaurar". ${differing(found.diferencas)}`]
          : []),
        segredo
          ? `Segredo do servidor em ${segredo}: guarde-o longe da cópia, que ele abre.`
          : 'O segredo do servidor não está nela (docs/operations.md, "Backup and restore").',
      ])
    })
}

function refuseTaken(file: string): void {
  if (existsSync(file)) throw new StoreError(`${file} já existe. Escolha outro nome: nada é sobrescrito.`)
}
