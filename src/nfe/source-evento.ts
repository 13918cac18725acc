import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { writeInstante } from '../documento/dia.ts'
import type { Interessado } from '../platform/wire/certificado.ts'
import { child, children, textOf, type XmlNode } from '../platform/wire/xml.ts'
import { type DesfechoDoEvento, type Evento, eventos } from './rules.ts'
import {
  callNacional,
  fontesNfe,
  type MeiosNfe,
  NFE,
  type RespostaNacional,
  readCodigo,
  tpAmbOf,
} from './source.ts'

export type Assinavel = {
  /** The canonical form (C14N 1.0) of the element, as if it began its document: with its namespace. */
  canonico: string
  id: string
  key: Buffer
  /** PEM. Only the first certificate, the leaf, goes into the signature. */
  cert: string
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** xmldsig-core-schema_v1.01.xsd. It writes the canonical form: what is signed is what is sent. */
export function signElement({ canonico, id, key, cert }: Assinavel): string {
  const privada = createPrivateKey(key)
  if (privada.asymmetricKeyType !== 'rsa') throw new Error('only an RSA key can sign an NF-e event')
  const info = signedInfo(id, createHash('sha1').update(canonico, 'utf8').digest('base64'))
  const assinado = sign('sha1', Buffer.from(`<SignedInfo xmlns="${DSIG}">${info}</SignedInfo>`), privada)
  const folha = new X509Certificate(cert).raw.toString('base64')
  const dados = writeElement('X509Data', writeElement('X509Certificate', folha))
  return `<Signature xmlns="${DSIG}">${writeElement('SignedInfo', info)}${writeElement('SignatureValue', assinado.toString('base64'))}${writeElement('KeyInfo', dados)}</Signature>`
}

const writeElement = (name: string, content: string): string => `<${name}>${content}</${name}>`

/** An algorithm of the signature. C14N writes no empty tags. */
const method = (name: string, algorithm: string): string => `<${name} Algorithm="${algorithm}"></${name}>`

function signedInfo(id: string, digest: string): string {
  const transforms = method('Transform', `${DSIG}enveloped-signature`) + method('Transform', C14N)
  const reference =
    writeElement('Transforms', transforms) +
    method('DigestMethod', `${DSIG}sha1`) +
    writeElement('DigestValue', digest)
  return (
    method('CanonicalizationMethod', C14N) +
    method('SignatureMethod', `${DSIG}rsa-sha1`) +
    `<Reference URI="#${id}">${reference}</Reference>`
  )
}

/** Writes a text between tags as C14N does (Canonical XML 1.0, 2.3). */
const escapeText = (text: string): string => text.replace(/[&<>\r]/g, (char) => ESCAPED[char] ?? char)

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }

/** PEM (key PKCS#8, leaf first). The signer is the author, or another establishment of its company. */
export type PedidoDeEvento = { chave: string; evento: Evento; autor: Interessado; key: Buffer; cert: string }

const SERVICO = 'NFeRecepcaoEvento4'
/** The operation of the national environment. The states' services have `nfeRecepcaoEvento`. */
const OPERATION = 'nfeRecepcaoEventoNF'
const AMBIENTE_NACIONAL = '91'
/** This code is the lot's. The event's own code stands in its own part. */
const LOTE_PROCESSADO = '128'

/** NFeRecepcaoEvento4 (NT 2020.001 v1.50, 6; envConfRecebto_v1.00.xsd). It is sent once, whatever happens. */
export async function registerEvento(meios: MeiosNfe, pedido: PedidoDeEvento): Promise<DesfechoDoEvento> {
  const resposta = await callNacional(meios, {
    fonte: fontesNfe.eventos,
    servico: SERVICO,
    operation: OPERATION,
    body: `<nfeDadosMsg xmlns="${NFE}/wsdl/${SERVICO}">${envEvento(meios, pedido)}</nfeDadosMsg>`,
    answer: 'retEnvEvento',
  })
  return readResposta(resposta, pedido)
}

/** The lot of one event. Its number is the time in milliseconds, and only we use it. */
function envEvento({ ambiente, now }: MeiosNfe, { chave, evento, autor, key, cert }: PedidoDeEvento): string {
  const { tpEvento, descEvento } = eventos[evento]
  const id = `ID${tpEvento}${chave}01`
  const agora = now()
  const dados = [
    element('cOrgao', AMBIENTE_NACIONAL),
    element('tpAmb', tpAmbOf(ambiente)),
    element(autor.tipo.toUpperCase(), autor.documento),
    element('chNFe', chave),
    element('dhEvento', writeInstante(agora)),
    element('tpEvento', tpEvento),
    element('nSeqEvento', '1'),
    element('verEvento', '1.00'),
    `<detEvento versao="1.00">${element('descEvento', descEvento)}</detEvento>`,
  ].join('')
  const canonico = `<infEvento xmlns="${NFE}" Id="${id}">${dados}</infEvento>`
  const infEvento = `<infEvento Id="${id}">${dados}</infEvento>`
  const signature = signElement({ canonico, id, key, cert })
  return `<envEvento xmlns="${NFE}" versao="1.00">${element('idLote', String(agora.getTime()))}<evento versao="1.00">${infEvento}${signature}</evento></envEvento>`
}

const element = (name: string, text: string): string => `<${name}>${escapeText(text)}</${name}>`

function readResposta(resposta: RespostaNacional, { chave, evento }: PedidoDeEvento): DesfechoDoEvento {
  const { answer, naoServe } = resposta
  const { tpEvento } = eventos[evento]
  const results = children(answer, 'retEvento').map((ret) => child(ret, 'infEvento'))
  // A rejection may leave out the note and the event (leiauteConfRecebto_v1.00.xsd).
  const isOurs = (result: XmlNode): boolean =>
    [chave, ''].includes(textOf(result, 'chNFe')) && [tpEvento, ''].includes(textOf(result, 'tpEvento'))
  const own = results.find(isOurs)
  if (results.length > 0 && own === undefined) throw naoServe('respondeu sobre outro evento')
  const codigo = readCodigo(own ?? answer, resposta)
  if (own === undefined && codigo.cStat === LOTE_PROCESSADO)
    throw naoServe('processou o lote e não disse o que houve com o evento')
  return { tipo: 'resposta', ...codigo }
}
