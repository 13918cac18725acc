import { endpointsConhecidos, nomeDoEndpoint } from '../../painel/consultas.ts'
import { errorCodes } from '../errors.ts'
import { textoEnviado } from './enviado.ts'
import { type Content, type Html, html, url } from './web-html.ts'

/** A choice: its value, and what people read. */
export type OpcaoDeFiltro = readonly [valor: string, texto: string]

/** A list to choose one of, all of them where nothing is chosen. */
export const selecao = (
  { nome, rotulo, todas }: { nome: string; rotulo: string; todas: string },
  opcoes: readonly OpcaoDeFiltro[],
  valor: string | undefined,
): Html =>
  html`<div><label for="${nome}">${rotulo}</label><select id="${nome}" name="${nome}">${[
    opcao(['', todas], valor === undefined),
    ...opcoes.map((one) => opcao(one, one[0] === valor)),
  ]}</select></div>`

const opcao = ([valor, texto]: OpcaoDeFiltro, isChosen: boolean): Html =>
  isChosen
    ? html`<option value="${valor}" selected="">${texto}</option>`
    : html`<option value="${valor}">${texto}</option>`

/** A field for a day, between two others where they are given. */
export const campoDeDia = (
  { nome, rotulo, min, max }: { nome: string; rotulo: string; min: string; max: string },
  valor: string | undefined,
): Html =>
  html`<div><label for="${nome}">${rotulo}</label><input id="${nome}" name="${nome}" type="date" min="${min}" max="${max}" value="${valor ?? ''}"/></div>`

/** A form that asks by its address, with a way back to all. */
export const formularioDeFiltros = (endereco: string, campos: Content): Html =>
  html`<form class="filtros cartao sem-papel" method="get" action="${url(endereco)}" aria-label="Filtros">${campos}<div class="acoes"><button class="botao" type="submit">Filtrar</button><a href="${url(endereco)}">Limpar</a></div></form>`

/** What was wrong with what was asked, in words; nothing where nothing was. */
export const avisoDeProblemas = (problemas: readonly string[]): Content =>
  problemas.length > 0 &&
  html`<div class="faixa-aviso lento" role="status"><div>${problemas.map((one) => html`<p>${one}</p>`)}</div></div>`

/** The endpoints to choose from, by their names. */
export const opcoesDeEndpoint: readonly OpcaoDeFiltro[] = endpointsConhecidos.map(
  (path): OpcaoDeFiltro => [path, nomeDoEndpoint(path)],
)

const tipos: readonly OpcaoDeFiltro[] = [
  ['entregues', 'Entregues'],
  ['falhas', 'Falhas'],
  ['interrompidas', 'Interrompidas pelo cliente'],
]

const codigos = Object.keys(errorCodes)
  .sort()
  .map((code): OpcaoDeFiltro => [code, code])

/** What a call may have come to: a kind, then each code of a failure. */
export const opcoesDeDesfecho: readonly OpcaoDeFiltro[] = [...tipos, ...codigos]

/** The value of a filter; undefined where it is none of the choices, or was not sent. */
export function escolhida(
  query: unknown,
  nome: string,
  opcoes: readonly OpcaoDeFiltro[],
): string | undefined {
  const given = textoDe(query, nome)
  return opcoes.find(([valor]) => valor === given)?.[0]
}

/** What a query says under a name, without spaces around it; empty where it says nothing. */
export const textoDe = (query: unknown, nome: string): string => textoEnviado(query, nome).trim()
