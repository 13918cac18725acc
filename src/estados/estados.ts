import { readdirSync } from 'node:fs'
import { findUf, type Uf } from '../documento/uf.ts'
import { usesCcc } from '../platform/config/config.ts'
import type { Platform } from '../platform/platform.ts'
import { type CaptchaSolver, noSolver, openWebhook, type Webhook } from '../portal/captcha.ts'
import type { Estado } from '../portal/estado.ts'
import { estadoOf } from './estado.ts'

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
export const estados: ReadonlyMap<Uf, Estado> = new Map(
  readdirSync(import.meta.dirname)
    .sort()
    .flatMap((name) => (/^[a-z]{2}\.ts$/.test(name) ? (findUf(name.slice(0, 2)) ?? []) : []))
    .map((uf) => [uf, estadoOf(uf)]),
)
