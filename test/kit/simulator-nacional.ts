import assert from 'node:assert/strict'
import forge from 'node-forge'
import { SignedXml } from 'xml-crypto'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo } from '../../simulator/nfe/nota.ts'
import { type Authorities, type Reply, startAuthorities } from './simulator-authority.ts'
import { envelope, NFE } from './simulator-consulta.ts'

export const DAY = 86_400_000
export const HOUR = 3_600_000
export const MINUTE = 60_000

export const WWW1 = 'www1.nfe.fazenda.gov.br'
export const WWW = 'www.nfe.fazenda.gov.br'
export const DISTRIBUTION = {
  path: '/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
  wsdl: `${NFE}/wsdl/NFeDistribuicaoDFe`,
}
export const EVENTS = {
  path: '/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  wsdl: `${NFE}/wsdl/NFeRecepcaoEvento4`,
}

const SOAP12 = { 'content-type': 'application/soap+xml; charset=utf-8' }
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

type How = { host?: string; certificate?: string | null; headers?: Record<string, string> }

/** The parts of an event. Each part may be replaced. */
export type Said = {
  id?: string
  cOrgao?: string
  tpAmb?: string
  autor?: string
  chave: string
  dhEvento?: string
  tpEvento?: string
  nSeqEvento?: string
  verEvento?: string
  detEvento?: string
}

/** The national environment in this process, with a clock that stands still until it is moved. */
export type National = Authorities & {
  now: () => Date
  pass: (ms: number) => void
  /** The key of a scenario's note. Its age is `age` in milliseconds, or else the scenario's. */
  keyOf: (name: string, age?: number) => string
  /** Sends the distribution that message, unchanged. */
  distribute: (message: string, how?: How) => Promise<Reply>
  /** Asks for a key in the name of the scenario's holder, with the holder's file. */
  query: (name: string, key?: string) => Promise<Reply>
  /** An unsigned event of the scenario's holder: a Ciência, unless `said` names another one. */
  event: (name: string, said: Said) => string
  /** Signs an event with an A1 file of the simulator. */
  sign: (event: string, file: string) => Promise<string>
  /** Sends a lot of events, unchanged. */
  send: (events: string, how?: How) => Promise<Reply>
  /** Signs and sends an event of the scenario's holder. */
  register: (name: string, said: Said) => Promise<Reply>
}

const names = new Map([
  ['210200', 'Confirmacao da Operacao'],
  ['210210', 'Ciencia da Operacao'],
  ['210220', 'Desconhecimento da Operacao'],
  ['210240', 'Operacao nao Realizada'],
])

/** The clock begins at the real second, since certificates are in force by the real clock. */
export async function startNational(): Promise<National> {
  let instant = Math.floor(Date.now() / 1000) * 1000
  const now = () => new Date(instant)
  const authorities = await startAuthorities(now)
  const files = new Map<string, Promise<Signer>>()
  const open = async (file: string) => {
    const a1 = await authorities.icp.certificado(file)
    assert.ok(a1, file)
    return openPfx(a1.pfx, a1.item.senha)
  }
  const national: National = {
    ...authorities,
    now,
    pass: (ms) => {
      instant += ms
    },
    keyOf: (name, age) => {
      const cenario = comCenario(name)
      return chaveDo(cenario, new Date(instant - (age ?? cenario.idadeDias * DAY)))
    },
    distribute: (message, { host = WWW1, certificate = 'empresa', headers = SOAP12 } = {}) =>
      authorities.ask(host, { path: DISTRIBUTION.path, body: inDistribution(message), headers, certificate }),
    query: (name, key = national.keyOf(name)) =>
      national.distribute(distDFeInt(holderOf(name), `<consChNFe><chNFe>${key}</chNFe></consChNFe>`), {
        certificate: `nfe-${name}`,
      }),
    event: (name, said) => writeEvent({ autor: holderOf(name), dhEvento: brasilia(now()), ...said }),
    sign: async (event, file) => {
      const opened = files.get(file) ?? open(file)
      files.set(file, opened)
      return signEvent(event, await opened)
    },
    send: (events, { host = WWW1, certificate = 'empresa', headers = SOAP12 } = {}) =>
      authorities.ask(host, { path: EVENTS.path, body: inEvents(events), headers, certificate }),
    register: async (name, said) => {
      const certificate = `nfe-${name}`
      return national.send(await national.sign(national.event(name, said), certificate), { certificate })
    },
  }
  return national
}

