import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { NOW } from './now.ts'

const SAMPLE = join(import.meta.dirname, '../../data/cnpj-amostra')

let made: Promise<string> | undefined

after(async () => {
  if (made) rmSync(await made, { recursive: true, force: true })
})

/** Puts the sample base at `raiz`, as a first start at NOW makes it: a copy is faster than the import. */
export async function putSample(raiz: string): Promise<void> {
  made ??= make()
  await cp(await made, raiz, { recursive: true })
}

async function make(): Promise<string> {
  const raiz = mkdtempSync(join(tmpdir(), 'base-da-amostra-'))
  await importCnpj({ pasta: SAMPLE, raiz, amostra: true, now: () => NOW })
  return raiz
}
