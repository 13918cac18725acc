import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import {
  type AnswerPagina,
  createEstatisticas,
  createLadoHttp,
  type Estatisticas,
  type Ligacao,
} from './atendimento.ts'
import type { Autoridade, Conexao, Resolvedor } from './autoridade.ts'
import type { Icp } from './icp/icp.ts'
import { createLadoTls, createPedidoDeChamador, type PedeCertificado, peek, readChamador } from './tls.ts'

const ALERTA = { handshakeFailure: 40, unrecognizedName: 112 } as const

// The client gets it after the handshake in the clear, because Node cannot send a real one. undici says
// "other side closed", as it does (8.12, 2026-11) with a real server of TLS 1.3.
/** Ends a TLS connection with a fatal alert in plain text, as servers do before the handshake. */
function sendAlert(cru: Socket, alerta: keyof typeof ALERTA): void {
  cru.end(Buffer.from([21, 3, 3, 0, 2, 2, ALERTA[alerta]]), () => cru.destroy())
}

const createConexao = (cru: Socket, cifrada: boolean): Conexao => ({
  drop: () => {
    cru.resetAndDestroy()
  },
  refuseTls: () => {
    if (cifrada) sendAlert(cru, 'handshakeFailure')
    else cru.destroy()
  },
})

export type Opcoes = {
  porta: number
  host: string
  icp: Icp
  autoridades: readonly Autoridade[]
  paginas: AnswerPagina
  resolvedor?: Resolvedor
  ritmo?: number
}

export type Gateway = {
  endereco: string
  porta: number
  estatisticas: () => Estatisticas
  close: () => Promise<void>
}

/** One port for all authorities: TLS by SNI, plain HTTP by Host. Unknown names are refused. */
export async function startGateway(opcoes: Opcoes): Promise<Gateway> {
  const { porta, host, icp, autoridades, paginas, resolvedor, ritmo = 1 } = opcoes
  const porHost = groupPorHost(autoridades)
  const estatisticas = createEstatisticas()
  const ligacoes = new WeakMap<Socket, Ligacao>()
  const http = createLadoHttp({
    icp,
    autoridades: porHost,
    paginas,
    resolvedor,
    ritmo,
    estatisticas,
    ligacoes,
  })
  const encrypt = createLadoTls(icp, ({ socket, cru, nome, asksCertificado }) => {
    const { handshakes } = estatisticas
    handshakes[socket.isSessionReused() ? 'retomados' : 'completos'] += 1
    const ligacao = { nome, chamador: readChamador(socket), conexao: createConexao(cru, true) }
    const renegociado = (): void => {
      handshakes.renegociados += 1
    }
    const asks = asksCertificado === 'depois'
    ligacoes.set(
      socket,
      asks ? { ...ligacao, askChamador: createPedidoDeChamador(socket, renegociado) } : ligacao,
    )
    http.emit('connection', socket)
  })
  const abertas = new Set<Socket>()
  const servidor = createServer({ noDelay: true }, (cru) => {
    estatisticas.conexoes += 1
    abertas.add(cru)
    cru.on('close', () => abertas.delete(cru)).on('error', () => undefined)
    peek(cru, (fala) => {
      if (fala.tipo === 'http') {
        ligacoes.set(cru, { nome: undefined, chamador: undefined, conexao: createConexao(cru, false) })
        http.emit('connection', cru)
        return
      }
      const { nome = '' } = fala
      const donas = porHost.get(nome)
      if (donas) encrypt(cru, { nome, asksCertificado: quandoPede(donas) })
      else sendAlert(cru, 'unrecognizedName')
    })
  })
  const escolhida = await listen(servidor, porta, host)
  return {
    endereco: `http://${visto(host)}:${escolhida}`,
    porta: escolhida,
    estatisticas: () => structuredClone(estatisticas),
    close: () => closeGateway(servidor, abertas),
  }
}

function groupPorHost(autoridades: readonly Autoridade[]): Map<string, Autoridade[]> {
  const hosts = [...new Set(autoridades.flatMap((uma) => uma.hosts))]
  return new Map(hosts.map((host) => [host, autoridades.filter((uma) => uma.hosts.includes(host))]))
}

function quandoPede(donas: readonly Autoridade[]): PedeCertificado {
  if (donas.some((dona) => dona.asksCertificado)) return 'no-handshake'
  return donas.some((dona) => dona.asksCertificadoAt) ? 'depois' : 'nunca'
}

async function listen(servidor: Server, porta: number, host: string): Promise<number> {
  servidor.listen(porta, host)
  await once(servidor, 'listening')
  const endereco = servidor.address()
  return typeof endereco === 'object' && endereco ? endereco.port : porta
}

async function closeGateway(servidor: Server, abertas: ReadonlySet<Socket>): Promise<void> {
  const fechado = once(servidor, 'close')
  servidor.close()
  for (const cru of abertas) cru.destroy()
  await fechado
}

/** A host as it is written in an address; where every interface is listened on, the loopback one. */
function visto(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
