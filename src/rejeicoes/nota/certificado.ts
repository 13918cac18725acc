import type { X509Certificate } from 'node:crypto'
import { isMesmaEmpresa, maskDocumento } from '../../documento/documento.ts'
import { findTitular } from '../../platform/wire/a1.ts'
import { descer } from './lugar.ts'
import type { NotaAberta } from './nota-abrir.ts'
import type { Elemento } from './nota-arvore.ts'
import { invalida, type Parecer } from './parecer.ts'

const CERTIFICADO = 'Signature/KeyInfo/X509Data/X509Certificate'

type Juizo = { parecer?: Parecer; avisos: string[] }

/**
 * Judges the certificate of a signature by what is certain: its kind, its time against `dhEmi`, and its
 * holder against the issuer (MOC 7.0, Anexo I, 290, 291, 292, 213, 227).
 */
export function julgarCertificado(certificado: X509Certificate, nota: NotaAberta, agora: Date): Juizo {
  const avisos = [CADEIA]
  const recusar = (codigo: number, mensagem: string): Juizo => ({
    parecer: invalida(codigo, mensagem, [{ caminho: CERTIFICADO, valor: null }]),
    avisos,
  })
  if (certificado.ca) return recusar(290, 'O certificado da assinatura é de uma autoridade certificadora.')
  const emissao = Date.parse(descer(nota.infNFe, 'ide/dhEmi')?.texto ?? '')
  if (emissao > certificado.validToDate.getTime())
    return recusar(291, 'O certificado da assinatura já estava vencido na data de emissão da nota (dhEmi).')
  if (certificado.validFromDate > agora) return recusar(291, 'O certificado da assinatura ainda não vale.')
  if (certificado.validToDate < agora && !nota.comProtocolo) avisos.push(VENCIDO)
  const titular = findTitular(certificado.raw)
  if (!titular) return recusar(292, 'O certificado da assinatura não diz o CNPJ nem o CPF do seu titular.')
  const emitente = titularErrado(titular, nota.infNFe)
  return emitente ? recusar(...emitente) : { avisos }
}

const CADEIA =
  'A cadeia do certificado (ICP-Brasil) e a lista de revogados não são conferidas aqui: as rejeições 293 a 296 ficam sem resposta.'

const VENCIDO =
  'O certificado da assinatura está vencido hoje. Se a nota ainda não foi transmitida, assine com um certificado válido (rejeição 291).'

/** A holder that is not the issuer. A note that the tax office issues is signed by others. */
function titularErrado(
  { tipo, documento }: NonNullable<ReturnType<typeof findTitular>>,
  infNFe: Elemento,
): [codigo: number, mensagem: string] | undefined {
  const ler = (caminho: string): string => descer(infNFe, caminho)?.texto ?? ''
  const isDoEmitente =
    ler('ide/procEmi') === '0' && ler('ide/tpEmis') !== '3' && Number(ler('ide/serie')) < 890
  if (!isDoEmitente || ler('ide/mod') !== '55' || achaPaa(infNFe)) return undefined
  const cnpj = ler('emit/CNPJ')
  const cpf = ler('emit/CPF')
  if (tipo === 'cnpj' && cnpj && !isMesmaEmpresa(cnpj, documento))
    return [
      213,
      `O certificado da assinatura é de outra empresa (${maskDocumento(documento)}), não do emitente.`,
    ]
  if (tipo === 'cpf' && cpf && cpf !== documento)
    return [227, `O certificado da assinatura é de outro CPF (${maskDocumento(documento)}), não do emitente.`]
  return undefined
}

const achaPaa = (infNFe: Elemento): boolean => infNFe.filhos.some(({ nome }) => nome === 'infPAA')
