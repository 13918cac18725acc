import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Autoridade, Chamador, Conexao, Instrumento, Pagina, Pedido, Resolvedor } from './autoridade.ts'
import { DO_OPERADOR } from './icp/catalogo.ts'
import type { Icp } from './icp/icp.ts'

export type Estatisticas = {
  conexoes: number
  /** `renegociados`: handshakes of open connections to get a certificate, counted apart from the others. */
  handshakes: { completos: number; retomados: number; renegociados: number }
  pedidos: Record<string, number>
}

export const createEstatisticas = (): Estatisticas => ({
  conexoes: 0,
  handshakes: { completos: 0, retomados: 0, renegociados: 0 },
  pedidos: {},
})

function countPedido({ pedidos }: Estatisticas, host: string): void {
  pedidos[host] = (pedidos[host] ?? 0) + 1
}

export type Ambiente = {
  gateway: { host: string; porta: number }
  icp: Icp
  autoridades: readonly Autoridade[]
}

/** Answers a path of the simulator's own site; undefined where it has no such page. */
export type AnswerPagina = (
  caminho: string,
  ambiente: Ambiente,
) => Pagina | undefined | Promise<Pagina | undefined>

const CAMINHO_DO_RESOLVEDOR = '/captcha/resolver'

type Sabido = { estatisticas: Estatisticas; resolvedor: Resolvedor | undefined; ritmo: number }

/** The pages that the gateway answers itself: `/ambiente.json`, `/ca.pem`, the A1 files, the counters. */
async function answerInstrumento(
  caminho: string,
  { gateway, icp, autoridades }: Ambiente,
  { estatisticas, resolvedor, ritmo }: Sabido,
): Promise<Pagina | undefined> {
  if (caminho === '/ca.pem') return { status: 200, tipo: 'application/x-pem-file', corpo: icp.ca }
  if (caminho === '/estatisticas.json') {
    const contadores = autoridades.map((uma) => uma.contadores?.() ?? {})
    return json(Object.assign({ processo: process.pid, ...estatisticas }, ...contadores))
  }
  if (caminho === '/ambiente.json') {
    const certificado = await icp.certificado(DO_OPERADOR.nome)
    const deAutoridades: Record<string, unknown> = Object.assign(
      {},
      ...autoridades.map((uma) => uma.ambiente?.() ?? {}),
    )
    return json({
      gateway: { host: gateway.host, port: gateway.porta },
      ca: icp.ca,
      certificado: { pfx: certificado?.pfx.toString('base64'), senha: DO_OPERADOR.senha },
      ...(resolvedor ? { captcha: { webhook: enderecoDoResolvedor(gateway), token: resolvedor.token } } : {}),
      ...deAutoridades,
      ritmo,
    })
  }
  if (caminho === '/certificados.json')
    return json(
      icp.catalogo.map(({ nome, titular, senha, nota }) => ({
        nome,
        arquivo: `/certificados/${nome}.pfx`,
        senha,
        titular,
        nota,
      })),
    )
  const nome = /^\/certificados\/([a-z0-9-]+)\.pfx$/.exec(caminho)?.[1]
  const certificado = nome ? await icp.certificado(nome) : undefined
  return certificado && { status: 200, tipo: 'application/x-pkcs12', corpo: certificado.pfx }
}

