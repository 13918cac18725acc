import type { Logger } from 'pino'
import type { Laudo } from './rules-laudo.ts'

/**
 * Which codes of ours contradict an authorization, counted since the process started. Only the notes of
 * accounts are: a stranger at the public form could raise any of them.
 */
export type Divergencias = {
  /** Counts what a diagnosis says against the authorization of its note, and tells it to the operator. */
  note: (laudo: Pick<Laudo, 'divergencias' | 'regras'>) => void
  counts: () => ReadonlyMap<number, number>
}

/** Opens the count. The log names the codes and the day of the rules, and nothing of the note. */
export function openDivergencias(log: Pick<Logger, 'warn'>): Divergencias {
  const counted = new Map<number, number>()
  return {
    note({ divergencias, regras: { dia, ambiente } }) {
      if (divergencias.length === 0) return
      const codigos = divergencias.map(({ codigo }) => codigo)
      for (const codigo of codigos) counted.set(codigo, (counted.get(codigo) ?? 0) + 1)
      log.warn({ codigos, dia, ambiente }, 'rules of ours contradict an authorization')
    },
    counts: () => counted,
  }
}
