import { gzipSync } from 'node:zlib'
import { type Campo, escreverCampos, NFE } from '../platform/nfe-xml.ts'
import type { TpAmb } from './ambiente-nacional.ts'
import { type Defeito, escreverComDefeito } from './defeito.ts'
import { dataHora } from './inf-nfe.ts'
import { motivoDoAn } from './motivos-an.ts'
import type { EscreverNfeProc } from './proc.ts'
import { escreverResumo } from './resumo.ts'
import type { Veredito } from './veredito.ts'

/** Namespace of the service (official WSDL of NFeDistribuicaoDFe). */
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe'

/** Seen from 2025-10 to 2026-10. */
const VERSAO_DO_APLICATIVO = '1.7.6'

const ESQUEMAS = { resumo: 'resNFe_v1.01.xsd', proc: 'procNFe_v4.00.xsd' } as const

type Meios = { ambiente: TpAmb; agora: Date; escreverNfeProc: EscreverNfeProc }

/**
 * A retDistDFeInt 1.01 in its wrappers. As answers were captured (2022 to 2026), not as the schema has it: an
 * answer by key has neither ultNSU nor maxNSU, and its document no NSU.
 */
export async function escreverRetorno(veredito: Veredito, meios: Meios): Promise<string> {
  const { cStat, detalhe, nsu, documento } = veredito
  const zip = documento && (await compactar(documento, veredito, meios.escreverNfeProc))
  const campos: Campo[] = [
    ['tpAmb', meios.ambiente],
    ['verAplic', VERSAO_DO_APLICATIVO],
    ['cStat', String(cStat)],
    ['xMotivo', motivoDoAn(cStat, detalhe)],
    ['dhResp', dataHora(meios.agora)],
    ['ultNSU', nsu?.ultNSU],
    ['maxNSU', nsu?.maxNSU],
    ['loteDistDFeInt', documento && [[`docZip schema="${ESQUEMAS[documento.tipo]}"`, zip ?? '']]],
  ]
  const retorno: Campo = [`retDistDFeInt versao="1.01" xmlns="${NFE}"`, campos]
  return escreverCampos([
    [`nfeDistDFeInteresseResponse xmlns="${WSDL}"`, [['nfeDistDFeInteresseResult', [retorno]]]],
  ])
}

/** The document, gzipped and in base64, with the defects that are of how it is sent. */
async function compactar(
  { tipo, nota }: NonNullable<Veredito['documento']>,
  { efeito }: Veredito,
  escreverNfeProc: EscreverNfeProc,
): Promise<string> {
  const defeito: Defeito | undefined = efeito?.tipo === 'documento' ? efeito.defeito : undefined
  const xml = await escreverComDefeito(defeito, nota, tipo === 'resumo' ? escreverResumo : escreverNfeProc)
  const zip = gzipSync(xml)
  if (defeito === 'vazio') return ''
  if (defeito === 'gzip-cortado') return zip.subarray(0, zip.length * 0.6).toString('base64')
  const base64 = zip.toString('base64')
  return defeito === 'base64-ruim' ? base64.replace(/[+/A-Za-z]{2}/g, '*%') : base64
}
