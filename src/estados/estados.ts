import { readdirSync } from 'node:fs'
import type { Uf } from '../documento/uf.ts'
import { usesCcc } from '../platform/config/config.ts'
import type { Platform } from '../platform/platform.ts'
import { trusted } from '../platform/trusted.ts'
import { type CaptchaSolver, noSolver, openWebhook, type Webhook } from '../portal/captcha.ts'
import type { Estado } from '../portal/estado.ts'

/** What the lookups in the states stand on. */
export type EstadosRoom = Platform & {
  /** Solves the captchas of states' pages. */
  captcha: CaptchaSolver
  /** Whether the national register may be asked where a state cannot be. */
  ccc: boolean
}

/** Opens the room, with the operator's solver of captchas where he named one. */
export const openEstados = (platform: Platform, webhook: Webhook | undefined): EstadosRoom => ({
  ...platform,
  captcha: webhook ? openWebhook(platform.direct, webhook) : noSolver,
  ccc: usesCcc(platform.config),
})

/** The states, by UF. This folder is the registry: a file of two letters is a state. */
export const estados: ReadonlyMap<Uf, Estado> = new Map(await loadEstados())

export function estadoOf(uf: Uf): Estado {
  const estado = estados.get(uf)
  if (!estado) throw new Error(`src/estados has no file of ${uf}`)
  return estado
}

async function loadEstados(): Promise<[Uf, Estado][]> {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter((name) => /^[a-z]{2}\.ts$/.test(name))
  return Promise.all(
    files.sort().map(async (name): Promise<[Uf, Estado]> => {
      // Each file's own `satisfies Estado` proves it, and the test that reads the folder.
      const { estado } = trusted<{ estado?: Estado }>(await import(new URL(name, folder).href))
      if (!estado || `${estado.uf.toLowerCase()}.ts` !== name)
        throw new Error(`src/estados/${name} exports no \`estado\` of the UF that it is named after`)
      return [estado.uf, estado]
    }),
  )
}
