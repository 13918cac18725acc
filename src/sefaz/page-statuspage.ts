import { enumerate } from '../platform/texto.ts'
import { isoDe, nameOfIncidente, viewIncidente } from './page-incidentes.ts'
import type { Vista } from './page-vista.ts'
import {
  type Autorizador,
  autorizadorById,
  autorizadores,
  docs,
  nomeDoDoc,
  type StatusCode,
} from './rules.ts'
import { standingOf } from './rules-quadro.ts'
import type { Incidente, Queda } from './rules-rodada.ts'

/** The statuses that readers of status pages know, by our classes. Theirs has none for "not known". */
const status = [
  'degraded_performance',
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'major_outage',
] as const satisfies Record<StatusCode, string>

const PAGINA = 'consulta-fiscal-sefaz'
const INICIO = '2026-01-01T00:00:00.000Z'

const pageOf = ({ ultima }: Vista, endereco: string): object => ({
  id: PAGINA,
  name: 'SEFAZ agora',
  url: `${endereco}/sefaz/`,
  time_zone: 'America/Sao_Paulo',
  updated_at: isoDe(ultima ?? Date.parse(INICIO)),
})

/** The summary in the shape of Statuspage's API v2: the components, and the incidents that are open. */
export const writeSummary = (vista: Vista, endereco: string): object => ({
  page: pageOf(vista, endereco),
  components: docs.flatMap((doc, at) => {
    const own = autorizadores.filter((one) => one.doc === doc)
    const children = own.map((one, place) => componentOf(one, vista, place + 1))
    const group = {
      ...commonOf(vista, at + 1),
      id: doc,
      name: nomeDoDoc[doc],
      status: worstOf(children.map((one) => one.status)),
      description: null,
      group_id: null,
      group: true,
      components: own.map(({ id }) => id),
    }
    return [group, ...children]
  }),
  incidents: (vista.quadro?.abertos ?? []).map((one) => writeIncident(one, vista, endereco)),
  scheduled_maintenances: [],
  status: indicatorOf(vista),
})

export const writeIncidents = (vista: Vista, endereco: string): object => ({
  page: pageOf(vista, endereco),
  incidents: vista.incidentes.map((one) => writeIncident(one, vista, endereco)),
})

const commonOf = ({ ultima }: Vista, position: number) => ({
  position,
  created_at: INICIO,
  updated_at: isoDe(ultima ?? Date.parse(INICIO)),
  showcase: true,
  start_date: null,
  page_id: PAGINA,
  only_show_if_degraded: false,
})

const codeOf = (vista: Vista, { doc, ufs: [uf] }: Autorizador): StatusCode =>
  uf ? standingOf(vista.quadro, doc, uf).status_code : 0

const componentOf = (one: Autorizador, vista: Vista, position: number) => ({
  ...commonOf(vista, position),
  id: one.id,
  name: `${nomeDoDoc[one.doc]} ${one.nome}`,
  status: status[codeOf(vista, one)],
  description: `Atende ${enumerate(one.ufs)}${codeOf(vista, one) === 0 ? '. Sem leitura agora.' : '.'}`,
  group_id: one.doc,
  group: false,
})

const ordem = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'] as const

/** The worst of the statuses. A group of which only a part is out is partly out. */
function worstOf(all: readonly (typeof ordem)[number][]): (typeof ordem)[number] {
  const worst = ordem.findLast((one) => all.includes(one)) ?? 'operational'
  return worst === 'major_outage' && all.some((one) => one !== worst) ? 'partial_outage' : worst
}

const palavras = {
  none: 'Tudo no ar',
  minor: 'Há lentidão',
  major: 'Há autorizadores fora',
  critical: 'A maior parte dos autorizadores está fora',
} as const

function indicatorOf(vista: Vista): { indicator: keyof typeof palavras; description: string } {
  const codes = autorizadores.map((one) => codeOf(vista, one))
  const out = codes.filter((code) => code >= 4).length
  if (codes.every((code) => code === 0)) return { indicator: 'minor', description: 'Sem leitura agora' }
  const isSlow = codes.some((code) => code === 2 || code === 3)
  if (out === 0 && !isSlow && codes.includes(0))
    return { indicator: 'minor', description: 'Há autorizadores sem leitura' }
  const indicator = out > codes.length / 2 ? 'critical' : out > 0 ? 'major' : isSlow ? 'minor' : 'none'
  return { indicator, description: palavras[indicator] }
}

function writeIncident(one: Incidente, vista: Vista, endereco: string): object {
  const { id, inicio, fim, quedas } = one
  const seen = viewIncidente(one, vista)
  const affected = [...new Set(quedas.flatMap(({ autorizador }) => autorizadorById(autorizador) ?? []))]
  const update = (name: 'investigating' | 'resolved', at: number, body: string): object => ({
    id: `${id}-${name}-${at}`,
    incident_id: id,
    status: name,
    body,
    created_at: isoDe(at),
    updated_at: isoDe(at),
    display_at: isoDe(at),
    affected_components: affected.map(({ id, doc, nome }) => ({
      code: id,
      name: `${nomeDoDoc[doc]} ${nome}`,
      old_status: name === 'resolved' ? 'major_outage' : 'operational',
      new_status: name === 'resolved' ? 'operational' : 'major_outage',
    })),
    deliver_notifications: false,
  })
  const said = [...seen.quedas, ...seen.conselhos.map(({ onde, texto }) => `${onde}: ${texto}`)].join('\n')
  const updates = [update('investigating', inicio, said)]
  if (fim !== null) updates.unshift(update('resolved', fim, 'Voltou a responder.'))
  return {
    id,
    name: nameOfIncidente(quedas),
    status: fim === null ? 'investigating' : 'resolved',
    impact: 'major',
    created_at: isoDe(inicio),
    updated_at: isoDe(fim ?? lastChange(quedas, inicio)),
    started_at: isoDe(inicio),
    monitoring_at: null,
    resolved_at: fim === null ? null : isoDe(fim),
    shortlink: `${endereco}/sefaz/`,
    page_id: PAGINA,
    incident_updates: updates,
    components: affected.map((each, at) => componentOf(each, vista, at + 1)),
  }
}

const lastChange = (quedas: readonly Queda[], inicio: number): number =>
  Math.max(inicio, ...quedas.map(({ inicio, fim }) => fim ?? inicio))
