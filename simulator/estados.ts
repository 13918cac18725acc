import { readdirSync } from 'node:fs'
import type { Portal } from './portal/portal.ts'

const arquivos = readdirSync(new URL('./estados/', import.meta.url)).filter((nome) => nome.endsWith('.ts'))

/** The portals of all the states, in the order of their files: whatever lies in `estados/` and exports `portais` is played. */
export const portais: readonly Portal[] = (
  await Promise.all(arquivos.sort().map((nome) => carregar(nome)))
).flat()

async function carregar(nome: string): Promise<readonly Portal[]> {
  const modulo: { portais: readonly Portal[] } = await import(`./estados/${nome}`)
  return modulo.portais
}
