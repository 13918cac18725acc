import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/molde.ts'
import { type Doc, fisico } from './autorizadores.ts'
import type { CasoDaPagina, CasoImposto, Imposto } from './caso.ts'
import { ativacaoEm, climaEm, type Situacao, type Tempo, TOLERANCIA_MS } from './clima.ts'

/** How the authorizers stand now: the weather, and what overrides it. */
export type Sefaz = {
  tempoDe: (id: string) => Tempo
  /** Since when an authorizer is in the case that was imposed on it; undefined where the weather rules. */
  impostoDesde: (id: string) => number | undefined
  ativacaoDe: (doc: Doc, uf: Uf) => Situacao
  paginaDe: (doc: 'nfe' | 'cte') => CasoDaPagina
  imposto: () => Imposto
  /** Takes the place of all that was imposed before. `{}` leaves the weather alone. */
  impor: (imposto: Imposto) => void
  /** Lets that many milliseconds pass. */
  esperar: (ms: number) => Promise<void>
  agora: () => Date
}

/**
 * `esperar` is how the simulator waits before an answer: by real timers, times `ritmo`, when left out. A test
 * in this process may advance its own clock instead.
 */
type OpcoesDaSefaz = { agora: () => Date; ritmo?: number; esperar?: (ms: number) => Promise<void> }

/** An imposed case that says nothing about its time takes this long. */
const PADRAO_MS = { normal: 100, lento: 3_000, 'sem-resposta': 120_000 } as const

export function criarSefaz({ agora, ritmo = 1, esperar }: OpcoesDaSefaz): Sefaz {
  let atual: Imposto = {}
  let desde = new Map<string, { caso: string; em: number }>()
  const impostoA = (id: string): CasoImposto | undefined => {
    const impostos = Object.entries(atual.autorizadores ?? {})
    return impostos.findLast(([um]) => fisico(um) === fisico(id))?.[1] ?? atual.padrao
  }
  return {
    agora,
    esperar: esperar ?? ((ms) => setTimeout(ms * ritmo, undefined, { ref: false })),
    tempoDe: (id) => {
      const imposto = impostoA(id)
      return imposto ? comTempo(imposto) : climaEm(id, agora().getTime())
    },
    impostoDesde: (id) => {
      const imposto = impostoA(id)
      return imposto && (desde.get(fisico(id)) ?? desde.get('padrao'))?.em
    },
    ativacaoDe: (doc, uf) => {
      const instante = agora().getTime()
      const imposta = doc === 'nfce' ? undefined : atual.svc?.[doc]?.[uf]
      return imposta ? { estado: imposta, ate: instante + TOLERANCIA_MS } : ativacaoEm(doc, uf, instante)
    },
    paginaDe: (doc) => atual.paginas?.[doc] ?? 'normal',
    imposto: () => atual,
    impor: (imposto) => {
      atual = structuredClone(imposto)
      const novos = Object.entries({
        ...(imposto.padrao && { padrao: imposto.padrao }),
        ...imposto.autorizadores,
      })
      desde = new Map(
        novos.map(([nome, valor]) => {
          const { caso } = comTempo(valor)
          const antes = desde.get(fisico(nome))
          return [fisico(nome), antes?.caso === caso ? antes : { caso, em: agora().getTime() }]
        }),
      )
    },
  }
}

function comTempo(imposto: CasoImposto): Tempo {
  const { caso, ms } = typeof imposto === 'string' ? { caso: imposto, ms: undefined } : imposto
  const usual = Object.entries(PADRAO_MS).find(([nome]) => nome === caso)?.[1] ?? PADRAO_MS.normal
  return { caso, ms: ms ?? usual }
}
