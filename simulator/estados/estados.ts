import { readdirSync } from 'node:fs'
import type { Uf } from '../documento/uf.ts'
import type { Portal } from '../portal/portal.ts'

const arquivos = readdirSync(import.meta.dirname).filter((nome) => /^[a-z]{2}\.ts$/.test(nome))

/** Whatever lies in `estados/` and exports `portais` is played, in the order of the files. */
export const portais: readonly Portal[] = (
  await Promise.all(arquivos.sort().map((nome) => load(nome)))
).flat()

export const ufsComCertidao: ReadonlySet<Uf> = new Set(
  portais.filter(({ servico }) => servico === 'cnd').map(({ uf }) => uf),
)

async function load(nome: string): Promise<readonly Portal[]> {
  const arquivo = `simulator/estados/${nome}`
  const modulo: { portais?: readonly Portal[] } = await import(`./${nome}`).catch((error: unknown) => {
    throw new Error(`${arquivo} não carrega: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  })
  if (!Array.isArray(modulo.portais))
    throw new Error(`${arquivo} não exporta "portais", uma lista de portais.`)
  return modulo.portais
}
