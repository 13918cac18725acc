import { dataBrasileira } from '../documento/dia.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { ocorrencias } from './laudo-partes.ts'
import type { Laudo, Suspeita } from './rules-laudo.ts'

const daBase: Readonly<Record<Laudo['regras']['base'], string>> = {
  protocolo: 'o dia do protocolo',
  emissao: 'o dia da emissão',
  hoje: 'hoje',
}

/** By the rules of which day and environment the note was judged. */
export const regrasDoDia = ({ regras: { dia, ambiente, base } }: Laudo): Html =>
  html`<p class="suave">Conferida pelas regras de ${dataBrasileira(dia)} (${daBase[base]}), em ${ambiente === 'producao' ? 'produção' : 'homologação'}.</p>`

const lista = (suspeitas: readonly Suspeita[], prefixo: string): Html =>
  html`${suspeitas.map(({ codigo, titulo, url_blog, ocorrencias: places }) => html`<h3><a href="${url(prefixo + url_blog)}">${codigo}: ${titulo}</a></h3>${ocorrencias(places)}`)}`

/** What rules that began after the day of the note would say of it now; nothing where there are none. */
export const cartaoDeHoje = ({ se_transmitida_hoje }: Laudo, prefixo: string): Html | false =>
  se_transmitida_hoje.length > 0 &&
  cartao(
    {
      titulo: 'Se fosse transmitida hoje',
      id: 'hoje',
      lado: html`<span class="suave">regras que começaram depois do dia da nota</span>`,
    },
    lista(se_transmitida_hoje, prefixo),
  )

/** What contradicts the authorization of a note; nothing where nothing does. */
export const cartaoDasDivergencias = ({ divergencias }: Laudo, prefixo: string): Html | false =>
  divergencias.length > 0 &&
  cartao(
    {
      titulo: 'Regra posterior, ou diferença nossa',
      id: 'divergencias',
      lado: html`<span class="suave">a SEFAZ autorizou a nota assim: não há o que corrigir</span>`,
    },
    lista(divergencias, prefixo),
  )
