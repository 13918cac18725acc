import type { Apresentacao, Fato, Tom, ValidadeDaResposta } from '../../platform/pages/apresentacao.ts'
import { type Content, type Html, html } from '../../platform/pages/html.ts'
import { type EntregaDoArquivo, writeAgenda } from './papeis.ts'
import type { Feita } from './respondida.ts'

/** How long an answer is kept, and what its page is called then. */
type Guarda = {
  ate: Date
  /** The address of the answer, in which its files stand. */
  base: string
  preco: string
}

export type NaPagina = {
  feita: Feita
  dita: Apresentacao
  agora: Date
  restantes: number
  prefixo: string
  campoCsrf: Content
  entrega: EntregaDoArquivo
  /** Undefined where the account keeps no answers. */
  guarda: Guarda | undefined
  /** Why an answer is not kept that should be. */
  grande: boolean
  /** What asking the states that failed costs, each by itself; empty where none may be asked alone. */
  precoDoEstado: string
}

/** `1.200,5718 ha`, `R$ 10,00`, `6422-1/00`, `00.000.000/0001-91`: it stays on its line. */
const INTEIRO = /^(?:R\$\s)?(?=\S*\d)[\dA-Z.,/-]+(?: \S+)?$/

export const classeDoValor = (valor: Content): string =>
  typeof valor === 'string' && INTEIRO.test(valor) ? 'quanto' : ''

/** What half of a phone has no room for: a line that does not break, or more than two. A small one breaks. */
function isLargo(valor: Content): boolean {
  const dito = String(html`${valor}`)
  const isInteiro = classeDoValor(valor) !== '' || dito.includes('class="inteira"')
  return dito.replace(/<small>.*?<\/small>|<[^>]*>/g, '').length > (isInteiro ? 18 : 27)
}

export const drawFato = ({ rotulo, valor }: Fato): Html =>
  html`<div class="${isLargo(valor) ? 'largo' : ''}"><dt>${rotulo}</dt><dd class="${classeDoValor(valor)}">${valor}</dd></div>`

export const drawFatos = (fatos: readonly Fato[]): Html => html`<dl class="dados">${fatos.map(drawFato)}</dl>`

const classes: Readonly<Record<Tom, string>> = {
  bom: 'bom',
  nota: 'nota',
  lento: 'lento',
  ruim: 'ruim',
  neutro: '',
}

export const drawSelo = ({ tom, palavra }: { tom: Tom; palavra: string }): Html =>
  html`<span class="selo ${classes[tom]}">${palavra}</span>`

export const botaoDaAgenda = (
  validade: ValidadeDaResposta,
  { parte, feita, agora, entrega }: { parte: string } & Pick<NaPagina, 'feita' | 'agora' | 'entrega'>,
): Content =>
  entrega(
    {
      tipo: 'ics',
      parte,
      nome: `vence-${validade.dia}.ics`,
      read: () => writeAgenda(validade, { uid: uidDe(feita, parte), agora }),
    },
    { rotulo: html`Pôr no calendário (.ics)<span class="so-leitor"> ${parte}</span>`, classe: 'discreto' },
  )

export const uidDe = ({ respondida }: Feita, parte: string): string =>
  `${respondida.request_id}${parte}@consulta-fiscal`
