import { type Uf, ufs } from '../documento/uf.ts'
import { formatQuando } from '../platform/pages/formatos.ts'
import { legendaDasClasses, mapaDoBrasil } from '../platform/pages/graficos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { SituacaoDoAmbiente } from './lookup.ts'
import {
  type Ativacao,
  advise,
  autorizadorOf,
  type Conselho,
  type Doc,
  nomesDasClasses,
  type Sabido,
} from './rules.ts'
import { knownBy, sayStanding, standingOf } from './rules-quadro.ts'
import type { Incidente, Quadro } from './rules-rodada.ts'

/** A day of an authorizer as the pages show it. Times are in seconds. */
export type DiaVisto = {
  dia: string
  leituras: number
  falhas: number
  p50: number | undefined
  p95: number | undefined
  confirmadas: number
  desmentidas: number
}

export type AmbienteNacional = { nome: string; situacao: SituacaoDoAmbiente }

/** All that the pages are drawn from: one moment of the monitor. */
export type Vista = {
  /** Undefined where no round has ended, or none in the last 10 minutes. */
  quadro: Quadro | undefined
  /** Why there is no board to show. */
  falta: 'desligado' | 'sem-rodada' | 'parado' | undefined
  /** When the last round ended, though it may be old. */
  ultima: number | undefined
  intervaloS: number
  /** The days shown, the oldest first: today is the last. */
  calendario: readonly string[]
  /** The days of each authorizer, by its id; those without a reading are missing. */
  dias: ReadonlyMap<string, ReadonlyMap<string, DiaVisto>>
  incidentes: readonly Incidente[]
  nacional: readonly AmbienteNacional[]
}

/** The advice for a document in a state; undefined where nothing is known of now. */
export const adviceOf = ({ quadro }: Pick<Vista, 'quadro'>, doc: Doc, uf: Uf): Conselho | undefined =>
  quadro && advise(doc, uf, knownOf(quadro))

const sabidos = new WeakMap<Quadro, Sabido>()

function knownOf(quadro: Quadro): Sabido {
  const known = sabidos.get(quadro) ?? knownBy(quadro)
  sabidos.set(quadro, known)
  return known
}

/** What an SVC said last, in words; undefined where nobody has asked. */
export const textOfAtivacao = (ativacao: Ativacao | undefined): string =>
  ({
    ativada: 'Ativada',
    encerrando: 'Ativada, a desativar em breve',
    desativada: 'Não ativada',
    '': 'Ainda não se sabe',
  })[ativacao?.estado ?? '']

export const diasOf = ({ calendario, dias }: Vista, doc: Doc, uf: Uf): readonly (DiaVisto | undefined)[] => {
  const own = dias.get(autorizadorOf(doc, uf).id)
  return calendario.map((dia) => own?.get(dia))
}

export function availabilityOf(days: readonly (DiaVisto | undefined)[]): number | undefined {
  const leituras = days.reduce((sum, day) => sum + (day?.leituras ?? 0), 0)
  const falhas = days.reduce((sum, day) => sum + (day?.falhas ?? 0), 0)
  return leituras === 0 ? undefined : (leituras - falhas) / leituras
}

/** A card with the map of the NF-e of now, where each state leads to its page. */
export function drawSefazAgora(
  { quadro, prefixo }: { quadro: Quadro | undefined; prefixo: string },
  classe = '',
): Html {
  const contagem = [0, 0, 0, 0, 0, 0]
  for (const uf of ufs) {
    const { status_code } = standingOf(quadro, 'nfe', uf)
    contagem[status_code] = (contagem[status_code] ?? 0) + 1
  }
  const enderecoDe = (uf: Uf): string => `${prefixo}/sefaz/${uf.toLowerCase()}/`
  return cartao(
    {
      titulo: 'SEFAZ agora',
      id: 'sefaz-agora',
      classe,
      lado: html`<a href="${url(`${prefixo}/sefaz/`)}">Ver por estado</a>`,
    },
    html`${mapaDoBrasil((uf) => sayStanding(quadro, 'nfe', uf), enderecoDe)}${legendaDasClasses(nomesDasClasses, contagem)}<p class="suave">${
      quadro
        ? `NF-e, lida em ${formatQuando(quadro.rodada.fim)}.`
        : 'Sem leitura de agora: o monitor ainda não terminou uma rodada, está desligado ou parado.'
    }</p>`,
  )
}
