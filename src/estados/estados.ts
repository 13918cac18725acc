import { readdirSync } from 'node:fs'
import type { Uf } from '../documento/uf.ts'
import { trusted } from '../platform/trusted.ts'
import type { Estado } from '../portal/estado.ts'

/** The states, by UF. The folder `estados/` is the registry: each file is a state. */
export const estados: ReadonlyMap<Uf, Estado> = new Map(await loadEstados())

/** Gives the state of a UF. The tests check that every UF has a file. */
export function estadoOf(uf: Uf): Estado {
  const estado = estados.get(uf)
  if (!estado) throw new Error(`src/sources/estados has no file of ${uf}`)
  return estado
}

async function loadEstados(): Promise<[Uf, Estado][]> {
  const folder = new URL('../sources/estados/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  return Promise.all(
    files.sort().map(async (name): Promise<[Uf, Estado]> => {
      // Each file's own `satisfies Estado` proves it, and the test that reads the folder.
      const { estado } = trusted<{ estado?: Estado }>(await import(new URL(name, folder).href))
      if (!estado || `${estado.uf.toLowerCase()}.ts` !== name)
        throw new Error(`src/sources/estados/${name} exports no \`estado\` of the UF that it is named after`)
      return [estado.uf, estado]
    }),
  )
}
