import {
  type Lingua,
  linguas,
  ORDEM,
  type PecaDaAmostra,
  type PedidoDaAmostra,
  writeAmostras,
  writeTypescript,
} from '../../platform/pages/amostras.ts'
import { blocosDe, drawAbas } from '../../platform/pages/codigo.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { highlightJson } from './json.ts'
import type { Parametro, PedidoDaPagina } from './perguntas.ts'

type AmostraDeCodigo = Readonly<Partial<Record<Lingua, string | undefined>>>

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

function expressaoDe({ tipo, valor }: Parametro): string {
  if (tipo === 'arquivo') return "readFileSync('certificado.pfx').toString('base64')"
  if (tipo === 'senha') return "process.env.SENHA ?? ''"
  return JSON.stringify(valor)
}

/** What a programmer wants of an answer, in a fold: the call in his language, and the JSON. */
export const drawParaProgramadores = (codigo: AmostraDeCodigo, corpo: unknown): Html =>
  html`<details class="cartao programadores"><summary><h2>Para programadores</h2> <span class="suave">${ORDEM.map(
    (lingua) => linguas[lingua],
  ).join(' · ')} · JSON</span></summary><div class="amostras"><div>${drawAbas(
    blocosDe(codigo, (lingua) => lingua),
    'lingua',
  )}</div><p class="suave"><code>CHAVE</code> é a variável com a chave de API da sua conta; a página não a mostra.</p><div><h3>A resposta em JSON</h3>${highlightJson(corpo)}</div></div></details>`
