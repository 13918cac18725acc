import { readdirSync } from 'node:fs'
import type { Uf } from '../documento/uf.ts'
import { servicos } from '../inscricao/servicos.ts'
import type { Portal } from '../portal/portal.ts'

const arquivos = readdirSync(import.meta.dirname).filter((nome) => /^[a-z]{2}\.ts$/.test(nome))

/**
 * The portals of all the states, in the order of their files: whatever lies in `estados/` and exports
 * `portais` is played.
 */
export const portais: readonly Portal[] = (
  await Promise.all(arquivos.sort().map((nome) => carregar(nome)))
).flat()

/**
 * The states whose registrations are played, by a portal or by the web service. Of the other states it is
 * unknown what the page asks for.
 */
export const ufsComCadastro: ReadonlySet<Uf> = new Set([
  ...portais.filter(({ servico }) => servico === 'ie').map(({ uf }) => uf),
  ...servicos.flatMap((servico) => servico.ufs),
])

/**
 * The states whose page of certificates is played. Of the other states it is unknown what the page asks for.
 */
export const ufsComCertidao: ReadonlySet<Uf> = new Set(
  portais.filter(({ servico }) => servico === 'cnd').map(({ uf }) => uf),
)

/** Throws, in words that name the file, when it cannot be loaded or exports no portals. */
async function carregar(nome: string): Promise<readonly Portal[]> {
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
