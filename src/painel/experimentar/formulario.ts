import { randomUUID } from 'node:crypto'
import { isUf, unidades } from '../../documento/uf.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import type { CampoDaConsulta, ConsultaDaApi } from './consulta.ts'
import { MAIOR_VALOR, type Valores } from './pedido.ts'

/** What a form is drawn with. */
export type Formulario = {
  consulta: ConsultaDaApi
  valores: Valores
  /** Where it is sent. */
  endereco: string
  campoCsrf: Content
  /** The documents that each field suggests, by the field's name. */
  sugestoes: ReadonlyMap<string, readonly string[]>
  /** The credits that the account has left. */
  restantes: number
}

/** The form of a lookup, with a field for each parameter of the OpenAPI document. */
export function escreverFormulario(dados: Formulario): Html {
  const { consulta, endereco, campoCsrf } = dados
  const ordem = consulta.campos.toSorted((one, other) => Number(isMarca(one)) - Number(isMarca(other)))
  const campos = ordem.map((campo) => escreverCampo(campo, dados))
  return html`<section class="cartao" aria-labelledby="consultar"><header><h2 id="consultar">Consultar</h2></header><form class="consulta" method="post" action="${url(endereco)}" enctype="${temArquivo(consulta) ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}" data-parte="${consulta.parte ?? ''}">${campoCsrf}${temArquivo(consulta) && html`<input type="hidden" name="formulario" value="${randomUUID()}"/>`}${campos}${precoDe(dados)}<p><button class="botao" type="submit">Consultar</button></p></form></section>`
}

/** What the call costs, before it is made. */
const precoDe = ({ consulta, restantes }: Pick<Formulario, 'consulta' | 'restantes'>): Html =>
  html`<p class="preco"><b>Custo:</b> ${consulta.custo}${
    consulta.custo !== 'Não custa créditos.' &&
    html` <span class="suave">A conta tem ${countOf(restantes, 'crédito', 'créditos')}.</span>`
  }</p>`

/** Whether the form sends a file. */
const temArquivo = ({ campos }: Pick<ConsultaDaApi, 'campos'>): boolean =>
  campos.some(({ tipo }) => tipo === 'arquivo')

const isMarca = ({ tipo }: CampoDaConsulta): boolean => tipo === 'marca'

function escreverCampo(
  campo: CampoDaConsulta,
  { consulta, valores, sugestoes }: Pick<Formulario, 'consulta' | 'valores' | 'sugestoes'>,
): Html {
  const { nome } = campo
  const dica = campo.tipo === 'arquivo' ? DICA_DO_ARQUIVO : campo.dica
  const id = `campo-${nome}`
  const value = valores[nome] ?? ''
  if (isMarca(campo)) return escreverMarca(campo, value === 'true')
  const known = sugestoes.get(nome) ?? []
  const control =
    campo.tipo === 'lista' ? escreverLista(campo, value) : escreverTexto(campo, value, known.length > 0)
  return html`<div class="campo"><label for="${id}">${campo.rotulo}${ressalvaDe(campo, consulta)}</label>${control}${
    known.length > 0 &&
    html`<datalist id="${id}-sugestoes">${known.map((one) => html`<option value="${one}"></option>`)}</datalist>`
  }<p class="suave" id="${id}-dica">${dica}</p></div>`
}

/** A form takes the file itself, where the API takes its text. */
const DICA_DO_ARQUIVO =
  'O certificado (e-CNPJ ou e-CPF), de até 64 KiB. Serve a esta consulta e não é guardado.'

const DOCUMENTOS: ReadonlySet<string> = new Set(['cpf', 'cnpj', 'ie'])

/** Of several documents that may be left out, one is wanted. */
function ressalvaDe({ nome, obrigatorio }: CampoDaConsulta, { campos }: ConsultaDaApi): Html | false {
  if (obrigatorio) return false
  const documentos = campos.filter((one) => DOCUMENTOS.has(one.nome) && !one.obrigatorio)
  const isOneOf = DOCUMENTOS.has(nome) && documentos.length > 1
  return html` <span class="suave">${isOneOf ? '(um deles)' : '(opcional)'}</span>`
}

/** A select for a closed list. A field that may be left out has an empty choice. */
function escreverLista({ nome, opcoes, obrigatorio, padrao }: CampoDaConsulta, value: string): Html {
  const chosen = value === '' ? padrao : value
  const option = (one: string): Html =>
    one === chosen
      ? html`<option value="${one}" selected="">${nomeDaOpcao(one)}</option>`
      : html`<option value="${one}">${nomeDaOpcao(one)}</option>`
  return html`<select id="campo-${nome}" name="${nome}" aria-describedby="campo-${nome}-dica">${(!obrigatorio || chosen === '') && html`<option value="">Escolha</option>`}${opcoes.map(option)}</select>`
}

const nomeDaOpcao = (one: string): string => (isUf(one) ? `${one} · ${unidades[one].nome}` : one)

/** The most characters that a certificate's password has. */
export const MAIOR_SENHA = 200

function escreverTexto(campo: CampoDaConsulta, value: string, hasList: boolean): Html {
  const { nome, tipo, padrao } = campo
  const [id, dica] = [`campo-${nome}`, `campo-${nome}-dica`]
  if (tipo === 'arquivo')
    return html`<input id="${id}" name="${nome}" type="file" accept=".pfx,.p12,application/x-pkcs12" aria-describedby="${dica}"/>`
  if (tipo === 'senha')
    return html`<input id="${id}" name="${nome}" type="password" maxlength="${MAIOR_SENHA}" autocomplete="off" aria-describedby="${dica}"/>`
  const mode = tipo === 'numero' ? 'numeric' : 'text'
  return hasList
    ? html`<input id="${id}" name="${nome}" value="${value}" inputmode="${mode}" maxlength="${MAIOR_VALOR}" autocomplete="off" spellcheck="false" list="${id}-sugestoes" aria-describedby="${dica}"/>`
    : html`<input id="${id}" name="${nome}" value="${value}" inputmode="${mode}" maxlength="${MAIOR_VALOR}" autocomplete="off" spellcheck="false" placeholder="${padrao}" aria-describedby="${dica}"/>`
}

function escreverMarca({ nome, rotulo, dica, onde }: CampoDaConsulta, isOn: boolean): Html {
  const id = `campo-${nome}`
  const box = isOn
    ? html`<input type="checkbox" id="${id}" name="${nome}" value="true" checked=""/>`
    : html`<input type="checkbox" id="${id}" name="${nome}" value="true"/>`
  const words = html`<p class="suave">${dica}</p>`
  return html`<div class="campo"><label for="${id}">${box} ${rotulo}</label>${
    onde === 'header' ? html`<details><summary>O que isto faz</summary>${words}</details>` : words
  }</div>`
}
