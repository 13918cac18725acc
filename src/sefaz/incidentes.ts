import { type Content, type Html, html } from '../platform/pages/html.ts'
import { enumerar } from '../platform/texto.ts'
import { autorizadorPorId, nomeDoDoc } from './rules.ts'
import type { Incidente, Queda } from './rules-rodada.ts'
import { formatDuracao, formatInstante, isoDe } from './textos.ts'
import { conselhoDe, textoDaAtivacao, type Vista } from './vista.ts'

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
