import type { ServerResponse } from 'node:http'
import type { Efeito } from '../mundo/comportamento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Conexao } from '../platform/autoridade.ts'
import { type EstiloEnvelope, escreverEnvelope, escreverFault, versoesSoap } from '../platform/soap.ts'
import type { EfeitoNfe } from './cenario.ts'

const FALHA_INTERNA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

/** Where an answer goes, and the factor of its delays. */
export type Saida = { resposta: ServerResponse; conexao: Conexao; ritmo?: number | undefined }

/**
 * Puts a body entry in an envelope and sends it. An effect on the wire spoils it; effects on the content were
 * applied before.
 */
export function enviarComEfeitoNfe(
  efeito: EfeitoNfe | undefined,
  estilo: EstiloEnvelope,
  entrada: string,
  { resposta, conexao, ritmo }: Saida,
): void {
  const usado =
    efeito?.tipo === 'envelope' ? { ...estilo, soap: efeito.soap, prefixo: efeito.prefixo } : estilo
  const mensagem =
    efeito?.tipo === 'fault'
      ? escreverFault({ ...estilo, soap: efeito.soap }, FALHA_INTERNA)
      : {
          status: 200,
          cabecalhos: { 'content-type': `${versoesSoap[usado.soap].tipo}; charset=utf-8` },
          corpo: Buffer.from(escreverEnvelope(usado, entrada)),
        }
  enviarComEfeito(noFio(efeito), mensagem, resposta, conexao, ritmo)
}

/** The part of an effect that happens on the wire. */
function noFio(efeito: EfeitoNfe | undefined): Efeito | undefined {
  switch (efeito?.tipo) {
    case 'registra-e-cai':
      return { tipo: 'queda', quando: 'antes' }
    case 'envelope':
    case 'documento':
      return undefined
    default:
      return efeito
  }
}
