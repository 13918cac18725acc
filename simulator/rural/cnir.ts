import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { tipoDoDocumento } from '../documento/documento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { enviar, type Mensagem } from '../platform/mensagem.ts'
import { efeitoRural } from './efeito.ts'
import { responderPor } from './resposta.ts'

const HOST = 'conector-cnir.simulador'
const CAMINHO = '/cnir'

/** A time stamp may be off by this many seconds. */
const TOLERANCIA = 300

/**
 * An operator's connector to CNIR, by the contract of docs/cnir-connector.md. It takes a request only with
 * the signature of its body and a time stamp of now.
 */
export function criarConectorCnir({ agora, ritmo, semente }: Opcoes & { semente: string }): Autoridade {
  const segredo = createHash('sha256').update(`conector do CNIR ${semente}`).digest('hex')
  return {
    nome: 'Conector do CNIR',
    hosts: [HOST],
    pedeCertificado: false,
    ambiente: () => ({ cnir: { url: `http://${HOST}${CAMINHO}`, segredo } }),
    atende: (caminho) => caminho === CAMINHO,
    responder: (pedido, resposta) => {
      const aceito = conferir(pedido, segredo, agora())
      if ('status' in aceito) return enviar(aceito, resposta)
      const { documento } = aceito
      const efeito = efeitoRural(documento, 'cnir')
      enviarComEfeito(efeito, responderPor(documento, efeito), resposta, pedido.conexao, ritmo)
    },
  }
}

/** The document of a request that is in order, or the refusal. */
function conferir(
  { metodo, cabecalhos, corpo }: Pedido,
  segredo: string,
  agora: Date,
): Mensagem | { documento: string } {
  if (metodo !== 'POST') return recusar(405, 'Só POST.')
  if (!/^application\/json\b/i.test(cabecalhos['content-type'] ?? ''))
    return recusar(415, 'Só application/json.')
  const carimbo = um(cabecalhos, 'x-consulta-timestamp')
  const desvio = Math.abs(agora.getTime() / 1000 - Number(carimbo))
  if (!/^\d{1,12}$/.test(carimbo) || desvio > TOLERANCIA) return recusar(401, 'Carimbo de tempo inválido.')
  const certa = `v1=${createHmac('sha256', segredo).update(`${carimbo}.`).update(corpo).digest('hex')}`
  const veio = um(cabecalhos, 'x-consulta-signature')
  if (!iguais(veio, certa)) return recusar(401, 'Assinatura inválida.')
  if (!/^\d{1,9}$/.test(um(cabecalhos, 'x-consulta-deadline-ms'))) return recusar(400, 'Falta o prazo.')
  const documento = lerDocumento(corpo)
  return documento === undefined ? recusar(400, 'Pedido fora do contrato.') : { documento }
}

function lerDocumento(corpo: Buffer): string | undefined {
  try {
    const { documento, tipo, request_id } = Object(JSON.parse(corpo.toString()))
    const certo = typeof documento === 'string' && tipo !== undefined && tipoDoDocumento(documento) === tipo
    return certo && typeof request_id === 'string' && request_id !== '' ? documento : undefined
  } catch {
    return undefined
  }
}

function um(cabecalhos: IncomingHttpHeaders, nome: string): string {
  const valor = cabecalhos[nome]
  return typeof valor === 'string' ? valor : ''
}

function iguais(uma: string, outra: string): boolean {
  const [a, b] = [Buffer.from(uma), Buffer.from(outra)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function recusar(status: number, motivo: string): Mensagem {
  const cabecalhos = { 'content-type': 'application/json; charset=utf-8' }
  return { status, cabecalhos, corpo: Buffer.from(JSON.stringify({ motivo })) }
}
