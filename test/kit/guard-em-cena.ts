import assert from 'node:assert/strict'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { createGuard, type Guard } from '../../src/platform/wire/guard.ts'
import type { Leitura } from '../../src/platform/wire/leituras.ts'

export const sp = { id: 'SP/ie', nome: 'A SEFAZ-SP' }
export const rs = { id: 'RS/ie', nome: 'A SEFAZ-RS' }
/** A query to a source, within 10 s unless the test says otherwise. */
export const to = (source: typeof sp, deadlineMs = 10_000) => ({ source, deadlineMs, request_id: 'pedido-1' })
export const limits = { simultaneous: 2, waiting: 1, failures: 3, pauseMs: 60_000 }

type Line = Record<string, unknown>
/** A guard, and the lines that it logs. */
export function guarded(overrides: Partial<typeof limits> = {}): { guard: Guard; lines: Line[] } {
  const lines: Line[] = []
  const log = { info: (fields: object, message: string) => void lines.push({ ...fields, message }) }
  return { guard: createGuard(log, { limits: { ...limits, ...overrides } }), lines }
}

/** A query that gets no answer in time. */
export const outage = async (): Promise<never> => {
  throw new SourceError('timeout', 'A SEFAZ-SP não respondeu a tempo.', { source: 'SP/ie', elapsedMs: 20 })
}
/** A query whose answer cannot be read. */
export const nonsense = async (): Promise<never> => {
  throw new SourceError('parse', 'A SEFAZ-SP respondeu sem sentido.', { source: 'SP/ie', elapsedMs: 20 })
}
/** Makes queries of which each fails with its own failure. */
export const fail = async (guard: Guard, run: () => Promise<never>, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    const thrown: unknown[] = []
    const noted = () =>
      run().catch((error: unknown) => {
        thrown.push(error)
        throw error
      })
    await assert.rejects(guard(to(sp), noted), (error) => thrown.includes(error))
  }
}

/** A guard whose readings are kept, with a clock of its own to turn. */
export function watched(overrides: Partial<typeof limits> = {}) {
  const clock = { instant: Date.parse('2026-11-14T15:00:00Z') }
  const leituras: Leitura[] = []
  const guard = createGuard(
    { info: () => {} },
    {
      limits: { ...limits, ...overrides },
      now: () => new Date(clock.instant),
      onCall: (leitura) => void leituras.push(leitura),
    },
  )
  return { guard, clock, leituras }
}
