import { unidades } from '../documento/uf.ts'
import type { Interessado } from '../platform/wire/certificado.ts'
import { child, children } from '../platform/wire/xml.ts'
import type { RespostaDaDistribuicao } from './rules.ts'
import {
  callNacional,
  fontesNfe,
  type MeiosNfe,
  NFE,
  type RespostaNacional,
  readCodigo,
  tpAmbOf,
} from './source.ts'
import { readDocumento } from './source-documento.ts'

export type PerguntaDaDistribuicao = { chave: string; interessado: Interessado }

const SERVICO = 'NFeDistribuicaoDFe'
const OPERATION = 'nfeDistDFeInteresse'
const LOCALIZADO = '138'

/** NT 2014.002 v1.21, 3; distDFeInt_v1.01.xsd. Each call counts towards the 20 an hour. */
export async function askChave(
  meios: MeiosNfe,
  { chave, interessado }: PerguntaDaDistribuicao,
): Promise<RespostaDaDistribuicao> {
  const pedido = distDFeInt(tpAmbOf(meios.ambiente), interessado, chave)
  const resposta = await callNacional(meios, {
    fonte: fontesNfe.distribuicao,
    servico: SERVICO,
    operation: OPERATION,
    body: `<${OPERATION} xmlns="${NFE}/wsdl/${SERVICO}"><nfeDadosMsg>${pedido}</nfeDadosMsg></${OPERATION}>`,
    answer: 'retDistDFeInt',
  })
  return readResposta(resposta, chave)
}

function distDFeInt(tpAmb: string, { tipo, documento, uf }: Interessado, chave: string): string {
  const autor = uf ? `<cUFAutor>${unidades[uf].codigo}</cUFAutor>` : ''
  const tag = tipo.toUpperCase()
  return `<distDFeInt xmlns="${NFE}" versao="1.01"><tpAmb>${tpAmb}</tpAmb>${autor}<${tag}>${documento}</${tag}><consChNFe><chNFe>${chave}</chNFe></consChNFe></distDFeInt>`
}

type Recusada = Exclude<RespostaDaDistribuicao['tipo'], 'xml' | 'resumo' | 'falha'>

/** NT 2014.002 v1.21, 3.8 to 3.11. Any other code is `recusada`, and so are the pauses 108 and 109. */
const tipos: Readonly<Record<string, Recusada>> = {
  // This holder has no documents (137), or no SEFAZ told of such a note (217).
  137: 'nao-encontrada',
  217: 'nao-encontrada',
  632: 'fora-prazo',
  640: 'sem-permissao',
  641: 'emitente',
  653: 'cancelada',
  654: 'cancelada',
  236: 'chave-invalida',
  614: 'chave-invalida',
  615: 'chave-invalida',
  616: 'chave-invalida',
  617: 'chave-invalida',
  618: 'chave-invalida',
  619: 'chave-invalida',
  656: 'limitada',
}

/** The schema requires `ultNSU` and `maxNSU`, but answers to a key lack them (seen 2025-10 to 2026-10). */
function readResposta(resposta: RespostaNacional, chave: string): RespostaDaDistribuicao {
  const { answer, naoServe } = resposta
  const codigo = readCodigo(answer, resposta)
  if (codigo.cStat !== LOCALIZADO) return { tipo: tipos[codigo.cStat] ?? 'recusada', ...codigo }
  const lote = children(child(answer, 'loteDistDFeInt'), 'docZip')
  const documentos = lote.map((docZip) => readDocumento(typeof docZip === 'string' ? docZip : '', chave))
  // A key has one document (NT 2014.002 v1.21, 3.3). If several come, the note counts before its summary.
  const found =
    documentos.find((documento) => documento.tipo === 'xml') ??
    documentos.find((documento) => documento.tipo === 'resumo')
  if (found) return found
  const defeito = documentos.find((documento) => documento.tipo === 'defeituoso')?.defeito
  throw naoServe(
    defeito === undefined
      ? 'disse que achou a nota e não enviou nada'
      : `disse que achou a nota, mas o que enviou não serve: ${defeito}`,
  )
}
