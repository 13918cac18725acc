import { createHash, sign } from 'node:crypto'
import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Assinante, Sign } from '../platform/icp/icp.ts'
import { type Campo, type Campos, NFE, writeCampos } from '../platform/xml.ts'
import { dataHora, documentoDe, ieDe, reais, valoresDa, writeInfNFe } from './inf-nfe.ts'
import type { Nota } from './nota.ts'

/** SHA-1 of infNFe in base64, as signature, protocol and summary tell it. */
export const digest = (canonico: string): string => createHash('sha1').update(canonico).digest('base64')

/** 15 digits, of São Paulo (MOC 7.0, Anexo I, "nProt"). */
export function protocoloDe({ chave, autorizacao }: Nota): string {
  const semente = sementeDe(chave)
  const sequencial = (semente * 2 + (mix(semente, 1) % 2)).toString().padStart(10, '0').slice(-10)
  return `135${dataHora(autorizacao).slice(2, 4)}${sequencial}`
}

const SITUACAO = { autorizada: '1', denegada: '2', cancelada: '3' } as const

/** `resNFe` 1.01 (resNFe_v1.01.xsd). `dhRecbto` is the authorization. */
export function writeResumo(nota: Nota): string {
  const { chave, emitente, autorizacao, situacao } = nota
  const [dhEmi, vNF, digVal] = [
    dataHora(autorizacao),
    reais(valoresDa(nota).total),
    digest(writeInfNFe(nota).canonico),
  ]
  return writeCampos({
    [`resNFe xmlns="${NFE}" versao="1.01"`]: {
      ...{ chNFe: chave, ...documentoDe(emitente), xNome: emitente.nome, IE: ieDe(emitente) },
      ...{
        dhEmi,
        tpNF: '1',
        vNF,
        digVal,
        dhRecbto: dhEmi,
        nProt: protocoloDe(nota),
        cSitNFe: SITUACAO[situacao],
      },
    },
  })
}

/** `nfeProc` 4.00 (procNFe_v4.00.xsd), signed by the issuer; the same octets each time. */
export type WriteNfeProc = (nota: Nota) => Promise<string>

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

export const createEscrivao =
  (sign: Sign): WriteNfeProc =>
  async (nota) => {
    const { arquivo, canonico } = writeInfNFe(nota)
    const digVal = digest(canonico)
    const assinatura = writeAssinatura(nota.chave, digVal, await sign(nota.emitente))
    const nfe = `<NFe xmlns="${NFE}">${arquivo}${assinatura}</NFe>`
    return `<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00" xmlns="${NFE}">${nfe}${writeProtocolo(nota, digVal)}</nfeProc>`
  }

/** As the schema fixes it: RSA-SHA1 over Canonical XML, the leaf alone (MOC 7.0, 3.2.6). */
function writeAssinatura(chave: string, digVal: string, { privada, certificado }: Assinante): string {
  const transformacoes = [`${DSIG}enveloped-signature`, C14N].map(
    (um): Campo => [`Transform Algorithm="${um}"`, ''],
  )
  const informacao: Campos = {
    [`CanonicalizationMethod Algorithm="${C14N}"`]: '',
    [`SignatureMethod Algorithm="${DSIG}rsa-sha1"`]: '',
    [`Reference URI="#NFe${chave}"`]: {
      Transforms: transformacoes,
      [`DigestMethod Algorithm="${DSIG}sha1"`]: '',
      DigestValue: digVal,
    },
  }
  // The canonical form repeats the namespace that the file's inherits.
  const canonico = writeCampos({ [`SignedInfo xmlns="${DSIG}"`]: informacao })
  return writeCampos({
    [`Signature xmlns="${DSIG}"`]: {
      SignedInfo: informacao,
      SignatureValue: sign('sha1', Buffer.from(canonico), privada).toString('base64'),
      KeyInfo: { X509Data: { X509Certificate: certificado.toString('base64') } },
    },
  })
}

const PROTOCOLO = {
  autorizada: ['100', 'Autorizado o uso da NF-e'],
  cancelada: ['100', 'Autorizado o uso da NF-e'],
  denegada: ['110', 'Uso Denegado'],
} as const

/** What the authorizer answered when it got the note: `protNFe` 4.00. A cancelled one had been authorized. */
export function writeProtocolo(nota: Nota, digVal: string): string {
  const [cStat, xMotivo] = PROTOCOLO[nota.situacao]
  const infProt = {
    ...{ tpAmb: '1', verAplic: 'SP_NFE_PL009_V4', chNFe: nota.chave, dhRecbto: dataHora(nota.autorizacao) },
    ...{ nProt: protocoloDe(nota), digVal, cStat, xMotivo },
  }
  return writeCampos({ 'protNFe versao="4.00"': { infProt } })
}
