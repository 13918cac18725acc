import { type Content, type Html, html } from '../platform/pages/html.ts'
import { enumerar } from '../platform/texto.ts'
import { autorizadorPorId, nomeDoDoc } from './rules.ts'
import { percent } from './rules-historico.ts'
import type { Incidente, Queda } from './rules-rodada.ts'
import { conselhoDe, textoDaAtivacao, type Vista } from './vista.ts'

const timeZone = 'America/Sao_Paulo'
const dia = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit' })
const diaEAno = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short' })
const hora = new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
const horaInteira = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'medium' })

/** `22/11 às 14:48`, in Brasília, of an instant in milliseconds. */
export const formatInstante = (ms: number): string => `${dia.format(ms)} às ${hora.format(ms)}`

/** `22/11/2026 às 15:02:07` */
export const formatLeitura = (ms: number): string => `${diaEAno.format(ms)} às ${horaInteira.format(ms)}`

/** `15:04:07` */
export const formatHora = (ms: number): string => horaInteira.format(ms)

/** What an attribute `datetime` takes. */
export const isoDe = (ms: number): string => new Date(ms).toISOString()

/** `14 min`, `2 h 10 min`, `3 dias`: of a time in milliseconds. */
function formatDuracao(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} dias`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** `0,42 s` */
export const formatSegundos = (seconds: number): string =>
  `${seconds.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} s`

/** `99,94%`. 0 and 100 are said of none and of all alone. */
export const formatParte = (share: number): string =>
  `${percent(share, 1)?.toLocaleString('pt-BR', { minimumFractionDigits: 2 })}%`

/** `1 lento`, `2 lentos` */
export const contar = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

/** An incident in words, for the page and for the live events. */
export type IncidenteVisto = {
  id: string
  aberto: boolean
  nome: string
  desde: string
  iso: string
  /** How long it lasted, once it is over. */
  durou: string
  quedas: readonly string[]
  conselhos: readonly { onde: string; texto: string; svc: string; ativacao: string }[]
}

/** Says what fell, since when, and what to do while it lasts. */
export function verIncidente({ id, inicio, fim, quedas }: Incidente, vista: Vista): IncidenteVisto {
  return {
    id,
    aberto: fim === null,
    nome: nomeDoIncidente(quedas),
    desde: formatInstante(inicio),
    iso: isoDe(inicio),
    durou: fim === null ? '' : `até ${formatInstante(fim)} (${formatDuracao(fim - inicio)})`,
    quedas: juntar(quedas).map(dizerQueda),
    conselhos: quedas.filter((one) => one.fim === null).flatMap((one) => aconselharQueda(one, vista)),
  }
}

/** `SEFAZ RS e SVRS`: the authorizers that fell, each once. */
export const nomeDoIncidente = (quedas: readonly Queda[]): string =>
  enumerar([...new Set(quedas.map(({ autorizador }) => autorizadorPorId(autorizador)?.nome ?? autorizador))])

/** An authorizer that fell more than once is said once: by its last fall. */
const juntar = (quedas: readonly Queda[]): Queda[] => [
  ...new Map(quedas.map((one) => [one.autorizador, one])).values(),
]

function dizerQueda({ autorizador, cStat, motivo, fim }: Queda): string {
  const known = autorizadorPorId(autorizador)
  if (!known) return motivo
  const where =
    known.ufs.length === 1 ? known.ufs.join('') : `${known.ufs.length} estados (${enumerar(known.ufs)})`
  const code = cStat === null ? '' : ` (código ${cStat})`
  const back = fim === null ? '' : `; voltou em ${formatInstante(fim)}`
  return `${nomeDoDoc[known.doc]} de ${where}: ${motivo.replace(/[.\s]+$/, '')}${code}${back}.`
}

/** The advice for the states that a fall hits; those with the same are told together. */
function aconselharQueda({ autorizador }: Queda, vista: Vista): IncidenteVisto['conselhos'] {
  const known = autorizadorPorId(autorizador)
  if (!known) return []
  const told = known.ufs.flatMap((uf) => {
    const conselho = conselhoDe(vista, known.doc, uf)
    return conselho ? [{ uf, conselho }] : []
  })
  return [...Map.groupBy(told, ({ conselho }) => conselho.texto)].map(([texto, same]) => ({
    onde: `${nomeDoDoc[known.doc]} em ${enumerar(same.map(({ uf }) => uf))}`,
    texto,
    svc: same[0]?.conselho.svc ?? '',
    ativacao: same[0]?.conselho.svc ? textoDaAtivacao(same[0].conselho.ativacao) : '',
  }))
}

/** The list of incidents; `vazio` is what stands there without any. */
export const listaDeIncidentes = (seen: readonly IncidenteVisto[], vazio: Content): Html =>
  html`<ul class="incidentes">${seen.length === 0 ? html`<li class="vazio">${vazio}</li>` : seen.map(incidente)}</ul>`

const incidente = ({ aberto, nome, desde, iso, durou, quedas, conselhos }: IncidenteVisto): Html =>
  html`<li><p><span class="selo ${aberto ? 'ruim' : ''}">${aberto ? 'Em aberto' : 'Encerrado'}</span> <b>${nome}</b> <span class="suave">desde <time datetime="${iso}">${desde}</time>${durou && ` ${durou}`}</span></p>${quedas.map(
    (queda) => html`<p>${queda}</p>`,
  )}${conselhos.map(
    ({ onde, texto, svc, ativacao }) =>
      html`<div class="conselho"><p><b>${onde}</b></p><p>${texto}</p>${svc !== '' && html`<p class="suave">Contingência do estado: <b>${svc}</b> · Ativação: <b>${ativacao}</b></p>`}</div>`,
  )}</li>`