/** The holder of a scenario, as messages name it. */
export function holderOf(name: string): string {
  const { tipo, documento } = comCenario(name).titular
  return tipo === 'cnpj' ? `<CNPJ>${documento}</CNPJ>` : `<CPF>${documento}</CPF>`
}

/** A distDFeInt 1.01, as a client writes it. */
export function distDFeInt(party: string, question: string, tpAmb = '1'): string {
  return `<distDFeInt xmlns="${NFE}" versao="1.01"><tpAmb>${tpAmb}</tpAmb><cUFAutor>35</cUFAutor>${party}${question}</distDFeInt>`
}

export function inDistribution(message: string, soap: '1.1' | '1.2' = '1.2'): string {
  const data = `<nfeDadosMsg>${message}</nfeDadosMsg>`
  return envelope(`<nfeDistDFeInteresse xmlns="${DISTRIBUTION.wsdl}">${data}</nfeDistDFeInteresse>`, soap)
}

function inEvents(events: string): string {
  return envelope(`<nfeDadosMsg xmlns="${EVENTS.wsdl}">${lot(events)}</nfeDadosMsg>`)
}

function lot(events: string): string {
  if (events.startsWith('<envEvento')) return events
  return `<envEvento xmlns="${NFE}" versao="1.00"><idLote>7</idLote>${events}</envEvento>`
}

function writeEvent(said: Said): string {
  const { chave, autor = '', cOrgao = '91', tpAmb = '1', dhEvento = '', verEvento = '1.00' } = said
  const { tpEvento = '210210', nSeqEvento = '1' } = said
  const { detEvento = `<descEvento>${names.get(tpEvento) ?? 'Outro'}</descEvento>` } = said
  const id = said.id ?? `ID${tpEvento}${chave}${nSeqEvento.padStart(2, '0')}`
  return (
    `<evento versao="1.00"><infEvento Id="${id}"><cOrgao>${cOrgao}</cOrgao><tpAmb>${tpAmb}</tpAmb>${autor}` +
    `<chNFe>${chave}</chNFe><dhEvento>${dhEvento}</dhEvento><tpEvento>${tpEvento}</tpEvento>` +
    `<nSeqEvento>${nSeqEvento}</nSeqEvento><verEvento>${verEvento}</verEvento>` +
    `<detEvento versao="1.00">${detEvento}</detEvento></infEvento></evento>`
  )
}

type Signer = { key: string; cert: string }

/**
 * The RSA key of an A1 file whose leaf comes first, and that leaf, in PEM. It opens any file, even one that
 * the product refuses.
 */
function openPfx(pfx: Buffer, password: string): Signer {
  const { pki, pkcs12, asn1 } = forge
  const file = pkcs12.pkcs12FromAsn1(asn1.fromDer(pfx.toString('binary')), password)
  const first = (type: string) => file.getBags({ bagType: type })[type]?.[0]
  const key = first(pki.oids.pkcs8ShroudedKeyBag ?? '')?.key
  const cert = first(pki.oids.certBag ?? '')?.cert
  assert.ok(key && cert)
  return { key: pki.privateKeyToPem(key), cert: pki.certificateToPem(cert) }
}

/** Signs an event in a lot of its own and takes it out again, with another library than the product's. */
function signEvent(event: string, { key, cert }: Signer): string {
  const signer = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm: `${DSIG}rsa-sha1`,
    canonicalizationAlgorithm: C14N,
  })
  const xpath = "//*[local-name(.)='infEvento']"
  const transforms = [`${DSIG}enveloped-signature`, C14N]
  signer.addReference({ xpath, transforms, digestAlgorithm: `${DSIG}sha1` })
  signer.computeSignature(lot(event), { location: { reference: xpath, action: 'after' } })
  return signer.getSignedXml().replace(/^[\s\S]*<\/idLote>|<\/envEvento>$/g, '')
}

/** `AAAA-MM-DDThh:mm:ss-03:00`. */
export function brasilia(instant: Date): string {
  return `${new Date(instant.getTime() - 3 * HOUR).toISOString().slice(0, 19)}-03:00`
}
