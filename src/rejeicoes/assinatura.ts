import { hash, verify, type X509Certificate } from 'node:crypto'
import { isMesmaEmpresa, maskDocumento } from '../documento/documento.ts'
import { findTitular } from '../platform/wire/a1.ts'
import { parseX509 } from '../platform/wire/certificado.ts'
import { descend, type Elemento } from './arvore.ts'
import {
  type Canonicos,
  canonize,
  canonizePartes,
  isDestaChave,
  type NotaAberta,
  semEspacos,
} from './nota.ts'
import type { CampoLido, Laudo } from './rules-laudo.ts'

export type Parecer = Laudo['assinatura'] & {
  codigo?: number | undefined
  /** Nothing but blanks between elements differs from what was signed. */
  soFormatacao?: true
  campos?: CampoLido[]
  avisos?: readonly string[]
}

const invalida = (codigo: number, mensagem: string, campos: CampoLido[]): Parecer => ({
  situacao: 'invalida',
  mensagem,
  codigo,
  campos,
})

const CERTIFICADO = 'Signature/KeyInfo/X509Data/X509Certificate'

type Juizo = { parecer?: Parecer; avisos: string[] }

/**
 * By what is certain: its kind, its time against `dhEmi`, its holder (MOC 7.0, Anexo I, 290, 291, 292, 213,
 * 227).
 */
function judgeCertificado(certificado: X509Certificate, nota: NotaAberta, agora: Date): Juizo {
  const avisos = [CADEIA]
  const refuse = (codigo: number, mensagem: string): Juizo => ({
    parecer: invalida(codigo, mensagem, [{ caminho: CERTIFICADO, valor: null }]),
    avisos,
  })
  if (certificado.ca) return refuse(290, 'O certificado da assinatura é de uma autoridade certificadora.')
  const emissao = Date.parse(descend(nota.infNFe, 'ide/dhEmi')?.texto ?? '')
  if (emissao > certificado.validToDate.getTime())
    return refuse(291, 'O certificado da assinatura já estava vencido na data de emissão da nota (dhEmi).')
  if (certificado.validFromDate > agora) return refuse(291, 'O certificado da assinatura ainda não vale.')
  if (certificado.validToDate < agora && !nota.comProtocolo) avisos.push(VENCIDO)
  const titular = findTitular(certificado.raw)
  if (!titular) return refuse(292, 'O certificado da assinatura não diz o CNPJ nem o CPF do seu titular.')
  const emitente = titularErrado(titular, nota.infNFe)
  return emitente ? refuse(...emitente) : { avisos }
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
  const read = (caminho: string): string => descend(infNFe, caminho)?.texto ?? ''
  const isDoEmitente =
    read('ide/procEmi') === '0' && read('ide/tpEmis') !== '3' && Number(read('ide/serie')) < 890
  if (!isDoEmitente || read('ide/mod') !== '55' || hasPaa(infNFe)) return undefined
  const cnpj = read('emit/CNPJ')
  const cpf = read('emit/CPF')
  if (tipo === 'cnpj' && cnpj && !isMesmaEmpresa(cnpj, documento))
    return [
      213,
      `O certificado da assinatura é de outra empresa (${maskDocumento(documento)}), não do emitente.`,
    ]
  if (tipo === 'cpf' && cpf && cpf !== documento)
    return [227, `O certificado da assinatura é de outro CPF (${maskDocumento(documento)}), não do emitente.`]
  return undefined
}

const hasPaa = (infNFe: Elemento): boolean => infNFe.filhos.some(({ nome }) => nome === 'infPAA')

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const BASE = 'Signature/SignedInfo'

/**
 * In the order of the authority (MOC 7.0, Anexo I, groups E and F). The certificate's chain is not checked.
 */
export function checkAssinatura(nota: NotaAberta, agora: Date): Parecer {
  const assinatura = nota.nfe.filhos.find(({ nome }) => nome === 'Signature')
  if (!assinatura) return { situacao: 'ausente', mensagem: AUSENTE }
  const texto = descend(assinatura, 'KeyInfo/X509Data/X509Certificate')?.texto.trim() ?? ''
  const certificado = parseX509(Buffer.from(texto, 'base64'))
  if (!certificado)
    return invalida(290, 'A assinatura não traz um certificado X.509 que se possa ler.', [
      { caminho: 'Signature/KeyInfo/X509Data/X509Certificate', valor: null },
    ])
  const daForma = checkForma(assinatura, nota.infNFe)
  const doCertificado = judgeCertificado(certificado, nota, agora)
  if (daForma) return { ...daForma, avisos: doCertificado.avisos }
  const doValor = checkValor(assinatura, nota, certificado)
  return { ...(doCertificado.parecer ?? doValor), avisos: doCertificado.avisos }
}

const AUSENTE =
  'A nota não está assinada. Corrija o que for preciso, assine com o certificado do emitente e só então transmita.'

