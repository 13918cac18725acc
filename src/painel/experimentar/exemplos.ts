import { operacoes } from '@consulta-fiscal/cliente'
import { type Html, html, url } from '../../platform/pages/html.ts'
import { membro, type Parametro, type PedidoDaPagina, texto, type Valores } from './consulta.ts'

export type Exemplo = {
  endpoint: string
  valores: Valores
  nota: string
  /** What comes of it in one word: a code, the status of a certificate, or nothing for a plain answer. */
  espera: string
  http: number
  /** The name of the test certificate that it wants, and its password. */
  certificado: string
  senha: string
}

/** Reads an entry of the simulator's list; undefined for what is none. */
export function readExemplo(entrada: unknown): Exemplo | undefined {
  const endpoint = texto(membro(entrada, 'endpoint'))
  const envio = membro(entrada, 'envio')
  const sent = { ...Object(membro(entrada, 'parametros')), ...Object(membro(envio, 'corpo')) }
  const espera = membro(entrada, 'espera')
  if (endpoint === '') return undefined
  return {
    endpoint,
    valores: Object.fromEntries(Object.entries(sent).map(([nome, value]) => [nome, String(value)])),
    nota: texto(membro(entrada, 'nota')),
    espera:
      texto(membro(espera, 'error_code')) ||
      texto(membro(espera, 'source_error')) ||
      texto(membro(espera, 'status')),
    http: Number(membro(espera, 'http')),
    certificado: texto(membro(envio, 'certificado')),
    senha: texto(membro(envio, 'senha')),
  }
}

const A_VISTA = 6
const MAIS = 60

const BOAS = 3

/** Some good answers, then one of each other outcome: who tries wants to see what differs. */
function choose(exemplos: readonly Exemplo[]): readonly Exemplo[] {
  const seen = new Set<string>()
  const good = exemplos.filter(({ http }) => http === 200).slice(0, BOAS)
  const others = exemplos.filter(({ espera, http }) => {
    const kind = `${http} ${espera}`
    return espera !== '' && !seen.has(kind) && seen.add(kind)
  })
  return [...new Set([...good, ...others, ...exemplos])]
}

/** Links that fill the form in; nothing is asked and nothing is spent by them. */
export function drawExemplos(exemplos: readonly Exemplo[], endereco: string): Html | false {
  if (exemplos.length === 0) return false
  const chosen = choose(exemplos)
  const rest = chosen.slice(A_VISTA, MAIS)
  return html`<section class="cartao exemplos" aria-labelledby="exemplos"><header><h2 id="exemplos">Documentos do simulador</h2></header><p class="suave">Fictícios, e cada um responde de um jeito. Um toque preenche o formulário; nada é consultado ainda.</p>${drawLista(chosen.slice(0, A_VISTA), endereco)}${
    rest.length > 0 &&
    html`<details><summary>Mais ${rest.length} para experimentar</summary>${drawLista(rest, endereco)}</details>`
  }</section>`
}

const drawLista = (exemplos: readonly Exemplo[], endereco: string): Html =>
  html`<ul>${exemplos.map(
    ({ valores, nota, espera }) =>
      html`<li><a href="${url(`${endereco}?${new URLSearchParams(valores)}#consultar`)}">${nota || Object.values(valores).join(' ')}</a>${
        espera !== '' && html` <span class="suave">${espera}</span>`
      }</li>`,
  )}</ul>`

type NotaDeTeste = {
  chave: string
  senha: string
  endereco: string
  arquivo: string
}

export const drawNotaDeTeste = ({ chave, senha, endereco, arquivo }: NotaDeTeste): Html =>
  html`<section class="cartao exemplos" aria-labelledby="teste"><header><h2 id="teste">Para experimentar sem um certificado</h2></header><ol class="como-testar"><li><a href="${url(`${endereco}?chave=${encodeURIComponent(chave)}#consultar`)}">Preencher a chave da nota fictícia</a></li><li><a href="${url(arquivo)}" download="">Baixar o certificado de teste</a>, e escolhê-lo no formulário</li><li>A senha dele: <code>${senha}</code></li></ol><p class="suave">São do simulador: não valem em lugar nenhum.</p></section>`

/** Writes a call in one language, without the key. `servico` is the address of the API. */
type Linguagem = { nome: string; write: (pedido: PedidoDaPagina, servico: string) => string }

