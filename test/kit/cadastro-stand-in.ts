import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { ClientCertificate } from '../../src/platform/wire/dial.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Pergunta } from '../../src/portal/estado.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const CNPJ: Pergunta = { tipo: 'cnpj', documento: '00000000000191' }
export const NFE = 'http://www.portalfiscal.inf.br/nfe'
export const SERVICE = `${NFE}/wsdl/CadConsultaCadastro4`
export const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'

const HOSTS = [
  'nfe.sefaz.am.gov.br',
  'nfe.sefaz.ba.gov.br',
  'nfe.sefaz.go.gov.br',
  'nfe.fazenda.mg.gov.br',
  'nfe.sefaz.ms.gov.br',
  'nfe.sefaz.mt.gov.br',
  'nfe.sefaz.pe.gov.br',
  'nfe.sefa.pr.gov.br',
  'nfe.fazenda.sp.gov.br',
  'cad.svrs.rs.gov.br',
  'homologacao.nfe.fazenda.sp.gov.br',
]

/** The last question to the service. */
export type Received = { host: string; path: string; body: string; type: string }

/**
 * A registry service that gives the test's answers, and the adapters that ask it. It is closed after the
 * file's tests.
 */
export type CadastroStandIn = {
  /** Sets its answer from now on. */
  answers: (body: string | Buffer, type?: string, status?: number) => void
  /** Sets its answer to the question after the next one, and from then on. */
  afterwards: (body: string | Buffer, type?: string, status?: number) => void
  last: () => Received
  ask: (uf: Uf, pergunta?: Pergunta, how?: How) => Promise<Inscricao[]>
}

const XML = 'application/soap+xml; charset=utf-8'

type How = { ambiente?: 'producao' | 'homologacao'; certificado?: ClientCertificate | undefined }

export function useCadastro(): CadastroStandIn {
  let next: readonly { body: string | Buffer; type: string; status: number }[] = []
  let last: Received = { host: '', path: '', body: '', type: '' }
  let house: StandIn
  let own: ClientCertificate
  before(async () => {
    house = await startStandIn([
      {
        nome: 'cadastro',
        hosts: HOSTS,
        asksCertificado: true,
        answer: ({ host, caminho, corpo, cabecalhos }, reply) => {
          last = { host, path: caminho, body: corpo.toString(), type: cabecalhos['content-type'] ?? '' }
          const [now, ...later] = next
          if (later.length > 0) next = later
          const { body = '', type = '', status = 200 } = now ?? {}
          reply.writeHead(status, { 'content-type': type }).end(body)
        },
      },
    ])
    own = await house.certificate('empresa')
  })
  after(() => house.close())
  return {
    answers: (body, type = XML, status = 200) => {
      next = [{ body, type, status }]
    },
    afterwards: (body, type = XML, status = 200) => {
      next = [...next, { body, type, status }]
    },
    last: () => last,
    ask: (uf, pergunta = CNPJ, how = {}) => {
      const rota = estados.get(uf)?.ie[0]
      assert.ok(rota)
      const { ambiente = 'producao' } = how
      const certificado = 'certificado' in how ? how.certificado : own
      return rota.ask(pergunta, {
        http: house.http,
        certificado,
        captcha: noSolver,
        now: () => new Date(),
        ambiente,
        deadlineMs: 5_000,
      })
    },
  }
}

/** A registration of the CNPJ above in SP, with `inside` between its UF and the rest. */
export const infCad = (inside: string): string =>
  `<infCad><IE>110042490114</IE><CNPJ>00000000000191</CNPJ><UF>SP</UF>${inside}<indCredNFe>1</indCredNFe><indCredCTe>4</indCredCTe><xNome>EMPRESA &amp; FILHOS &#193;GUA</xNome></infCad>`

/** An answer with that code and those registrations. `echo` repeats the document of the question. */
export const retConsCad = (cStat: string, cads = '', echo = '<CNPJ>00000000000191</CNPJ>'): string =>
  `<retConsCad versao="2.00" xmlns="${NFE}"><infCons><verAplic>SP1</verAplic><cStat>${cStat}</cStat><xMotivo>Motivo</xMotivo><UF>SP</UF>${echo}<dhCons>2026-11-14T12:00:00-03:00</dhCons><cUF>35</cUF>${cads}</infCons></retConsCad>`

export const envelope = (inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${SOAP12}"><soap:Body><nfeResultMsg xmlns="${SERVICE}">${inside}</nfeResultMsg></soap:Body></soap:Envelope>`