/** The only form that the schema of the signature allows. */
function checkForma(assinatura: Elemento, { atributos }: Elemento): Parecer | undefined {
  const info = assinatura.filhos.find(({ nome }) => nome === 'SignedInfo')
  const algoritmo = (caminho: string): string | undefined => descend(info, caminho)?.atributos.Algorithm
  const transforms = descend(info, 'Reference/Transforms')?.filhos.map((filho) => filho.atributos.Algorithm)
  const uri = descend(info, 'Reference')?.atributos.URI
  const lidos: [string, string | undefined, string][] = [
    [`${BASE}/CanonicalizationMethod/@Algorithm`, algoritmo('CanonicalizationMethod'), C14N],
    [`${BASE}/SignatureMethod/@Algorithm`, algoritmo('SignatureMethod'), `${DSIG}rsa-sha1`],
    [`${BASE}/Reference/@URI`, uri, `#${atributos.Id ?? ''}`],
    [
      `${BASE}/Reference/Transforms`,
      transforms?.toSorted().join(' '),
      [`${DSIG}enveloped-signature`, C14N].toSorted().join(' '),
    ],
    [`${BASE}/Reference/DigestMethod/@Algorithm`, algoritmo('Reference/DigestMethod'), `${DSIG}sha1`],
  ]
  const errado = lidos.find(([, valor, certo]) => valor !== certo)
  if (!errado) return undefined
  const [caminho, valor = null, certo] = errado
  return invalida(298, `A assinatura não segue o padrão da NF-e: em ${caminho}, o esperado é ${certo}.`, [
    { caminho, valor },
  ])
}

/**
 * Where they fit only without blanks between elements, the file was laid out anew: before, its signature was
 * good.
 */
function checkValor(assinatura: Elemento, nota: NotaAberta, certificado: X509Certificate): Parecer {
  const soDaNota = canonize(nota.documento, nota.xml)
  const primeiro = compare(assinatura, soDaNota, certificado)
  if (primeiro.situacao === 'valida') return primeiro
  // What surrounds the note may be a part of what was signed.
  const todos = nota.inteiro === nota.documento ? [soDaNota] : [soDaNota, canonizePartes(nota.inteiro)]
  const fits = (canonicos: Canonicos): boolean =>
    compare(assinatura, canonicos, certificado).situacao === 'valida'
  const valida = todos.slice(1).find(fits)
  if (valida) return compare(assinatura, valida, certificado)
  if (!todos.flatMap(formatados).some(fits)) return primeiro
  // What has an authorization was received as it was signed: this file is another copy of it.
  return nota.protocolo === undefined || !isDestaChave(nota.protocolo, nota)
    ? SO_FORMATACAO
    : { ...SO_FORMATACAO, codigo: undefined }
}

/** The same with blanks taken out of the note, of what was signed of it, and of both. */
function formatados({ infNFe, signedInfo }: Canonicos): Canonicos[] {
  const [nota, info] = [infNFe, signedInfo].map((parte) => parte && semEspacos(parte))
  if (nota === infNFe && info === signedInfo) return []
  return [
    { infNFe: nota, signedInfo: info },
    { infNFe: nota, signedInfo },
    { infNFe, signedInfo: info },
  ]
}

const SO_FORMATACAO: Parecer = {
  ...invalida(
    297,
    'Só a formatação mudou: use o arquivo original. Sem os espaços e as quebras de linha que alguém pôs entre os elementos, a assinatura confere; não é preciso assinar de novo.',
    [],
  ),
  soFormatacao: true,
}

function compare(
  assinatura: Elemento,
  { infNFe, signedInfo }: Canonicos,
  { publicKey }: X509Certificate,
): Parecer {
  const digest = descend(assinatura, 'SignedInfo/Reference/DigestValue')?.texto.replace(/\s/g, '') ?? ''
  if (infNFe === undefined || hash('sha1', infNFe, 'base64') !== digest)
    return invalida(
      297,
      'O conteúdo da nota não é o que foi assinado: o resumo (DigestValue) difere do calculado. Algo mudou depois da assinatura; assine de novo.',
      [{ caminho: `${BASE}/Reference/DigestValue`, valor: digest }],
    )
  const valor = Buffer.from(
    assinatura.filhos.find(({ nome }) => nome === 'SignatureValue')?.texto ?? '',
    'base64',
  )
  const fits =
    publicKey.asymmetricKeyType === 'rsa' &&
    signedInfo !== undefined &&
    verify('sha1', Buffer.from(signedInfo), publicKey, valor)
  if (!fits)
    return invalida(
      297,
      'O valor da assinatura (SignatureValue) não confere com o certificado que a acompanha. Assine de novo.',
      [{ caminho: 'Signature/SignatureValue', valor: null }],
    )
  return {
    situacao: 'valida',
    mensagem: 'A assinatura confere com o conteúdo da nota e com o certificado que a acompanha.',
  }
}
