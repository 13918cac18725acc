import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCodes, sourceCodes } from '../errors.ts'
import { type Content, type Html, html, url } from './html.ts'

/** Reads forms of text, of so many octets at most: each field by its name, the last of several. */
export function readTextos(app: FastifyInstance, bodyLimit: number): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

export const campoDe = ({ body }: Pick<FastifyRequest, 'body'>, nome: string): string =>
  textoEnviado(body, nome)

/** The text of a part of the query; empty where it was not sent, or sent twice. */
export const parametroDe = ({ query }: Pick<FastifyRequest, 'query'>, nome: string): string =>
  textoEnviado(query, nome)

function textoEnviado(enviado: unknown, nome: string): string {
  const value: unknown = Object.hasOwn(Object(enviado), nome) ? Reflect.get(Object(enviado), nome) : ''
  return typeof value === 'string' ? value : ''
}

export type CampoDoFormulario = {
  nome: string
  rotulo: string
  tipo: 'email' | 'password' | 'text'
  autocomplete: 'current-password' | 'name' | 'new-password' | 'off' | 'username'
  maior: number
  menor?: number
  dica?: Content
  valor?: string
}

/** What is wrong with a form that was sent: a sentence for each field, and one for the whole under ''. */
export type Falhas = Readonly<Record<string, string>>

export function avisoDasFalhas(falhas: Falhas): Content {
  const { '': geral, ...campos } = falhas
  const nomes = Object.keys(campos)
  if (geral === undefined && nomes.length === 0) return undefined
  return html`<div class="faixa-aviso ruim" id="falha" role="alert"><div>${geral !== undefined && html`<p>${geral}</p>`}${
    nomes.length > 0 && html`<p>Confira o que está marcado abaixo.</p>`
  }</div></div>`
}

/**
 * The first wrong one has the focus, or the last where the whole is wrong: a reader hears why. On a page that
 * is there for its form, `isAberta`, what nobody has filled yet has it.
 */
export function campos(all: readonly CampoDoFormulario[], falhas: Falhas = {}, isAberta = false): Html {
  const wrong = all.find(({ nome }) => falhas[nome] !== undefined)
  const first = isAberta ? all.find(({ valor = '' }) => valor === '') : undefined
  const marked = wrong ?? (falhas[''] === undefined ? first : all.at(-1))
  const marca = Object.keys(falhas).length > 0 ? 'falha' : 'foco'
  return html`${all.map((one) => campo(one, falhas[one.nome], one === marked ? marca : undefined))}`
}

type Marca = 'foco' | 'falha' | undefined

function campo(one: CampoDoFormulario, falha: string | undefined, marca: Marca): Html {
  const { nome, rotulo, dica } = one
  return html`<div class="campo"><label for="${nome}">${rotulo}</label>${
    dica !== undefined && html`<p class="suave" id="${nome}-dica">${dica}</p>`
  }${marca ? entradaMarcada(one, falha, marca) : entrada(one, falha)}<p class="falha" id="${nome}-falha">${falha}</p></div>`
}

const entrada = (one: CampoDoFormulario, falha: string | undefined): Html =>
  html`<input id="${one.nome}" name="${one.nome}" type="${one.tipo}" value="${one.valor}" autocomplete="${one.autocomplete}" autocapitalize="${capitalsOf(one)}" spellcheck="false" required="" minlength="${one.menor ?? 0}" maxlength="${one.maior}" aria-invalid="${falha === undefined ? 'false' : 'true'}" aria-describedby="${describedBy(one)}"/>`

const entradaMarcada = (one: CampoDoFormulario, falha: string | undefined, marca: Marca): Html =>
  html`<input autofocus="" id="${one.nome}" name="${one.nome}" type="${one.tipo}" value="${one.valor}" autocomplete="${one.autocomplete}" autocapitalize="${capitalsOf(one)}" spellcheck="false" required="" minlength="${one.menor ?? 0}" maxlength="${one.maior}" aria-invalid="${falha === undefined ? 'false' : 'true'}" aria-describedby="${describedBy(one, marca)}"/>`

const capitalsOf = ({ autocomplete }: CampoDoFormulario): string =>
  autocomplete === 'name' ? 'words' : 'none'

const describedBy = ({ nome, dica }: CampoDoFormulario, marca?: Marca): string =>
  [marca === 'falha' && 'falha', dica !== undefined && `${nome}-dica`, `${nome}-falha`]
    .filter(Boolean)
    .join(' ')

export type OpcaoDeFiltro = readonly [valor: string, texto: string]

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

export const campoDeDia = (
  { nome, rotulo, min, max }: { nome: string; rotulo: string; min: string; max: string },
  valor: string | undefined,
): Html =>
  html`<div><label for="${nome}">${rotulo}</label><input id="${nome}" name="${nome}" type="date" min="${min}" max="${max}" value="${valor ?? ''}"/></div>`

/** On a phone a button opens it, which needs no script. */
export const formularioDeFiltros = (endereco: string, campos: Content, isFiltered = false): Html =>
  html`<details class="abre-filtros sem-papel"><summary>${isFiltered ? 'Filtros em uso' : 'Filtrar'}</summary></details><form class="filtros cartao sem-papel" method="get" action="${url(endereco)}" aria-label="Filtros">${campos}<div class="acoes"><button class="botao" type="submit">Filtrar</button>${isFiltered && html`<a href="${url(endereco)}">Limpar</a>`}</div></form>`

export const avisoDeProblemas = (problemas: readonly string[]): Content =>
  problemas.length > 0 &&
  html`<div class="faixa-aviso lento" role="status"><div>${problemas.map((one) => html`<p>${one}</p>`)}</div></div>`

const tipos: readonly OpcaoDeFiltro[] = [
  ['entregues', 'Respondidas'],
  ['falhas', 'Falhas'],
  ['interrompidas', 'Interrompidas pelo cliente'],
]

const nomeados = Object.entries<{ title: string }>({ ...errorCodes, ...sourceCodes })

/** By their names; two codes of one name stand beside it. */
const codigos = nomeados
  .map(([code, { title }]): OpcaoDeFiltro => {
    const isOne = nomeados.filter(([, other]) => other.title === title).length === 1
    return [code, isOne ? title : `${title} (${code})`]
  })
  .sort(([, a], [, b]) => (a < b ? -1 : 1))

export const opcoesDeDesfecho: readonly OpcaoDeFiltro[] = [...tipos, ...codigos]

export function escolhida(
  query: unknown,
  nome: string,
  opcoes: readonly OpcaoDeFiltro[],
): string | undefined {
  const given = textoDe(query, nome)
  return opcoes.find(([valor]) => valor === given)?.[0]
}

export const textoDe = (query: unknown, nome: string): string => textoEnviado(query, nome).trim()
