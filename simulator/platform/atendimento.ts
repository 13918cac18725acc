import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Resolvedor } from '../portal/resolvedor.ts'
import type { Autoridade, Chamador, Conexao, Instrumento, Pedido } from './autoridade.ts'
import { contarPedido, type Estatisticas } from './estatisticas.ts'
import type { Icp } from './icp/icp.ts'
import { CAMINHO_DO_RESOLVEDOR, responderInstrumento } from './instrumento.ts'
import type { Pagina } from './mensagem.ts'
import type { ResponderPagina } from './pagina.ts'

/** A connection before its first request. */
export type Ligacao = {
  /** The name that TLS was asked for; undefined on plain HTTP. */
  nome: string | undefined
  chamador: Chamador | undefined
  /** Asks for the caller on paths that demand it. Left out when the handshake has told. */
  pedirChamador?: () => Promise<Chamador | undefined>
  conexao: Conexao
}

export type Casa = {
  icp: Icp
  /** By host. */
  autoridades: ReadonlyMap<string, readonly Autoridade[]>
  paginas: ResponderPagina
  /** Solves the captchas of its authorities, at CAMINHO_DO_RESOLVEDOR. */
  resolvedor: Resolvedor | undefined
  ritmo: number
  estatisticas: Estatisticas
  ligacoes: WeakMap<Socket, Ligacao>
}

/** How long, in milliseconds, a connection without requests is kept. */
const OCIOSA = 60_000

/**
 * The HTTP side, which listens nowhere: the event `connection` hands connections to it, after `ligacoes` has
 * noted them. An authority that throws answers 500, and says why on the standard error output.
 */
export function criarLadoHttp(casa: Casa): Server {
  return createServer({ keepAliveTimeout: OCIOSA }, (pedido, resposta) => {
    atender(casa, pedido, resposta).catch((error: unknown) => {
      const foiEmbora = pedido.destroyed && !pedido.complete
      if (foiEmbora) return
      console.error(`${pedido.headers.host} ${pedido.method} ${pedido.url}:`, error)
      if (resposta.headersSent) resposta.destroy()
      else responderTexto(resposta, 500, 'O simulador falhou; o motivo está na saída de erros dele.')
    })
  })
}

async function atender(casa: Casa, pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
  const ligacao = casa.ligacoes.get(pedido.socket)
  const url = lerUrl(pedido)
  if (!ligacao || !url) return responderTexto(resposta, 400, 'Pedido sem um Host ou caminho válido.')
  if (ligacao.nome !== undefined && ligacao.nome !== url.hostname)
    return responderTexto(resposta, 421, 'O Host não é o nome com que a conexão TLS foi aberta.')
  const autoridades = casa.autoridades.get(url.hostname)
  if (!autoridades) {
    if (!ehLocal(url.hostname)) pedido.socket.destroy()
    else await mostrarPagina(casa, url, pedido, resposta)
    return
  }
  contarPedido(casa.estatisticas, url.hostname)
  const autoridade = autoridades.find(({ atende }) => atende?.(url.pathname) ?? true)
  if (!autoridade) return responderTexto(resposta, 404, 'Nada atende neste caminho.')
  const corpo = await lerCorpo(pedido)
  if (!corpo) return responderTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const { pedirChamador } = ligacao
  const pede = pedirChamador && autoridade.pedeCertificadoEm?.(url.pathname)
  const chamador = pede ? await pedirChamador() : ligacao.chamador
  if (pedido.socket.destroyed) return
  const completo: Pedido = {
    host: url.hostname,
    metodo: pedido.method ?? 'GET',
    caminho: url.pathname,
    consulta: url.searchParams,
    cabecalhos: pedido.headers,
    corpo,
    chamador,
    conexao: ligacao.conexao,
  }
  await autoridade.responder(completo, resposta)
}

async function mostrarPagina(
  { icp, estatisticas, paginas, autoridades, resolvedor, ritmo }: Casa,
  url: URL,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  if (resolvedor && url.pathname === CAMINHO_DO_RESOLVEDOR && pedido.method === 'POST')
    return resolver(resolvedor, pedido, resposta)
  const instrumento = [...autoridades.values()]
    .flat()
    .flatMap(({ instrumentos = [] }) => instrumentos)
    .find(({ caminho }) => caminho === url.pathname)
  if (instrumento) return tocar(instrumento, pedido, resposta)
  if (pedido.method !== 'GET' && pedido.method !== 'HEAD')
    return responderTexto(resposta, 405, 'As páginas do simulador só se leem.')
  const ambiente = {
    gateway: { host: semColchetes(url.hostname), porta: Number(url.port || 80) },
    icp,
    autoridades: [...new Set([...autoridades.values()].flat())],
  }
  const pagina =
    (await responderInstrumento(url.pathname, ambiente, { estatisticas, resolvedor, ritmo })) ??
    (await paginas(url.pathname, ambiente))
  if (pagina) responderPagina(resposta, pagina)
  else responderTexto(resposta, 404, 'O simulador não tem esta página.')
}

async function tocar(
  { atender }: Instrumento,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  const corpo = await lerCorpo(pedido)
  if (!corpo) return responderTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const pagina = atender(pedido.method ?? 'GET', corpo)
  if (pagina) responderPagina(resposta, pagina)
  else responderTexto(resposta, 405, 'Este instrumento não tem este método.')
}

async function resolver(
  resolvedor: Resolvedor,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  const corpo = await lerCorpo(pedido)
  if (!corpo) return responderTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const { status, json } = resolvedor.resolver(pedido.headers.authorization, corpo)
  responderPagina(resposta, { status, tipo: 'application/json; charset=utf-8', corpo: JSON.stringify(json) })
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

function responderTexto(resposta: ServerResponse, status: number, texto: string): void {
  responderPagina(resposta, { status, tipo: 'text/plain; charset=utf-8', corpo: `${texto}\n` })
}

function responderPagina(resposta: ServerResponse, { status, tipo, corpo }: Pagina): void {
  resposta.writeHead(status, { 'content-type': tipo, 'content-length': Buffer.byteLength(corpo) }).end(corpo)
}

/** No message to an authority is near this, in octets. */
const MAXIMO = 1_048_576

/**
 * The whole body of a request; undefined over 1 MiB, after all of it was read, so that a client that is still
 * writing gets the refusal. Throws when the client goes away.
 */
async function lerCorpo(pedido: IncomingMessage): Promise<Buffer | undefined> {
  const pedacos: Buffer[] = []
  let tamanho = 0
  for await (const pedaco of pedido) {
    if (!Buffer.isBuffer(pedaco)) continue
    tamanho += pedaco.length
    if (tamanho <= MAXIMO) pedacos.push(pedaco)
  }
  return tamanho <= MAXIMO ? Buffer.concat(pedacos, tamanho) : undefined
}
