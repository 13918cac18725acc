import { X509Certificate } from 'node:crypto'
import { codigosUf } from '../documento/uf.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { readTitular } from '../platform/icp/catalogo.ts'
import { atributosDe, checkTexto, DSIG, isFolha, semTexto } from '../platform/soap.ts'
import { type Elemento, readXml, walk } from '../platform/xml.ts'
import { FORMATO_DA_CHAVE } from './nacional.ts'

export type EventoPedido = {
  id: string
  cOrgao: string
  tpAmb: string
  autor: Pick<Chamador, 'tipo' | 'documento'>
  chave: string
  dhEvento: Date
  tpEvento: string
  nSeqEvento: string
  verEvento: string
  detEvento: Elemento
  assinatura: Elemento
}

/** A lot as it was read; `area` is the message by itself, which is what signatures are checked in. */
type Lote = { idLote: string; eventos: readonly EventoPedido[]; area: string }

export type Leitura = Lote | { cStat: number; idLote?: string }

const MAXIMO = 500 * 1024
const EVENTOS_DE_UM_LOTE = 20
const ORGAOS: readonly string[] = [...Object.values(codigosUf), '90', '91', '92']

/** `TDateTimeUTC` (tiposBasico_v1.03.xsd). That the day exists is checked apart. */
const INSTANTE = /^20\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[-+](?:0\d|1[01])|\+12):00$/

/** 214, 225, 404, 587, 588, 516 and 517 (leiauteConfRecebto_v1.00.xsd; NT 2020.001 v1.50, 6.3.6). */
export function readEnvEvento(area: string): Leitura {
  if (Buffer.byteLength(area) > MAXIMO) return { cStat: 214 }
  const raiz = readXml(area)
  const idLote = raiz?.filhos.find(({ nome, texto }) => nome === 'idLote' && /^\d{1,15}$/.test(texto))?.texto
  const refuse = (cStat: number): Leitura => ({ cStat, ...(idLote ? { idLote } : {}) })
  if (raiz?.nome !== 'envEvento') return refuse(516)
  if (raiz.atributos.versao === undefined) return refuse(517)
  const eventos = readEventos(raiz)
  if (!eventos || !idLote) return refuse(225)
  const cStat = checkTexto(area, [raiz])
  return cStat ? refuse(cStat) : { idLote, eventos, area }
}

function readEventos(raiz: Elemento): EventoPedido[] | undefined {
  const [idLote, ...filhos] = raiz.filhos
  if (!has(raiz, 'versao') || raiz.atributos.versao !== '1.00' || !semTexto(raiz)) return undefined
  if (idLote?.nome !== 'idLote' || !isFolha(idLote)) return undefined
  if (filhos.length === 0 || filhos.length > EVENTOS_DE_UM_LOTE) return undefined
  const ids = walk(raiz).flatMap(({ atributos }) => atributos.Id ?? [])
  if (new Set(ids).size < ids.length) return undefined
  const eventos = filhos.map(readEvento)
  return eventos.every((evento) => evento !== undefined) ? eventos : undefined
}

function readEvento(evento: Elemento): EventoPedido | undefined {
  const [infEvento, assinatura, ...resto] = evento.filhos
  const certo = evento.nome === 'evento' && has(evento, 'versao') && evento.atributos.versao === '1.00'
  if (!certo || !semTexto(evento) || resto.length > 0) return undefined
  if (infEvento?.nome !== 'infEvento' || assinatura?.nome !== 'Signature') return undefined
  return readInfEvento(infEvento, assinatura)
}

const CAMPOS = /^cOrgao tpAmb (?:CNPJ|CPF) chNFe dhEvento tpEvento nSeqEvento verEvento detEvento$/

function readInfEvento(infEvento: Elemento, assinatura: Elemento): EventoPedido | undefined {
  const { filhos } = infEvento
  if (!has(infEvento, 'Id') || !semTexto(infEvento)) return undefined
  if (!CAMPOS.test(filhos.map(({ nome }) => nome).join(' '))) return undefined
  const [cOrgao, tpAmb, autor, chave, dhEvento, tpEvento, nSeqEvento, verEvento, detEvento] = filhos
  if (!autor || !detEvento || !filhos.slice(0, -1).every(isFolha) || !has(detEvento, 'versao'))
    return undefined
  const texto = (elemento: Elemento | undefined): string => elemento?.texto ?? ''
  const lido = {
    id: infEvento.atributos.Id ?? '',
    cOrgao: texto(cOrgao),
    tpAmb: texto(tpAmb),
    autor: { tipo: autor.nome === 'CPF' ? 'cpf' : 'cnpj', documento: autor.texto },
    chave: texto(chave),
    dhEvento: new Date(texto(dhEvento)),
    tpEvento: texto(tpEvento),
    nSeqEvento: texto(nSeqEvento),
    verEvento: texto(verEvento),
    detEvento,
    assinatura,
  } as const
  return hasFormato(lido) && isInstante(texto(dhEvento)) ? lido : undefined
}

/**
 * The newest schema takes letters in `CNPJ` and `chNFe`, but not in `Id` (PL_010 V1.30): scenario
 * `letras-225`.
 */
