import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { BOM, type Dia, faixaDeDias } from '../platform/pages/graficos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { seloDaSituacao } from '../platform/pages/mapa.ts'
import { autorizadorDe, type Doc } from './rules.ts'
import { situacaoDe } from './rules-quadro.ts'
import { formatParte, formatSegundos } from './textos.ts'
import { type DiaVisto, diasDe, disponibilidade, type Vista } from './vista.ts'

/** The 27 states with their class, mean time, days and availability. */
export const tabelaDosEstados = (vista: Vista, doc: Doc, enderecoDe: (uf: Uf) => string): Html =>
  html`<table class="estados"><thead><tr><th scope="col">Estado</th><th scope="col">Autorizador</th><th scope="col">Agora</th><th scope="col" class="num">Tempo médio</th><th scope="col">90 dias</th><th scope="col" class="num">Disponível</th></tr></thead><tbody>${ufs.map(
    (uf) => linha(uf, { vista, doc, endereco: enderecoDe(uf) }),
  )}</tbody></table>`

function linha(uf: Uf, { vista, doc, endereco }: { vista: Vista; doc: Doc; endereco: string }): Html {
  const situacao = situacaoDe(vista.quadro, doc, uf)
  const days = diasDe(vista, doc, uf)
  const { nome } = unidades[uf]
  return html`<tr data-uf="${uf}"><th scope="row"><a href="${url(endereco)}"><span class="sigla">${uf}</span> ${nome}</a></th><td class="autorizador suave">${
    autorizadorDe(doc, uf).nome
  }</td><td class="agora">${seloDaSituacao(situacao)}</td><td class="num tempo">${
    situacao.status_avg > 0 && formatSegundos(situacao.status_avg)
  }</td><td class="historia">${faixaDosDias(vista, days, nome)}</td><td class="num parte">${textoDaParte(days)}</td></tr>`
}

/** The strip of an authorizer's days, with the same in words. */
export function faixaDosDias(
  { calendario }: Vista,
  days: readonly (DiaVisto | undefined)[],
  nome: string,
): Html {
  const shown = days.map((day, at): Dia => ({ dia: calendario[at] ?? '', parte: disponibilidade([day]) }))
  const ruins = shown.filter(({ parte }) => parte !== undefined && parte < BOM).length
  return faixaDeDias(shown, `${nome}: ${textoDaParte(days)} em 90 dias, ${ruins} com falhas`)
}

/** `99,94%`, or a dash where nobody asked. */
export function textoDaParte(days: readonly (DiaVisto | undefined)[]): string {
  const share = disponibilidade(days)
  return share === undefined ? '–' : formatParte(share)
}
