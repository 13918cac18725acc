import { createRequire } from 'node:module'
import type { Uf } from '../documento/uf.ts'
import { trusted } from '../platform/trusted.ts'
import type { Estado } from '../portal/estado.ts'

// At once, and not one state of 27 more: a command waits for it.
const require = createRequire(import.meta.url)

/** What is known of a state, from its own file. */
export function estadoOf(uf: Uf): Estado {
  const name = `${uf.toLowerCase()}.ts`
  // Each file's own `satisfies Estado` proves it, and the test that reads the folder.
  const { estado } = trusted<{ estado?: Estado }>(require(`./${name}`))
  if (estado?.uf !== uf)
    throw new Error(`src/estados/${name} exports no \`estado\` of the UF that it is named after`)
  return estado
}
