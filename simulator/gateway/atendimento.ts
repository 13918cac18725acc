import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Autoridade, Chamador, Conexao } from '../autoridade.ts'
import type { Icp } from '../icp/icp.ts'
import { lerCorpo } from './corpo.ts'
import { contarPedido, type Estatisticas } from './estatisticas.ts'
import { responderInstrumento } from './instrumento.ts'
import type { Pagina, ResponderPagina } from './pagina.ts'

/** What is known of a connection before its first request. */
export type Ligacao = {
  /** The name that TLS was asked for; undefined on plain HTTP. */
  nome: string | undefined
  chamador: Chamador | undefined
  conexao: Conexao
}

export type Casa = {
  icp: Icp
  autoridades: ReadonlyMap<string, Autoridade>
  paginas: ResponderPagina
  estatisticas: Estatisticas
  ligacoes: WeakMap<Socket, Ligacao>
}

/** Answers one request: hands it to the authority whose host it names, or shows one of the simulator's own pages. */
export async function atender(casa: Casa, pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
  const ligacao = casa.ligacoes.get(pedido.socket)
  const url = lerUrl(pedido)
  if (!ligacao || !url) return responderTexto(resposta, 400, 'Pedido sem um Host ou caminho válido.')
  if (ligacao.nome !== undefined && ligacao.nome !== url.hostname)
    return responderTexto(resposta, 421, 'O Host não é o nome com que a conexão TLS foi aberta.')
  const autoridade = casa.autoridades.get(url.hostname)
  if (autoridade) return consultar(casa, autoridade, ligacao, url, pedido, resposta)
  if (!ehLocal(url.hostname)) return void pedido.socket.destroy()
  if (pedido.method !== 'GET' && pedido.method !== 'HEAD')
    return responderTexto(resposta, 405, 'As páginas do simulador só se leem.')
  const ambiente = {
    gateway: { host: semColchetes(url.hostname), porta: Number(url.port || 80) },
    icp: casa.icp,
  }
  const pagina =
    (await responderInstrumento(url.pathname, ambiente, casa.estatisticas)) ??
    (await casa.paginas(url.pathname, ambiente))
  if (pagina) responderPagina(resposta, pagina)
  else responderTexto(resposta, 404, 'O simulador não tem esta página.')
}

async function consultar(
  { estatisticas }: Casa,
  autoridade: Autoridade,
  { chamador, conexao }: Ligacao,
  url: URL,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  contarPedido(estatisticas, url.hostname)
  const corpo = await lerCorpo(pedido)
  if (!corpo) {
    resposta.setHeader('connection', 'close')
    return responderTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  }
  await autoridade.responder(
    {
      host: url.hostname,
      metodo: pedido.method ?? 'GET',
      caminho: url.pathname,
      consulta: url.searchParams,
      cabecalhos: pedido.headers,
      corpo,
      chamador,
      conexao,
    },
    resposta,
  )
}

function lerUrl({ url, headers }: IncomingMessage): URL | null {
  if (!url?.startsWith('/') || !headers.host) return null
  return URL.parse(`http://${headers.host}${url}`)
}

function ehLocal(host: string): boolean {
  return host === 'localhost' || isIP(semColchetes(host)) > 0
}

function semColchetes(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Sends a plain text of the simulator's own. */
export function responderTexto(resposta: ServerResponse, status: number, texto: string): void {
  responderPagina(resposta, { status, tipo: 'text/plain; charset=utf-8', corpo: `${texto}\n` })
}

function responderPagina(resposta: ServerResponse, { status, tipo, corpo }: Pagina): void {
  resposta.writeHead(status, { 'content-type': tipo, 'content-length': Buffer.byteLength(corpo) }).end(corpo)
}