function hasFormato({
  id,
  cOrgao,
  tpAmb,
  autor,
  chave,
  tpEvento,
  nSeqEvento,
  verEvento,
}: EventoPedido): boolean {
  const documento = autor.tipo === 'cpf' ? /^\d{11}$/ : /^[0-9A-Z]{12}\d{2}$/
  return (
    /^ID\d{12}[0-9A-Z]{12}\d{28}$/.test(id) &&
    ORGAOS.includes(cOrgao) &&
    /^[12]$/.test(tpAmb) &&
    documento.test(autor.documento) &&
    FORMATO_DA_CHAVE.test(chave) &&
    /^\d{6}$/.test(tpEvento) &&
    /^\d{1,2}$/.test(nSeqEvento) &&
    /^\d\.\d\d$/.test(verEvento)
  )
}

function isInstante(texto: string): boolean {
  const dia = new Date(texto.slice(0, 10))
  return INSTANTE.test(texto) && dia.getUTCDate() === Number(texto.slice(8, 10))
}

/** That attribute and no other. */
const has = (elemento: Elemento, atributo: string): boolean => atributosDe(elemento).join() === atributo

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

export type Juizo = { area: string; cadeia: readonly X509Certificate[]; agora: Date }

// 290 to 293 judge the certificate, 213 and 227 its holder, 298 the form, 297 digest and signature.
/** The rules of the signature in the order of NT 2020.001 v1.50, 6.3.7. */
export async function checkAssinatura(evento: EventoPedido, juizo: Juizo): Promise<number | undefined> {
  const { assinatura, autor, id } = evento
  const base64 = walk(assinatura).find(({ nome }) => nome === 'X509Certificate')?.texto
  if (!base64) return 298
  const certificado = parseCertificado(base64)
  if (!certificado) return 290
  const recusa = checkCertificado(certificado, juizo) ?? checkAutor(autor, readTitular(certificado))
  if (recusa) return recusa
  if (esqueleto(assinatura) !== forma(id)) return 298
  return (await fits(assinatura, certificado, juizo.area)) ? undefined : 297
}

function parseCertificado(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/** No revoked certificates are simulated (294, 296), nor a known chain outside ICP-Brasil (295). */
function checkCertificado(certificado: X509Certificate, { cadeia, agora }: Juizo): number | undefined {
  if (certificado.ca) return 290
  if (agora < certificado.validFromDate || agora > certificado.validToDate) return 291
  if (!readTitular(certificado)) return 292
  const assinado = cadeia.some((ca) => certificado.checkIssued(ca) && certificado.verify(ca.publicKey))
  return assinado ? undefined : 293
}

function checkAutor(autor: EventoPedido['autor'], titular: Chamador | undefined): number | undefined {
  const { tipo, documento } = autor
  if (tipo === 'cpf') return titular?.documento === documento ? undefined : 227
  const mesmaBase = titular?.tipo === 'cnpj' && titular.documento.slice(0, 8) === documento.slice(0, 8)
  return mesmaBase ? undefined : 213
}

/** The one form that a signature may have, over the element of that Id. */
const forma = (id: string): string =>
  `Signature(SignedInfo(CanonicalizationMethod Algorithm=${C14N}()SignatureMethod Algorithm=${DSIG}rsa-sha1()` +
  `Reference URI=#${id}(Transforms(Transform Algorithm=${DSIG}enveloped-signature()Transform Algorithm=${C14N}())` +
  `DigestMethod Algorithm=${DSIG}sha1()DigestValue(#)))SignatureValue(#)KeyInfo(X509Data(X509Certificate(#))))`

/** Names, attributes and order of elements; `#` where there is text. */
function esqueleto({ nome, atributos, filhos, texto }: Elemento): string {
  const seus = Object.entries(atributos).filter(([atributo]) => atributo !== 'xmlns')
  const conteudo = (texto.trim() && '#') + filhos.map(esqueleto).join('')
  return `${nome}${seus.map(([atributo, valor]) => ` ${atributo}=${valor}`).join('')}(${conteudo})`
}

/** Checked outside the envelope, because inclusive canonicalization would take in its prefixes. */
async function fits({ inicio, fim }: Elemento, certificado: X509Certificate, area: string): Promise<boolean> {
  const { SignedXml } = await import('xml-crypto')
  const verificador = new SignedXml({ publicCert: certificado.toString() })
  try {
    verificador.loadSignature(area.slice(inicio, fim))
    return verificador.checkSignature(area)
  } catch {
    return false
  }
}

export type TipoDeEvento = {
  descEvento: string
  prazoDias: number
  vezes: number
  conclusivo: boolean
  justificativa: 'nenhuma' | 'possivel' | 'obrigatoria'
}

/** Windows of Ajuste SINIEF 14/26, since 2026-06-01; the conclusive ones twice (Ajuste SINIEF 43/23). */
const tipos = new Map<string, TipoDeEvento>([
  ['210200', conclusivo('Confirmacao da Operacao', 'nenhuma')],
  [
    '210210',
    {
      descEvento: 'Ciencia da Operacao',
      prazoDias: 10,
      vezes: 1,
      conclusivo: false,
      justificativa: 'nenhuma',
    },
  ],
  ['210220', conclusivo('Desconhecimento da Operacao', 'possivel')],
  ['210240', conclusivo('Operacao nao Realizada', 'obrigatoria')],
])

function conclusivo(descEvento: string, justificativa: TipoDeEvento['justificativa']): TipoDeEvento {
  return { descEvento, prazoDias: 90, vezes: 2, conclusivo: true, justificativa }
}

export const findTipo = (tpEvento: string): TipoDeEvento | undefined => tipos.get(tpEvento)
