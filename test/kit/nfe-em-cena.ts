import { after, before } from 'node:test'
import { gzipSync } from 'node:zlib'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import type { Nota } from '../../simulator/nfe/nota.ts'
import { chaveDo, notaDe } from '../../simulator/nfe/nota.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import type { MeiosNfe } from '../../src/nfe/source.ts'
import type { A1 } from '../../src/platform/wire/certificado.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const CHAVE = '35260811222333000181550010000000011123456787'
export const OUTRA_CHAVE = '35260811222333000181550010000000021123456780'
export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'
export const SOAP11 = 'http://schemas.xmlsoap.org/soap/envelope/'

/** A question to a service. */
type Received = Pick<Pedido, 'host' | 'caminho' | 'chamador'> & { body: string; type: string }

/**
 * Both web services of the national environment, with the test's answers. They are closed after the file's
 * tests.
 */
export type NfeEmCena = {
  /** Sets their answer from now on: a body, or a fault of the connection. */
  answers: (body: string | Buffer | 'cai', type?: string, status?: number) => void
  last: () => Received
  /** How many requests came so far. */
  count: () => number
  a1: (nome?: string) => Promise<A1>
  /** Means with a door of their own, which presents that certificate. */
  meios: (more?: Partial<MeiosNfe>, nome?: string) => Promise<MeiosNfe>
}

export function useNacional(): NfeEmCena {
  let next = { body: Buffer.alloc(0), type: '', status: 200, falls: false }
  const received: Received[] = []
  let house: StandIn
  before(async () => {
    house = await startStandIn([
      {
        nome: 'nacional',
        hosts: ['www1.nfe.fazenda.gov.br', 'hom1.nfe.fazenda.gov.br', 'www.nfe.fazenda.gov.br'],
        asksCertificado: true,
        answer: ({ host, caminho, chamador, corpo, cabecalhos, conexao }, reply) => {
          const type = cabecalhos['content-type'] ?? ''
          received.push({ host, caminho, chamador, body: corpo.toString(), type })
          if (next.falls) conexao.drop()
          else reply.writeHead(next.status, { 'content-type': next.type }).end(next.body)
        },
      },
    ])
  })
  after(() => house.close())
  const a1 = (nome = 'empresa'): Promise<A1> => house.certificate(nome)
  return {
    answers: (body, type = 'application/soap+xml; charset=utf-8', status = 200) => {
      next = { body: Buffer.from(body), type, status, falls: body === 'cai' }
    },
    last: () => received.at(-1) ?? { host: '', caminho: '', chamador: undefined, body: '', type: '' },
    count: () => received.length,
    a1,
    meios: async (more = {}, nome = 'empresa') => ({
      http: house.openWith(await a1(nome)),
      ambiente: 'producao',
      now: () => new Date('2026-08-15T12:34:56.789Z'),
      deadlineMs: 5_000,
      ...more,
    }),
  }
}

/** The answer as the national environment sends it, or with another version and prefix of SOAP. */
export const envelope = (inside: string, soap = SOAP12, prefix = 'soap'): string =>
  `<?xml version="1.0" encoding="utf-8"?><${prefix}:Envelope xmlns:${prefix}="${soap}"><${prefix}:Body>${inside}</${prefix}:Body></${prefix}:Envelope>`

/** A `retDistDFeInt` in its wrappers. It has no NSUs, like real answers to a key. */
export const retDist = (cStat: string, xMotivo: string, lote = ''): string =>
  envelope(
    `<nfeDistDFeInteresseResponse xmlns="${NFE}/wsdl/NFeDistribuicaoDFe"><nfeDistDFeInteresseResult><retDistDFeInt xmlns="${NFE}" versao="1.01"><tpAmb>1</tpAmb><verAplic>1.7.6</verAplic><cStat>${cStat}</cStat><xMotivo>${xMotivo}</xMotivo><dhResp>2026-08-15T09:34:57-03:00</dhResp>${lote}</retDistDFeInt></nfeDistDFeInteresseResult></nfeDistDFeInteresseResponse>`,
  )

/** An answer with these documents, packed. A Buffer is put in unchanged, in base64. */
export const localizado = (...documents: (string | Buffer)[]): string =>
  retDist('138', 'Documento localizado', loteOf(documents.map(pack)))

export const loteOf = (docZips: readonly string[], schema = 'resNFe_v1.01.xsd'): string =>
  `<loteDistDFeInt>${docZips.map((text) => `<docZip schema="${schema}">${text}</docZip>`).join('')}</loteDistDFeInt>`

const pack = (document: string | Buffer): string =>
  (typeof document === 'string' ? gzipSync(document) : document).toString('base64')

/** A summary, with the test's texts in the place of its own. */
export const resNFe = (more: Record<string, string> = {}): string => {
  const fields = { chNFe: CHAVE, dhRecbto: '2026-08-14T09:00:01-03:00', cSitNFe: '1', ...more }
  const { chNFe, dhRecbto, cSitNFe } = fields
  return `<resNFe xmlns="${NFE}" versao="1.01"><chNFe>${chNFe}</chNFe><CNPJ>11222333000181</CNPJ><xNome>EMPRESA</xNome><IE>110042490114</IE><dhEmi>2026-08-14T09:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>10.00</vNF><digVal>AAAAAAAAAAAAAAAAAAAAAAAAAAA=</digVal><dhRecbto>${dhRecbto}</dhRecbto><nProt>135260000000001</nProt><cSitNFe>${cSitNFe}</cSitNFe></resNFe>`
}

/** A `retEnvEvento` in its wrapper, with the lot's code and content. */
export const retEvento = (loteCStat: string, inside: string): string =>
  `<nfeRecepcaoEventoNFResult xmlns="${NFE}/wsdl/NFeRecepcaoEvento4"><retEnvEvento versao="1.00" xmlns="${NFE}"><idLote>1</idLote><tpAmb>1</tpAmb><verAplic>AN_1.10.2</verAplic><cOrgao>91</cOrgao><cStat>${loteCStat}</cStat><xMotivo>Do lote</xMotivo>${inside}</retEnvEvento></nfeRecepcaoEventoNFResult>`

/** The result of one event. `about` is the key and event that it names. */
export const infEvento = (cStat: string, xMotivo: string, about = ''): string =>
  `<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><verAplic>AN_1.10.2</verAplic><cOrgao>91</cOrgao><cStat>${cStat}</cStat><xMotivo>${xMotivo}</xMotivo>${about}<dhRegEvento>2026-08-15T09:34:57-03:00</dhRegEvento></infEvento></retEvento>`

const escrever = createEscrivao(createAssinantes())

/** A note of the simulator, whole and signed. */
export async function notaAssinada(nome = 'ciencia'): Promise<{ nota: Nota; chave: string; xml: string }> {
  const nota = notaDe(chaveDo(comCenario(nome), new Date('2026-08-01T12:00:00Z')))
  if (!nota) throw new Error(`no note of ${nome}`)
  return { nota, chave: nota.chave, xml: await escrever(nota) }
}
