import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PedidoPortal } from '../portal/pedido.ts'

/** The question that a page was drawn for. It comes back in the form, because the page keeps no session. */
export type Consulta = { cnpj: string; ie: string; uf: string; situacao: string; folha: number }

const CHAVE = randomBytes(32)

/**
 * A request whose form carries the page's whole state, signed, as ASP.NET's __VIEWSTATE does. Clients without
 * cookies are answered (five of them, 2022 to 2025).
 */
export function comEstado<S>(pedido: PedidoPortal<S>, consulta: Consulta | undefined): PedidoPortal<S> {
  const { sessao } = pedido
  return {
    ...pedido,
    sessao: {
      ...sessao,
      emitirToken: (etapa) => escrever({ etapa, consulta }),
      conferirToken: (etapa, token) => ler(token)?.etapa === etapa,
    },
  }
}

/** What the page of this form showed. Undefined if it showed nothing, or if the state is not ours. */
export const consultaAnterior = (viewstate: string): Consulta | undefined => ler(viewstate)?.consulta

type Estado = { etapa: string; consulta?: Consulta | undefined }

function escrever(estado: Estado): string {
  const texto = Buffer.from(JSON.stringify(estado))
  return Buffer.concat([assinar(texto), texto]).toString('base64')
}

function ler(token: string): Estado | undefined {
  const octetos = Buffer.from(token, 'base64')
  const [selo, texto] = [octetos.subarray(0, 32), octetos.subarray(32)]
  const nosso = selo.length === 32 && timingSafeEqual(selo, assinar(texto))
  return nosso ? JSON.parse(texto.toString()) : undefined
}

const assinar = (texto: Buffer): Buffer => createHmac('sha256', CHAVE).update(texto).digest()
