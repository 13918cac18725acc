import { sementeDe } from '../documento/documento.ts'
import { mascararDocumento } from '../documento/mascara.ts'
import type { Situacao } from './situacao.ts'

/** The tax office's own words when it issues no certificate; undefined where it issues one. */
export function recusaDe(situacao: Situacao): string | undefined {
  const { matriz, desfecho } = situacao
  const doc = mascararDocumento(matriz)
  switch (desfecho) {
    // The positive certificate exists at the counter alone.
    case 'positiva':
    case 'insuficiente':
      return INSUFICIENTE[sementeDe(matriz) % INSUFICIENTE.length]?.replace('{doc}', doc)
    case 'inapta':
      return `Inscrição no CNPJ ${doc} Inapta - Omissão de declarações, emissão de certidão não permitida.`
    case 'nao-inscrito':
      return 'O número informado não consta do cadastro CNPJ.'
    case 'negativa':
    case 'efeitos':
      return undefined
  }
}

/** The portal's of 2026, and two of the portal before it. */
const INSUFICIENTE = [
  'As informações disponíveis na Receita Federal sobre o contribuinte {doc} são insuficientes para emitir a certidão pela Internet.',
  'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB sobre o contribuinte {doc} são insuficientes para a emissão de certidão por meio da Internet.',
  'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB e na Procuradoria-Geral da Fazenda Nacional - PGFN sobre o contribuinte {doc} são insuficientes para a emissão de certidão por meio da Internet.',
] as const

/** Of a branch. The portal before this one did not name the head office. */
export function recusaDaFilial(cnpj: string, matriz: string): string {
  const inicio = 'A certidão deve ser emitida para o CNPJ da matriz'
  return sementeDe(cnpj) % 4 === 0 ? inicio : `${inicio} – ${mascararDocumento(matriz)}`
}

/** While an issuance is under way. */
export const EM_PROCESSAMENTO = [
  'Estamos analisando seu pedido de emissão de certidão. Aguarde.',
  'Retorne em alguns minutos para o resultado.',
] as const
