import assert from 'node:assert/strict'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  RespostaDaDistribuicao,
  RespostaDoPortal,
} from '../../src/nfe/rules.ts'
import {
  type Andamento,
  type DesfechoDaNota,
  type Passo,
  proximoPasso,
} from '../../src/nfe/rules-manifestacao.ts'

/** The answers of each authority, in order. */
export type Respostas = Partial<Record<Evento, DesfechoDoEvento[]>> & {
  consulta?: RespostaDaDistribuicao[]
  portal?: RespostaDoPortal[]
}

/** A walk that ended: its steps, and its end. */
export type Walk = { passos: string[]; andamento: Andamento; desfecho: DesfechoDaNota }

/**
 * Takes the steps that are decided, with these answers, until the call ends. Fails for an answer that no step
 * used.
 */
export function walk(start: Andamento, respostas: Respostas): Walk {
  const left = structuredClone(respostas)
  const next = <T>(queue: T[] | undefined, passo: string): T => {
    const [first] = queue ?? []
    assert.ok(first, `no answer is left for: ${passo}`)
    queue?.shift()
    return first
  }
  let andamento = start
  const passos: string[] = []
  for (;;) {
    const passo = proximoPasso(andamento)
    if (passo.fazer === 'responder') {
      for (const [name, queue] of Object.entries(left))
        assert.deepEqual(queue, [], `nobody asked for all of: ${name}`)
      return { passos, andamento, desfecho: passo }
    }
    passos.push(nameOf(passo))
    andamento = { ...andamento, feitos: [...andamento.feitos, take(passo)] }
  }
  function take(passo: Exclude<Passo, DesfechoDaNota>): Feito {
    const { fazer } = passo
    switch (fazer) {
      case 'consultar': {
        const consulta = { passo: 'consulta', resposta: next(left.consulta, fazer) } as const
        return passo.comoEmitente ? { ...consulta, comoEmitente: true } : consulta
      }
      case 'portal':
        return { passo: 'portal', resposta: next(left.portal, fazer) }
      default:
        return { passo: fazer, desfecho: next(left[fazer], fazer) }
    }
  }
}

function nameOf(passo: Exclude<Passo, DesfechoDaNota>): string {
  if (passo.fazer !== 'consultar') return passo.fazer
  if (passo.comoEmitente) return 'consultar como emitente'
  return passo.depoisDeMs > 0 ? 'pausa e consultar' : 'consultar'
}

const DIA_MS = 86_400_000

/** Friday, 12:00 in Brasília. */
export const AGORA = new Date('2026-11-20T15:00:00Z')

/** So many days before `AGORA`. */
export const haDias = (dias: number): Date => new Date(AGORA.getTime() - dias * DIA_MS)

/** The start of a call for a note issued so many days ago, by its recipient, who authorizes the events. */
export function comeco(dias: number, parts: Partial<Andamento> = {}): Andamento {
  const autorizacao = new Date(haDias(dias).getTime() - 3 * 3_600_000)
  return {
    manifestar: true,
    assina: true,
    interessado: { tipo: 'cnpj', documento: '98764001000107' },
    emitente: false,
    outroEmitente: false,
    letras: false,
    mes: { ano: autorizacao.getUTCFullYear(), mes: autorizacao.getUTCMonth() + 1 },
    prazos: { ciencia: 10, confirmacao: 180 },
    agora: AGORA,
    feitos: [],
    ...parts,
  }
}

export const xml = { tipo: 'xml', xml: '<nfeProc/>' } as const
export const falha = {
  tipo: 'falha',
  mensagem: 'O Ambiente Nacional da NF-e não respondeu a tempo.',
} as const
export const nega = { tipo: 'negada', texto: 'O CNPJ ou CPF do certificado não está autorizado.' } as const
export const indisponivel = {
  tipo: 'indisponivel',
  mensagem: 'O portal nacional da NF-e pede um captcha.',
} as const
/** Nobody here solves its captcha. */
export const semSaida = { ...indisponivel, definitiva: true } as const
export const limitada = { tipo: 'limitada', cStat: '656', xMotivo: 'Rejeicao: Consumo Indevido' } as const
export const foraDoPrazo = { tipo: 'fora-prazo', cStat: '632', xMotivo: 'Rejeicao: fora de prazo' } as const
export const doEmitente = { tipo: 'emitente', cStat: '641', xMotivo: 'Rejeicao: emitente' } as const

/** The summary of a note authorized so many days ago. */
export const resumo = (
  dias: number,
  situacao: 'autorizada' | 'cancelada' | 'denegada' = 'autorizada',
): RespostaDaDistribuicao => ({ tipo: 'resumo', situacao, autorizacao: haDias(dias) })

/** The answer to an event. */
export const evento = (cStat: string, xMotivo = `Motivo ${cStat}`): DesfechoDoEvento => ({
  tipo: 'resposta',
  cStat,
  xMotivo,
})
