import { createHmac, randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isUf, unidades } from '../../documento/uf.ts'
import { ApiError } from '../../platform/errors.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { campoDe } from '../../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import {
  type CampoDaConsulta,
  type ConsultaDaApi,
  MAIOR_VALOR,
  type PedidoDaPagina,
  type Valores,
} from './consulta.ts'

export type Formulario = {
  consulta: ConsultaDaApi
  valores: Valores
  endereco: string
  campoCsrf: Content
  /** The documents that each field suggests, by the field's name. */
  sugestoes: ReadonlyMap<string, readonly string[]>
  restantes: number
}

export function drawFormulario(dados: Formulario): Html {
  const { consulta, endereco, campoCsrf } = dados
  const ordem = consulta.campos.toSorted((one, other) => Number(isMarca(one)) - Number(isMarca(other)))
  const campos = ordem.map((campo) => drawCampo(campo, dados))
  return html`<section class="cartao" aria-labelledby="consultar"><header><h2 id="consultar">Consultar</h2></header><form class="consulta" method="post" action="${url(endereco)}" enctype="${hasArquivo(consulta) ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}" data-parte="${consulta.parte ?? ''}">${campoCsrf}${hasArquivo(consulta) && html`<input type="hidden" name="formulario" value="${randomUUID()}"/>`}${campos}${precoDe(dados)}<p><button class="botao" type="submit">Consultar</button></p></form></section>`
}

const precoDe = ({ consulta, restantes }: Pick<Formulario, 'consulta' | 'restantes'>): Html =>
  html`<p class="preco"><b>Custo:</b> ${consulta.custo}${
    consulta.custo !== 'Não custa créditos.' &&
    html` <span class="suave">A conta tem ${countOf(restantes, 'crédito', 'créditos')}.</span>`
  }</p>`

const hasArquivo = ({ campos }: Pick<ConsultaDaApi, 'campos'>): boolean =>
  campos.some(({ tipo }) => tipo === 'arquivo')

const isMarca = ({ tipo }: CampoDaConsulta): boolean => tipo === 'marca'

function drawCampo(
  campo: CampoDaConsulta,
  { consulta, valores, sugestoes }: Pick<Formulario, 'consulta' | 'valores' | 'sugestoes'>,
): Html {
  const { nome } = campo
  const dica = campo.tipo === 'arquivo' ? DICA_DO_ARQUIVO : campo.dica
  const id = `campo-${nome}`
  const value = valores[nome] ?? ''
  if (isMarca(campo)) return drawMarca(campo, value === 'true')
  const known = sugestoes.get(nome) ?? []
  const control = campo.tipo === 'lista' ? drawLista(campo, value) : drawTexto(campo, value, known.length > 0)
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

function drawLista({ nome, opcoes, obrigatorio, padrao }: CampoDaConsulta, value: string): Html {
  const chosen = value === '' ? padrao : value
  const option = (one: string): Html =>
    one === chosen
      ? html`<option value="${one}" selected="">${nomeDaOpcao(one)}</option>`
      : html`<option value="${one}">${nomeDaOpcao(one)}</option>`
  return html`<select id="campo-${nome}" name="${nome}" aria-describedby="campo-${nome}-dica">${(!obrigatorio || chosen === '') && html`<option value="">Escolha</option>`}${opcoes.map(option)}</select>`
}

const nomeDaOpcao = (one: string): string => (isUf(one) ? `${one} · ${unidades[one].nome}` : one)

const MAIOR_SENHA = 200

function drawTexto(campo: CampoDaConsulta, value: string, hasList: boolean): Html {
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

function drawMarca({ nome, rotulo, dica, onde }: CampoDaConsulta, isOn: boolean): Html {
  const id = `campo-${nome}`
  const box = isOn
    ? html`<input type="checkbox" id="${id}" name="${nome}" value="true" checked=""/>`
    : html`<input type="checkbox" id="${id}" name="${nome}" value="true"/>`
  const words = html`<p class="suave">${dica}</p>`
  return html`<div class="campo"><label for="${id}">${box} ${rotulo}</label>${
    onde === 'header' ? html`<details><summary>O que isto faz</summary>${words}</details>` : words
  }</div>`
}

/** An A1 file has 3 to 12 KiB, with a long chain 20. */
const MAIOR_CERTIFICADO = 64 * 1024

/** The whole form: the file, its few fields, and what the browser puts around them. */
const MAIOR_FORMULARIO_DA_NOTA = 80 * 1024

/** In memory alone. A form with a second file or many fields is refused before it is read to its end. */
export async function readFormulariosDaNota(scope: FastifyInstance): Promise<void> {
  const reading = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', refuseLarge)
  scope.addHook('preValidation', (request, _reply, done) => {
    reading.add(request)
    done()
  })
  await scope.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: {
      files: 1,
      fileSize: MAIOR_CERTIFICADO,
      fields: 8,
      parts: 9,
      fieldNameSize: 50,
      fieldSize: 1_024,
      headerPairs: 10,
    },
  })
  scope.addHook('preValidation', (request, _reply, done) => {
    reading.delete(request)
    done()
  })
  // Of a body that is no form the parser throws errors without a code; the next handler tells them.
  scope.setErrorHandler((error, request) => {
    throw reading.has(request) && !('code' in Object(error)) ? ilegivel : error
  })
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido até o fim. Envie-o de novo pela página.',
)

/** A browser says how long a form is. */
const refuseLarge: onRequestHookHandler = ({ method, headers }, _reply, done) => {
  if (method !== 'POST') return done()
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length <= MAIOR_FORMULARIO_DA_NOTA) return done()
  done(
    new ApiError(
      Number.isNaN(length) ? 'CORPO_INVALIDO' : 'CORPO_MUITO_GRANDE',
      'O formulário pode ter no máximo 80 KiB, e o certificado, 64 KiB. Envie só o arquivo .pfx ou .p12.',
    ),
  )
}

/** Takes certificate and password off the request: no log and no error must find them there. */
export function withCertificado(pedido: PedidoDaPagina, request: FastifyRequest): PedidoDaPagina {
  const file: unknown = Reflect.get(Object(request.body), 'certificado')
  const certificado = Buffer.isBuffer(file) ? file.toString('base64') : ''
  const senha = campoDe(request, 'senha').slice(0, MAIOR_SENHA)
  if (Buffer.isBuffer(file)) file.fill(0)
  request.body = undefined
  return { ...pedido, corpo: { ...pedido.corpo, certificado, senha } }
}

/** A page that is loaded again sends no second event and costs nothing: `formulario` is the form's own. */
export const chaveDeRepeticao = ({ corpo }: PedidoDaPagina, formulario: string): string =>
  createHmac('sha256', formulario).update(JSON.stringify(corpo)).digest('base64url')
