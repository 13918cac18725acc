import { tipoDoDocumento } from '../documento/documento.ts'
import type { Pedido } from '../platform/autoridade.ts'

/** A question to Consulta CND. */
export type PedidoDeCnd = {
  /** 1 a company, 2 a person, 3 a rural property. */
  tipo: number
  documento: string
  pdf: boolean
  /** Of an issuance under way; empty in a first question. */
  chave: string
}

/** A body that is refused: the status of the product's table, and why. */
export type Recusa = { status: number; mensagem: string }

/**
 * Reads the JSON body. Which of the statuses 9 to 13 and 15 is for which parameter is not known: they are
 * taken in the order of the parameters.
 *
 * @param versao decides the codes of identification: 9001 to 9003, or 9201 to 9203
 */
export function lerPedido({ corpo, cabecalhos }: Pedido, versao: 'v1' | 'v2'): PedidoDeCnd | Recusa {
  if (!/^application\/json\b/i.test(cabecalhos['content-type'] ?? ''))
    return { status: 15, mensagem: 'O corpo da requisição não é JSON.' }
  const campos = lerObjeto(corpo)
  const tipo = campos.get('TipoContribuinte')
  const documento = campos.get('ContribuinteConsulta')
  const pdf = campos.get('GerarCertidaoPdf')
  const chave = campos.get('Chave') ?? ''
  if (tipo !== 1 && tipo !== 2 && tipo !== 3) return recusar(9, 'TipoContribuinte')
  if (typeof documento !== 'string' || !ehDoTipo(tipo, documento)) return recusar(10, 'ContribuinteConsulta')
  if (campos.get('CodigoIdentificacao') !== `9${versao === 'v2' ? 2 : 0}0${tipo}`)
    return recusar(11, 'CodigoIdentificacao')
  if (typeof pdf !== 'boolean') return recusar(12, 'GerarCertidaoPdf')
  if (typeof chave !== 'string') return recusar(13, 'Chave')
  return { tipo, documento, pdf, chave }
}

/** The document of a body, however wrong the rest of it is. */
export function documentoDe({ corpo }: Pedido): string | undefined {
  const documento = lerObjeto(corpo).get('ContribuinteConsulta')
  return typeof documento === 'string' ? documento : undefined
}

const recusar = (status: number, campo: string): Recusa => ({
  status,
  mensagem: `Parâmetro ${campo} inválido.`,
})

function ehDoTipo(tipo: 1 | 2 | 3, documento: string): boolean {
  if (tipo === 3) return /^[0-9A-Z]{8}$/.test(documento)
  return tipoDoDocumento(documento) === (tipo === 1 ? 'cnpj' : 'cpf')
}

function lerObjeto(corpo: Buffer): ReadonlyMap<string, unknown> {
  try {
    const lido: unknown = JSON.parse(corpo.toString())
    return new Map(Object.entries(typeof lido === 'object' && lido !== null ? lido : {}))
  } catch {
    return new Map()
  }
}
