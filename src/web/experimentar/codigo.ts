import { operacoes } from '@consulta-fiscal/cliente'
import { type Html, html } from '../html.ts'
import type { ConsultaDaApi } from './consulta.ts'
import type { PedidoDaPagina, Valores } from './pedido.ts'

/** A call as others would make it: by curl, and by our client. The key is never in it. */
export type AmostraDeCodigo = { curl: string; typescript: string }

/** Writes the call of a lookup. `servico` is the address of the API. */
export function escreverCodigo(
  consulta: ConsultaDaApi,
  { pedido, valores, servico }: { pedido: PedidoDaPagina; valores: Valores; servico: string },
): AmostraDeCodigo {
  return { curl: curlDe(pedido, servico), typescript: typescriptDe(consulta, valores, servico) }
}

/** A text between single quotes of the shell. */
const emAspas = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function curlDe({ metodo, endereco, cabecalhos, corpo }: PedidoDaPagina, servico: string): string {
  const lines = [`curl -s ${emAspas(servico + endereco)}`, '-H "X-API-Key: $CHAVE"']
  for (const [nome, value] of Object.entries(cabecalhos)) lines.push(`-H ${emAspas(`${nome}: ${value}`)}`)
  if (metodo === 'GET' || !corpo) return lines.join(' \\\n  ')
  const { chave = '', manifestar, simular, cnpj } = corpo
  const members = { chave, ...(cnpj ? { cnpj } : {}), manifestar, simular }
  const body = JSON.stringify(members).slice(1, -1)
  lines.push(`-H 'Content-Type: application/json'`, `-H "Idempotency-Key: $(uuidgen)"`, '--data-binary @-')
  return `printf '{"certificado":"%s","senha":"%s",%s}' "$(base64 -w0 certificado.pfx)" "$SENHA" ${emAspas(body)} | \\\n${lines.join(' \\\n  ')}`
}

function typescriptDe(consulta: ConsultaDaApi, valores: Valores, servico: string): string {
  const { campos, metodo } = consulta
  const asked = campos
    .filter(
      ({ onde, nome, obrigatorio }) =>
        onde !== 'header' && (nome in valores || (onde === 'body' && obrigatorio)),
    )
    .map(({ nome, tipo, onde }) => `${nome}: ${valorDe(nome, { tipo, onde }, valores)}`)
  const withFile = metodo === 'POST' ? ["import { readFileSync } from 'node:fs'"] : []
  const semGuardada = 'Cache-Control' in valores ? ", { cacheControl: 'no-cache' }" : ''
  return [
    ...withFile,
    "import { criarCliente } from '@consulta-fiscal/cliente'",
    '',
    `const fiscal = criarCliente({ endereco: ${JSON.stringify(servico)}, chave: process.env.CHAVE ?? '' })`,
    `const resposta = await fiscal.${metodos.get(consulta.id) ?? consulta.id}(${asked.length > 0 ? `{ ${asked.join(', ')} }` : ''}${semGuardada})`,
  ].join('\n')
}

function valorDe(
  nome: string,
  { tipo, onde }: Pick<ConsultaDaApi['campos'][number], 'tipo' | 'onde'>,
  valores: Valores,
): string {
  if (nome === 'certificado') return "readFileSync('certificado.pfx').toString('base64')"
  if (nome === 'senha') return "process.env.SENHA ?? ''"
  if (tipo === 'marca') return String(valores[nome] === 'true')
  return tipo === 'numero' || onde === 'path'
    ? numeroOuTexto(valores[nome])
    : JSON.stringify(valores[nome] ?? '')
}

const numeroOuTexto = (text = ''): string =>
  /^\d{1,9}$/.test(text) ? String(Number(text)) : JSON.stringify(text)

/** The methods of the client, by the operations that they call. */
const metodos: ReadonlyMap<string, string> = new Map(
  Object.entries(operacoes).map(([metodo, { id }]) => [id, metodo]),
)

/** Shows both. */
export const blocoDeCodigo = ({ curl, typescript }: AmostraDeCodigo): Html =>
  html`<section class="cartao" aria-labelledby="codigo"><header><h2 id="codigo">A mesma consulta, no seu programa</h2></header>
<div class="amostras"><div><h3>curl</h3><pre class="trecho-de-codigo" id="curl" tabindex="0" role="region" aria-label="curl"><code>${curl}</code></pre></div><div><h3>TypeScript</h3><pre class="trecho-de-codigo" id="typescript" tabindex="0" role="region" aria-label="TypeScript"><code>${typescript}</code></pre></div></div>
<p class="suave"><code>$CHAVE</code> é a chave de API da sua conta; a página não a mostra.</p></section>`
