import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lexer } from 'marked'
import type { House } from './harness.ts'
import { sharedSimulator } from './simulator.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** The same call in the languages in which a page shows it, and what comes of it. */
export type ExemploDoGuia = {
  /** By the language of the block: sh, ts, py. */
  codigos: Map<string, string>
  /** The answer, and pieces of it. */
  json: unknown[]
  /** What curl prints beside a body, and what a program prints. */
  http: string | undefined
  text: string | undefined
}

const LINGUAS: ReadonlySet<string> = new Set(['sh', 'ts', 'py'])

/** The examples of a chapter in their order. */
export function exemplosEm(markdown: string): ExemploDoGuia[] {
  const exemplos: ExemploDoGuia[] = []
  let antes = ''
  for (const bloco of lexer(markdown)) {
    if (bloco.type === 'heading') antes = ''
    if (bloco.type !== 'code') continue
    const texto: string = bloco.text
    const [lingua = ''] = String(bloco.lang ?? '').split(' ')
    if (LINGUAS.has(lingua)) {
      if (!LINGUAS.has(antes))
        exemplos.push({ codigos: new Map(), json: [], http: undefined, text: undefined })
      exemplos.at(-1)?.codigos.set(lingua, texto)
    } else if (lingua === 'json') exemplos.at(-1)?.json.push(JSON.parse(texto))
    else if (lingua === 'http' || lingua === 'text') Object.assign(exemplos.at(-1) ?? {}, { [lingua]: texto })
    antes = lingua
  }
  return exemplos
}

/** A reader's folder: our client is installed, and the files that the examples read exist. */
export type Mesa = {
  /** Runs a block, and gives what it prints. Throws if it fails. */
  rodar: (lingua: string, codigo: string) => Promise<string>
  limpar: () => void
}

/** Sets the table for the examples: the note and its certificate are those of the simulator at this hour. */
export async function porMesa(house: House): Promise<Mesa> {
  const pasta = mkdtempSync(join(tmpdir(), 'guia-'))
  const simulador = await sharedSimulator()
  const exemplos = Object(await (await fetch(`${simulador}/exemplos.json`)).json())
  const { chave, certificado, senha } = exemplos['/api/consultar-nfe-xml']
  symlinkSync(join(root, 'node_modules'), join(pasta, 'node_modules'))
  writeFileSync(join(pasta, 'package.json'), '{"type":"module"}')
  writeFileSync(join(pasta, 'empresa.pfx'), certificado, 'base64')
  const nota = await readFile(join(root, 'data/rejeicoes/notas/venda-interna.xml'), 'utf8')
  writeFileSync(join(pasta, 'nota.xml'), nota.replace(/<vNF>[^<]*/, '<vNF>9999.99'))
  const env = {
    PATH: process.env.PATH,
    CHAVE: house.apiKey ?? '',
    NOTA: chave,
    SENHA: senha,
    SIMULADOR: simulador,
    PYTHONIOENCODING: 'utf-8',
  }
  const commands: Record<string, [file: string, ...args: string[]]> = {
    sh: ['sh', '-c'],
    ts: [process.execPath, 'exemplo.ts'],
    py: ['python3', '-c'],
  }
  return {
    rodar: async (lingua, codigo) => {
      const [file = '', ...args] = commands[lingua] ?? []
      if (lingua === 'ts') writeFileSync(join(pasta, 'exemplo.ts'), codigo)
      const all = lingua === 'ts' ? args : [...args, codigo]
      const { stdout } = await run(file, all, { cwd: pasta, env, maxBuffer: 64 * 1024 * 1024 })
      return stdout
    },
    limpar: () => rmSync(pasta, { recursive: true, force: true }),
  }
}

/** Whether this machine has a command. */
export const temComando = (nome: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${nome}`]).then(
    () => true,
    () => false,
  )
