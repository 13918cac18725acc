import { fileURLToPath } from 'node:url'
import type { InscricaoRoom } from '../inscricao/inscricao.ts'
import type { Log } from '../platform/start.ts'
import { type Catalogo, marcaDe, readCatalogo, verificacoesDe } from './catalogo.ts'
import type { Laudo } from './rules-laudo.ts'
import { prepareVerificacoes } from './verificacoes/verificador.ts'

export type CatalogoAberto = {
  /** The catalogue of now; undefined while no good file was seen. */
  read: () => Catalogo | undefined
  /** What is wrong with the file as it is now, in Portuguese; empty if nothing is. */
  falha: () => string
  arquivo: string
}

const PROPRIO = fileURLToPath(new URL('../../data/rejeicoes.json', import.meta.url))

const LOOK_MS = 2_000

type Abertura = {
  /** Without it, the catalogue that comes with the service. */
  arquivo?: string | undefined
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
}

/**
 * A file that is missing or broken is logged once and never throws; the last good catalogue goes on serving.
 */
export function openCatalogo({ arquivo = PROPRIO, now, log }: Abertura): CatalogoAberto {
  let catalogo: Catalogo | undefined
  let falha = ''
  let stamp: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  function read(): void {
    try {
      catalogo = readUsavel(arquivo)
      falha = ''
      log.info({ arquivo, rejeicoes: catalogo.rejeicoes.length }, 'o catálogo de rejeições foi lido')
    } catch (error) {
      falha = error instanceof Error ? error.message : String(error)
      log.error({ arquivo, err: error }, 'o catálogo de rejeições não pôde ser lido')
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
    read: () => {
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
function readUsavel(arquivo: string): Catalogo {
  const lido = readCatalogo(arquivo)
  try {
    prepareVerificacoes(verificacoesDe(lido))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : ''
    throw new Error(`há uma verificação que não pode ser usada (${why})`, { cause })
  }
  return lido
}

/** Counted of the notes of accounts alone: a stranger at the public form could raise any code. */
export type Divergencias = {
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

export type RejeicoesRoom = InscricaoRoom & { rejeicoes: CatalogoAberto; divergencias: Divergencias }

export const openRejeicoes = (inscricao: InscricaoRoom): RejeicoesRoom => {
  const { config, now, log } = inscricao
  return {
    ...inscricao,
    rejeicoes: openCatalogo({ arquivo: config.REJEICOES_FILE, now, log }),
    divergencias: openDivergencias(log),
  }
}