const enderecoDoResolvedor = ({ host, porta }: Ambiente['gateway']): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${porta}${CAMINHO_DO_RESOLVEDOR}`

const json = (valor: unknown): Pagina => ({
  status: 200,
  tipo: 'application/json; charset=utf-8',
  corpo: `${JSON.stringify(valor, null, 2)}\n`,
})

export type Ligacao = {
  /** The name that TLS was asked for; undefined on plain HTTP. */
  nome: string | undefined
  chamador: Chamador | undefined
  /** Asks for the caller on paths that demand it. Left out when the handshake has told. */
  askChamador?: () => Promise<Chamador | undefined>
  conexao: Conexao
}

export type Casa = {
  icp: Icp
  autoridades: ReadonlyMap<string, readonly Autoridade[]>
  paginas: AnswerPagina
  resolvedor: Resolvedor | undefined
  ritmo: number
  estatisticas: Estatisticas
  ligacoes: WeakMap<Socket, Ligacao>
}

const OCIOSA = 60_000

/** The HTTP side: the event `connection` hands it connections, after `ligacoes` has noted them. */
export const createLadoHttp = (casa: Casa): Server =>
  createServer({ keepAliveTimeout: OCIOSA }, (pedido, resposta) => {
    serve(casa, pedido, resposta).catch((error: unknown) => {
      const hasLeft = pedido.destroyed && !pedido.complete
      if (hasLeft) return
      console.error(`${pedido.headers.host} ${pedido.method} ${pedido.url}:`, error)
      if (resposta.headersSent) resposta.destroy()
      else answerTexto(resposta, 500, 'O simulador falhou; o motivo está na saída de erros dele.')
    })
  })

async function serve(casa: Casa, pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
  const ligacao = casa.ligacoes.get(pedido.socket)
  const url = readUrl(pedido)
  if (!ligacao || !url) return answerTexto(resposta, 400, 'Pedido sem um Host ou caminho válido.')
  if (ligacao.nome !== undefined && ligacao.nome !== url.hostname)
    return answerTexto(resposta, 421, 'O Host não é o nome com que a conexão TLS foi aberta.')
  const autoridades = casa.autoridades.get(url.hostname)
  if (!autoridades) {
    if (!isLocal(url.hostname)) pedido.socket.destroy()
    else await showPagina(casa, url, pedido, resposta)
    return
  }
  countPedido(casa.estatisticas, url.hostname)
  const autoridade = autoridades.find(({ serves }) => serves?.(url.pathname) ?? true)
  if (!autoridade) return answerTexto(resposta, 404, 'Nada atende neste caminho.')
  const corpo = await readCorpo(pedido)
  if (!corpo) return answerTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const { askChamador } = ligacao
  const asks = askChamador && autoridade.asksCertificadoAt?.(url.pathname)
  const chamador = asks ? await askChamador() : ligacao.chamador
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
  await autoridade.answer(completo, resposta)
}

async function showPagina(
  { icp, estatisticas, paginas, autoridades, resolvedor, ritmo }: Casa,
  url: URL,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  if (resolvedor && url.pathname === CAMINHO_DO_RESOLVEDOR && pedido.method === 'POST')
    return solve(resolvedor, pedido, resposta)
  const instrumento = [...autoridades.values()]
    .flat()
    .flatMap(({ instrumentos = [] }) => instrumentos)
    .find(({ caminho }) => caminho === url.pathname)
  if (instrumento) return play(instrumento, pedido, resposta)
  if (pedido.method !== 'GET' && pedido.method !== 'HEAD')
    return answerTexto(resposta, 405, 'As páginas do simulador só se leem.')
  const ambiente = {
    gateway: { host: semColchetes(url.hostname), porta: Number(url.port || 80) },
    icp,
    autoridades: [...new Set([...autoridades.values()].flat())],
  }
  const pagina =
    (await answerInstrumento(url.pathname, ambiente, { estatisticas, resolvedor, ritmo })) ??
    (await paginas(url.pathname, ambiente))
  if (pagina) answerPagina(resposta, pagina)
  else answerTexto(resposta, 404, 'O simulador não tem esta página.')
}

async function play(
  { answer }: Instrumento,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  const corpo = await readCorpo(pedido)
  if (!corpo) return answerTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const pagina = answer(pedido.method ?? 'GET', corpo)
  if (pagina) answerPagina(resposta, pagina)
  else answerTexto(resposta, 405, 'Este instrumento não tem este método.')
}

async function solve(
  resolvedor: Resolvedor,
  pedido: IncomingMessage,
  resposta: ServerResponse,
): Promise<void> {
  const corpo = await readCorpo(pedido)
  if (!corpo) return answerTexto(resposta, 413, 'O pedido passa de 1 MiB.')
  const { status, json } = resolvedor.resolver(pedido.headers.authorization, corpo)
  answerPagina(resposta, { status, tipo: 'application/json; charset=utf-8', corpo: JSON.stringify(json) })
}

function readUrl({ url, headers }: IncomingMessage): URL | null {
  if (!url?.startsWith('/') || !headers.host) return null
  return URL.parse(`http://${headers.host}${url}`)
}

const isLocal = (host: string): boolean => host === 'localhost' || isIP(semColchetes(host)) > 0

const semColchetes = (host: string): string => host.replace(/^\[|\]$/g, '')

function answerTexto(resposta: ServerResponse, status: number, texto: string): void {
  answerPagina(resposta, { status, tipo: 'text/plain; charset=utf-8', corpo: `${texto}\n` })
}

function answerPagina(resposta: ServerResponse, { status, tipo, corpo }: Pagina): void {
  resposta.writeHead(status, { 'content-type': tipo, 'content-length': Buffer.byteLength(corpo) }).end(corpo)
}

/** No message to an authority is near this, in octets. */
const MAXIMO = 1_048_576

/**
 * The whole body. Undefined over 1 MiB, but all of it is read, so that a client that still writes gets the
 * refusal.
 */
async function readCorpo(pedido: IncomingMessage): Promise<Buffer | undefined> {
  const pedacos: Buffer[] = []
  let tamanho = 0
  for await (const pedaco of pedido) {
    if (!Buffer.isBuffer(pedaco)) continue
    tamanho += pedaco.length
    if (tamanho <= MAXIMO) pedacos.push(pedaco)
  }
  return tamanho <= MAXIMO ? Buffer.concat(pedacos, tamanho) : undefined
}
