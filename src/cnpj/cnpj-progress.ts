import { SingleBar } from 'cli-progress'
import { thousands } from '../platform/texto.ts'
import type { ImportProgress, ImportStep } from './importar/progress.ts'

/** Tells how an import goes. */
export type Tela = { show(andamento: ImportProgress): void; stop(): void }

const NOMES: Record<ImportStep, string> = {
  leitura: 'Lendo os zips',
  gravacao: 'Gravando a base',
  conferencia: 'Conferindo',
  publicacao: 'Publicando',
}

/**
 * Bars on a terminal, plain lines elsewhere, one JSON object a line with `--json`. All but JSON goes to
 * standard error.
 */
export function createTela(json: boolean): Tela {
  if (json) return createJson()
  return process.stderr.isTTY ? createBars() : createLines()
}

function amount({ etapa, feito, total }: ImportProgress): string {
  if (etapa === 'leitura') return `${(feito / 1e6).toFixed(0)} de ${(total / 1e6).toFixed(0)} MB`
  return `${feito} de ${total} trechos`
}

function createBars(): Tela {
  let bar: SingleBar | undefined
  let etapa: ImportStep | undefined
  let started = 0
  return {
    show(andamento) {
      if (andamento.etapa !== etapa) {
        bar?.stop()
        etapa = andamento.etapa
        started = performance.now()
        bar = new SingleBar({
          format: `${NOMES[etapa].padEnd(16)} |{bar}| {percentage}% {quanto}, {taxa} linhas/s, faltam {eta_formatted}`,
          stream: process.stderr,
          etaBuffer: 100,
          hideCursor: true,
        })
        bar.start(andamento.total, 0, { quanto: '', taxa: '0' })
      }
      const seconds = Math.max((performance.now() - started) / 1000, 0.001)
      const taxa = thousands(Math.round(andamento.registros / seconds))
      bar?.update(andamento.feito, { quanto: amount(andamento), taxa })
    },
    stop: () => bar?.stop(),
  }
}

/** One line at the start of each step and at each tenth of it. */
function createLines(): Tela {
  let last = ''
  return {
    show(andamento) {
      const { etapa, feito, total, registros } = andamento
      const tenth = total === 0 ? 10 : Math.floor((feito / total) * 10)
      const key = `${etapa} ${tenth}`
      if (key === last) return
      last = key
      const rest =
        etapa === 'leitura' || etapa === 'gravacao'
          ? `: ${tenth * 10}% (${amount(andamento)}, ${thousands(registros)} linhas)`
          : ''
      console.error(`${NOMES[etapa]}${rest}`)
    },
    stop: () => {},
  }
}

const JSON_MS = 500

/** An event at each change of step, and within a step at most twice a second. */
function createJson(): Tela {
  let etapa: ImportStep | undefined
  let told = 0
  return {
    show(andamento) {
      const now = performance.now()
      if (andamento.etapa === etapa && now - told < JSON_MS && andamento.feito < andamento.total) return
      etapa = andamento.etapa
      told = now
      console.log(JSON.stringify({ evento: 'andamento', ...andamento }))
    },
    stop: () => {},
  }
}
