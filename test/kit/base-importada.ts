import type { TestContext } from 'node:test'
import type { RegistroCnpj } from '../../src/cnpj/base/registro.ts'
import type { Manifesto } from '../../src/cnpj/base/versao.ts'
import { type BaseAtiva, openBaseAtiva } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { empresa, type Pasta, tempFolder, withDigits, writePasta } from './base-pasta.ts'

export const now = () => new Date('2026-11-21T12:00:00Z')

/** An imported base, its manifest, and its records by the first twelve characters of the CNPJ. */
export type Importada = {
  manifesto: Manifesto
  find: (doze: string) => RegistroCnpj | undefined
  base: BaseAtiva
  raiz: string
}

/** Imports the base of a folder, and opens it until the test ends. */
export async function importar(t: TestContext, pasta: Pasta, mascararCpf = true): Promise<Importada> {
  const raiz = tempFolder(t)
  const manifesto = await importCnpj({
    pasta: await writePasta(tempFolder(t), pasta),
    raiz,
    amostra: true,
    now,
    aceitar: ['codigos_desconhecidos', 'razao_vazia'],
  })
  const base = openBaseAtiva(raiz, { mascararCpf })
  t.after(() => base.close())
  return { manifesto, base, raiz, find: (doze) => base.current()?.find(withDigits(doze)) }
}

/** A folder with one establishment and its company. */
export const uma = (est: string, emp: string[] = [empresa('11222333')]): Pasta => ({
  empresas: emp,
  estabelecimentos: [est],
})
