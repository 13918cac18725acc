import {
  type Lingua,
  ORDEM,
  type PecaDaAmostra,
  type PedidoDaAmostra,
  writeAmostras,
  writeTypescript,
} from '../../platform/pages/amostras.ts'
import { blocosDe, drawAbas } from '../../platform/pages/codigo.ts'
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

export type AmostraDeCodigo = Readonly<Partial<Record<Lingua, string | undefined>>>

/** Writes the call in every language, each with the parameters that the page itself sends. */
export const writeCodigo = (pedido: PedidoDaPagina, servico: string): AmostraDeCodigo => ({
  ...writeAmostras(pedidoDaAmostra(pedido, servico)),
  ts: writeTypescript({
    id: pedido.id,
    servico,
    parametros: pedido.parametros.map((one) => [one.nome, expressaoDe(one)]),
    semGuardada: 'cache-control' in pedido.cabecalhos,
  }),
})

function pedidoDaAmostra(pedido: PedidoDaPagina, servico: string): PedidoDaAmostra {
  const { metodo, endereco, cabecalhos, parametros } = pedido
  const corpo = parametros.filter(({ onde }) => onde === 'body')
  const own: PedidoDaAmostra['cabecalhos'] = [
    ['X-API-Key', [{ variavel: 'CHAVE' }]],
    ...Object.entries(cabecalhos).map(([nome, valor]) => [nome, [valor]] as const),
  ]
  if (metodo === 'GET') return { endereco: servico + endereco, cabecalhos: own }
  return {
    endereco: servico + endereco,
    cabecalhos: [...own, ['Idempotency-Key', [{ novo: 'uuid' }]]],
    corpo: corpo.map((one) => [one.nome, valorDe(one)]),
  }
}

/** What the page must not show each language reads from where the reader keeps it. */
function valorDe({ tipo, valor }: Parametro): readonly PecaDaAmostra[] | boolean {
  if (tipo === 'arquivo') return [{ base64: 'certificado.pfx' }]
  if (tipo === 'senha') return [{ variavel: 'SENHA' }]
  return typeof valor === 'boolean' ? valor : [valor]
}

function expressaoDe({ tipo, onde, valor }: Parametro): string {
  if (tipo === 'arquivo') return "readFileSync('certificado.pfx').toString('base64')"
  if (tipo === 'senha') return "process.env.SENHA ?? ''"
  // A number that its own text would not give back, as one that starts with 0, is another value.
  const isNumero = (tipo === 'numero' || onde === 'path') && /^(0|[1-9]\d{0,8})$/.test(String(valor))
  return isNumero ? String(valor) : JSON.stringify(valor)
}

const VAZIAS: AmostraDeCodigo = Object.fromEntries(ORDEM.map((lingua) => [lingua, '']))

/** The samples of a call; without one, the places that the module of the page fills in. */
export const blocoDeCodigo = (codigo?: AmostraDeCodigo): Html =>
  html`<section class="cartao" aria-labelledby="codigo"><header><h2 id="codigo">A mesma consulta, no seu programa</h2></header>
${drawAbas(
  blocosDe(codigo ?? VAZIAS, (lingua) => lingua),
  'lingua',
)}<p class="suave"><code>CHAVE</code> é a variável com a chave de API da sua conta; a página não a mostra.</p></section>`