/** The languages of the samples, by the id of their place on the page. */
export const linguagens: Readonly<Record<string, Linguagem>> = {
  curl: { nome: 'curl', write: curlDe },
  typescript: { nome: 'TypeScript', write: typescriptDe },
}

export type AmostraDeCodigo = Readonly<Record<string, string>>

/** Writes the call in every language, each with the parameters that the page itself sends. */
export const writeCodigo = (pedido: PedidoDaPagina, servico: string): AmostraDeCodigo =>
  Object.fromEntries(Object.entries(linguagens).map(([id, { write }]) => [id, write(pedido, servico)]))

const emAspas = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What the page must not show, as each language reads it from where the reader keeps it. */
const isEscondido = ({ tipo }: Parametro): boolean => tipo === 'arquivo' || tipo === 'senha'

function curlDe(pedido: PedidoDaPagina, servico: string): string {
  const { metodo, endereco, cabecalhos, parametros } = pedido
  const lines = [`curl -s ${emAspas(servico + endereco)}`, '-H "X-API-Key: $CHAVE"']
  for (const [nome, value] of Object.entries(cabecalhos)) lines.push(`-H ${emAspas(`${nome}: ${value}`)}`)
  if (metodo === 'GET') return lines.join(' \\\n  ')
  const corpo = parametros.filter(({ onde }) => onde === 'body')
  const escondidos = corpo.filter(isEscondido)
  const shown = corpo.filter((one) => !isEscondido(one)).map(({ nome, valor }) => [nome, valor])
  const body = JSON.stringify(Object.fromEntries(shown)).slice(1, -1)
  const format = `{${[...escondidos.map(({ nome }) => `"${nome}":"%s"`), '%s'].join(',')}}`
  const values = escondidos.map(({ tipo }) =>
    tipo === 'arquivo' ? '"$(base64 -w0 certificado.pfx)"' : '"$SENHA"',
  )
  lines.push(`-H 'Content-Type: application/json'`, `-H "Idempotency-Key: $(uuidgen)"`, '--data-binary @-')
  return `printf ${[emAspas(format), ...values, emAspas(body)].join(' ')} | \\\n${lines.join(' \\\n  ')}`
}

function typescriptDe(pedido: PedidoDaPagina, servico: string): string {
  const { id, parametros, cabecalhos } = pedido
  const asked = parametros.map((one) => `${one.nome}: ${valorDe(one)}`)
  const semGuardada = 'cache-control' in cabecalhos && "{ cacheControl: 'no-cache' }"
  const first = asked.length > 0 ? `{ ${asked.join(', ')} }` : semGuardada && '{}'
  return [
    ...(parametros.some(({ tipo }) => tipo === 'arquivo') ? ["import { readFileSync } from 'node:fs'"] : []),
    "import { criarCliente } from '@consulta-fiscal/cliente'",
    '',
    `const fiscal = criarCliente({ endereco: ${JSON.stringify(servico)}, chave: process.env.CHAVE ?? '' })`,
    `const resposta = await fiscal.${metodos.get(id) ?? id}(${[first, semGuardada].filter(Boolean).join(', ')})`,
  ].join('\n')
}

function valorDe({ tipo, onde, valor }: Parametro): string {
  if (tipo === 'arquivo') return "readFileSync('certificado.pfx').toString('base64')"
  if (tipo === 'senha') return "process.env.SENHA ?? ''"
  // A number that its own text would not give back, as one that starts with 0, is another value.
  const isNumero = (tipo === 'numero' || onde === 'path') && /^(0|[1-9]\d{0,8})$/.test(String(valor))
  return isNumero ? String(valor) : JSON.stringify(valor)
}

const metodos: ReadonlyMap<string, string> = new Map(
  Object.entries(operacoes).map(([metodo, { id }]) => [id, metodo]),
)

export const blocoDeCodigo = (codigo: AmostraDeCodigo): Html =>
  html`<section class="cartao" aria-labelledby="codigo"><header><h2 id="codigo">A mesma consulta, no seu programa</h2></header>
<div class="amostras">${Object.entries(linguagens).map(
    ([id, { nome }]) =>
      html`<div><h3>${nome}</h3><pre class="trecho-de-codigo" id="${id}" tabindex="0" role="region" aria-label="${nome}"><code>${codigo[id] ?? ''}</code></pre></div>`,
  )}</div>
<p class="suave"><code>$CHAVE</code> é a chave de API da sua conta; a página não a mostra.</p></section>`
