import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { gunzipSync } from 'node:zlib'
import forge from 'node-forge'
import { SignedXml } from 'xml-crypto'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo } from '../../simulator/nfe/nota.ts'
import { type Authorities, openAuthorities, type Reply } from './authority.ts'
import { cutOut, openSchema, type Schema } from './witnesses.ts'

export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

const envelopes = {
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
}

/** A ConsCad 2.00 that asks about one number. */
export function consCad(uf: string, field: 'CNPJ' | 'CPF' | 'IE', value: string): string {
  return (
    `<ConsCad xmlns="${NFE}" versao="2.00"><infCons><xServ>CONS-CAD</xServ><UF>${uf}</UF>` +
    `<${field}>${value}</${field}></infCons></ConsCad>`
  )
}

/** Any content in an envelope. `wrapper` opens and closes around it. */
export function envelope(content: string, soap: '1.1' | '1.2' = '1.2'): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="${envelopes[soap]}"><e:Body>` +
    `${content}</e:Body></e:Envelope>`
  )
}

/** A message as a client of that state sends it. */
export function wrap(uf: string, message: string): string {
  const data = `<nfeDadosMsg xmlns="${WSDL}">${message}</nfeDadosMsg>`
  return envelope(uf === 'MT' ? `<nfeDadosMsg xmlns="${WSDL}">${data}</nfeDadosMsg>` : data)
}

export const SOAP12 = { 'content-type': 'application/soap+xml; charset=utf-8' }
export const SOAP11 = { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${WSDL}/consultaCadastro"` }

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
export async function openNational(): Promise<National> {
  let instant = Math.floor(Date.now() / 1000) * 1000
  const now = () => new Date(instant)
  const authorities = await openAuthorities(now)
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

/**
 * The national environment with the official schemas of the distribution, open for the tests of one file.
 */
export function openDistribuicao() {
  let national: National
  let schemas: { answer: Schema; summary: Schema; note: Schema }

  before(async () => {
    national = await openNational()
    schemas = {
      answer: openSchema('retDistDFeInt_v1.01.xsd'),
      summary: openSchema('resNFe_v1.01.xsd'),
      note: openSchema('procNFe_v4.00.xsd'),
    }
  })
  after(async () => {
    for (const schema of Object.values(schemas)) schema.dispose()
    await national.close()
  })

  /**
   * Reads the answer. The official schema takes it with the two elements that real answers by key leave out.
   */
  function read(reply: Reply): ReturnType<typeof cutOut> {
    assert.equal(reply.status, 200)
    const answer = cutOut(reply.text, 'retDistDFeInt')
    const nsu = `<ultNSU>${'0'.repeat(15)}</ultNSU><maxNSU>${'0'.repeat(15)}</maxNSU>`
    const completed =
      answer.text('ultNSU').length > 0 ? answer.xml : answer.xml.replace(/<\/dhResp>/, `$&${nsu}`)
    assert.equal(schemas.answer.problem(completed), undefined)
    return answer
  }

  const codeOf = (reply: Reply): string => read(reply).text('cStat').join()

  function documentOf(reply: Reply): string {
    return gunzipSync(Buffer.from(read(reply).text('docZip').join(), 'base64')).toString()
  }

  /** `cStat` and the kind of document, if any: `138 resNFe`. */
  function outcomeOf(reply: Reply): string {
    const schema = /docZip schema="(\w+)_v/.exec(reply.text)?.[1] ?? ''
    return `${codeOf(reply)} ${schema}`.trim()
  }

  const askFor = (party: string, question: string, certificate: string) =>
    national.distribute(distDFeInt(party, question), { certificate })
  return {
    national: () => national,
    schemas: () => schemas,
    read,
    codeOf,
    documentOf,
    outcomeOf,
    askFor,
  }
}

export const byKey = (key: string): string => `<consChNFe><chNFe>${key}</chNFe></consChNFe>`

export const CONFIRMATION = { tpEvento: '210200' }
export const DISOWNING = { tpEvento: '210220' }
export const UNDONE = {
  tpEvento: '210240',
  detEvento: '<descEvento>Operacao nao Realizada</descEvento><xJust>Mercadoria não entregue</xJust>',
}

/**
 * The national environment with the official schema of an event's answer, open for the tests of one file.
 */
export function openEventos() {
  let national: National
  let schema: Schema

  before(async () => {
    national = await openNational()
    schema = openSchema('retEnvConfRecebto_v1.00.xsd')
  })
  after(async () => {
    schema.dispose()
    await national.close()
  })

  /** Reads the answer, and checks it against the official schema. */
  function read(reply: Reply): ReturnType<typeof cutOut> {
    assert.equal(reply.status, 200, reply.text)
    const answer = cutOut(reply.text, 'retEnvEvento')
    assert.equal(schema.problem(answer.xml), undefined, answer.xml)
    return answer
  }

  /** The codes of the lot and of its events: `128 135`. */
  const codesOf = (reply: Reply): string => read(reply).text('cStat').join(' ')

  /**
   * Registers a scenario's event, with another key or other parts if given. The clock stands still, so the
   * key is the same each time.
   */
  const register = (name: string, said: Partial<Said> = {}): Promise<Reply> =>
    national.register(name, { chave: national.keyOf(name), ...said })

  /** A signed Ciência of the scenario `nao-realizada`, which no other test registers. */
  const signed = (file = 'nfe-nao-realizada', said: Partial<Said> = {}): Promise<string> =>
    national.sign(national.event('nao-realizada', { chave: national.keyOf('nao-realizada'), ...said }), file)

  const send = async (event: string): Promise<string> =>
    codesOf(await national.send(event, { certificate: 'nfe-nao-realizada' }))
  return { national: () => national, read, codesOf, register, signed, send }
}

/** The addresses that the tests ask. */
export const SVRS = { host: 'nfe.svrs.rs.gov.br', path: '/ws/NfeStatusServico/NfeStatusServico4.asmx' }
export const SVAN = {
  host: 'www.sefazvirtual.fazenda.gov.br',
  path: '/NFeStatusServico4/NFeStatusServico4.asmx',
}
export const PE = { host: 'nfe.sefaz.pe.gov.br', path: '/nfe-service/services/NFeStatusServico4' }
export const GO = { host: 'nfe.sefaz.go.gov.br', path: '/nfe/services/NFeStatusServico4' }
export const SP = { host: 'nfe.fazenda.sp.gov.br', path: '/ws/nfestatusservico4.asmx' }
export const CTE_SVRS = {
  host: 'cte.svrs.rs.gov.br',
  path: '/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
}
export const CTE_SVSP = { host: 'nfe.fazenda.sp.gov.br', path: '/CTeWS/WS/CTeStatusServicoV4.asmx' }

export type Server = { host: string; path: string }

const CTE = 'http://www.portalfiscal.inf.br/cte'

type Pergunta = { cUF?: string; tpAmb?: string; versao?: string; xServ?: string }

/** The question of the NF-e and the NFC-e (leiauteConsStatServ_v4.00.xsd). */
export const consStatServ = ({ cUF = '43', tpAmb = '1', versao = '4.00', xServ = 'STATUS' }: Pergunta = {}) =>
  `<consStatServ xmlns="${NFE}" versao="${versao}"><tpAmb>${tpAmb}</tpAmb><cUF>${cUF}</cUF><xServ>${xServ}</xServ></consStatServ>`

/** The question of the CT-e (consStatServTiposBasico_v4.00.xsd). */
export const consStatServCTe = (pergunta: Pergunta = {}) =>
  consStatServ(pergunta).replaceAll('consStatServ', 'consStatServCTe').replace(NFE, CTE)

const isCte = ({ path }: Server): boolean => path.includes('CTe')

/** An envelope around a message for that server. */
export function statusEnvelope(server: Server, message: string, soap: '1.1' | '1.2' = '1.2'): string {
  const [dados, wsdl] = isCte(server)
    ? ['cteDadosMsg', `${CTE}/wsdl/CTeStatusServicoV4`]
    : ['nfeDadosMsg', `${NFE}/wsdl/NFeStatusServico4`]
  const namespace =
    soap === '1.2' ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  return `<s:Envelope xmlns:s="${namespace}"><s:Body><${dados} xmlns="${wsdl}">${message}</${dados}></s:Body></s:Envelope>`
}

/** Sends a message in an envelope of that version. */
export function send(
  authorities: Authorities,
  server: Server,
  message: string,
  { soap = '1.2', certificate = 'empresa' }: { soap?: '1.1' | '1.2'; certificate?: string | null } = {},
): Promise<Reply> {
  const type = soap === '1.2' ? 'application/soap+xml' : 'text/xml'
  return authorities.ask(server.host, {
    path: server.path,
    headers: { 'content-type': `${type}; charset=utf-8` },
    body: statusEnvelope(server, message, soap),
    certificate,
  })
}

/** The code and the words of an answer. */
export function said({ text }: Reply): string {
  const leaf = (name: string): string => new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(text)?.[1] ?? ''
  return `${leaf('cStat')} ${leaf('xMotivo')}`
}
