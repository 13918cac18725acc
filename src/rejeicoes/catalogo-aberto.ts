import { fileURLToPath } from 'node:url'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/start.ts'
import { type Catalogo, lerCatalogo, marcaDe, verificacoesDe } from './catalogo.ts'
import type { Laudo } from './rules-laudo.ts'
import { prepararVerificacoes } from './verificacoes/verificar.ts'

/** Follows the file of the rejection catalogue. */
export type CatalogoAberto = {
  /** The catalogue of now; undefined while no good file was seen. */
  ler: () => Catalogo | undefined
  /** What is wrong with the file as it is now, in Portuguese; empty if nothing is. */
  falha: () => string
  arquivo: string
}

/** The catalogue that comes with the service. */
const PROPRIO = fileURLToPath(new URL('../../data/rejeicoes.json', import.meta.url))

/** How often the file is looked at. */
const LOOK_MS = 2_000

type Abertura = {
  /** Without it, the catalogue that comes with the service. */
  arquivo?: string | undefined
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
}

/**
 * Follows a catalogue file, which is read when it is first asked for and again when it changes. A file that
 * is missing or broken is logged once and never throws; the last good catalogue goes on serving.
 */
export function openCatalogo({ arquivo = PROPRIO, now, log }: Abertura): CatalogoAberto {
  let catalogo: Catalogo | undefined
  let falha = ''
  let stamp: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  function read(): void {
    try {
      catalogo = lerUsavel(arquivo)
      falha = ''
      log.info({ arquivo, rejeicoes: catalogo.rejeicoes.length }, 'the rejection catalogue was read')
    } catch (error) {
      falha = messageOf(error)
      log.error({ arquivo, err: error }, 'the rejection catalogue cannot be read')
    }
  }

  function look(): void {
    const elapsed = now().getTime() - lookedAt
    // A clock that went back must not keep the file unread.
    if (elapsed >= 0 && elapsed < LOOK_MS) return
    lookedAt = now().getTime()
    const found = marcaDe(arquivo)
    if (found === stamp) return
    stamp = found
    read()
  }

  return {
    ler: () => {
      look()
      return catalogo
    },
    falha: () => {
      look()
      return falha
    },
    arquivo,
  }
}

/** Reads a catalogue whose checks can be used: its form does not show that a pattern is none. */
function lerUsavel(arquivo: string): Catalogo {
  const lido = lerCatalogo(arquivo)
  try {
    prepararVerificacoes(verificacoesDe(lido))
  } catch (cause) {
    const why = messageOf(cause)
    throw new Error(`há uma verificação que não pode ser usada (${why})`, { cause })
  }
  return lido
}

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
export function openDivergencias(log: Pick<Log, 'warn'>): Divergencias {
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
