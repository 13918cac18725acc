import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, type Nota, notaDe } from '../../simulator/nfe/nota.ts'
import { createEscrivao } from '../../simulator/nfe/proc.ts'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import { createAssinantes } from '../../simulator/platform/icp/icp.ts'
import { esperaDaLinha, type Linha } from '../../simulator/roteiro/linha.ts'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'
import type {
  DesfechoDoEvento,
  Evento,
  Feito,
  RespostaDaDistribuicao,
  RespostaDoPortal,
} from '../../src/nfe/rules.ts'
import type { Andamento } from '../../src/nfe/rules-manifestacao.ts'
import { type DesfechoDaNota, type Passo, proximoPasso } from '../../src/nfe/rules-manifestacao.ts'
import type { MeiosNfe } from '../../src/nfe/source.ts'
import type { A1 } from '../../src/platform/wire/certificado.ts'
import { type Authority, openAuthority } from './authority.ts'
import { type Answer, type House, start } from './house.ts'
import { sharedSimulator } from './simulator.ts'

/** The answers of each authority, in order. */
export type Respostas = Partial<Record<Evento, DesfechoDoEvento[]>> & {
  consulta?: RespostaDaDistribuicao[]
  portal?: RespostaDoPortal[]
}

/** A walk that ended: its steps, and its end. */
export type Walk = { passos: string[]; andamento: Andamento; desfecho: DesfechoDaNota }

/**
 * Takes the steps that are decided, with these answers, until the call ends. Fails for an answer that no step
 * used.
 */
export function walk(start: Andamento, respostas: Respostas): Walk {
  const left = structuredClone(respostas)
  const next = <T>(queue: T[] | undefined, passo: string): T => {
    const [first] = queue ?? []
    assert.ok(first, `no answer is left for: ${passo}`)
    queue?.shift()
    return first
  }
  let andamento = start
  const passos: string[] = []
  for (;;) {
    const passo = proximoPasso(andamento)
    if (passo.tipo === 'responder') {
      for (const [name, queue] of Object.entries(left))
        assert.deepEqual(queue, [], `nobody asked for all of: ${name}`)
      return { passos, andamento, desfecho: passo }
    }
    passos.push(nameOf(passo))
    andamento = { ...andamento, feitos: [...andamento.feitos, take(passo)] }
  }
  function take(passo: Exclude<Passo, DesfechoDaNota>): Feito {
    const { tipo } = passo
    switch (tipo) {
      case 'consultar': {
        const consulta = { passo: 'consulta', resposta: next(left.consulta, tipo) } as const
        return passo.comoEmitente ? { ...consulta, comoEmitente: true } : consulta
      }
      case 'portal':
        return { passo: 'portal', resposta: next(left.portal, tipo) }
      default:
        return { passo: tipo, desfecho: next(left[tipo], tipo) }
    }
  }
}

function nameOf(passo: Exclude<Passo, DesfechoDaNota>): string {
  if (passo.tipo !== 'consultar') return passo.tipo
  if (passo.comoEmitente) return 'consultar como emitente'
  return passo.depoisDeMs > 0 ? 'pausa e consultar' : 'consultar'
}

const DIA_MS = 86_400_000

/** Friday, 12:00 in Brasília. */
export const AGORA = new Date('2026-11-20T15:00:00Z')

/** So many days before `AGORA`. */
export const haDias = (dias: number): Date => new Date(AGORA.getTime() - dias * DIA_MS)

/** The start of a call for a note issued so many days ago, by its recipient, who authorizes the events. */
export function comeco(dias: number, parts: Partial<Andamento> = {}): Andamento {
  const autorizacao = new Date(haDias(dias).getTime() - 3 * 3_600_000)
  return {
    manifestar: true,
    canSign: true,
    interessado: { tipo: 'cnpj', documento: '98764001000107' },
    emitente: false,
    outroEmitente: false,
    letras: false,
    mes: { ano: autorizacao.getUTCFullYear(), mes: autorizacao.getUTCMonth() + 1 },
    prazos: { ciencia: 10, confirmacao: 180 },
    agora: AGORA,
    feitos: [],
    ...parts,
  }
}

export const xml = { tipo: 'xml', xml: '<nfeProc/>' } as const
export const falha = {
  tipo: 'falha',
  mensagem: 'O Ambiente Nacional da NF-e não respondeu a tempo.',
} as const
export const nega = { tipo: 'negada', texto: 'O CNPJ ou CPF do certificado não está autorizado.' } as const
export const indisponivel = {
  tipo: 'indisponivel',
  mensagem: 'O portal nacional da NF-e pede um captcha.',
} as const
/** Nobody here solves its captcha. */
export const semSaida = { ...indisponivel, definitiva: true } as const
export const limitada = { tipo: 'limitada', cStat: '656', xMotivo: 'Rejeicao: Consumo Indevido' } as const
export const foraDoPrazo = { tipo: 'fora-prazo', cStat: '632', xMotivo: 'Rejeicao: fora de prazo' } as const
export const doEmitente = { tipo: 'emitente', cStat: '641', xMotivo: 'Rejeicao: emitente' } as const

/** The summary of a note authorized so many days ago. */
export const resumo = (
  dias: number,
  situacao: 'autorizada' | 'cancelada' | 'denegada' = 'autorizada',
): RespostaDaDistribuicao => ({ tipo: 'resumo', situacao, autorizacao: haDias(dias) })

/** The answer to an event. */
export const evento = (cStat: string, xMotivo = `Motivo ${cStat}`): DesfechoDoEvento => ({
  tipo: 'resposta',
  cStat,
  xMotivo,
})

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
export type NationalAuthority = {
  /** Sets their answer from now on: a body, or a fault of the connection. */
  answers: (body: string | Buffer | 'cai', type?: string, status?: number) => void
  last: () => Received
  /** How many requests came so far. */
  count: () => number
  a1: (nome?: string) => Promise<A1>
  /** Means with a door of their own, which presents that certificate. */
  meios: (more?: Partial<MeiosNfe>, nome?: string) => Promise<MeiosNfe>
}

export function useNacional(): NationalAuthority {
  let next = { body: Buffer.alloc(0), type: '', status: 200, falls: false }
  const received: Received[] = []
  let authority: Authority
  before(async () => {
    authority = await openAuthority([
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
  after(() => authority.close())
  const a1 = (nome = 'empresa'): Promise<A1> => authority.certificate(nome)
  return {
    answers: (body, type = 'application/soap+xml; charset=utf-8', status = 200) => {
      next = { body: Buffer.from(body), type, status, falls: body === 'cai' }
    },
    last: () => received.at(-1) ?? { host: '', caminho: '', chamador: undefined, body: '', type: '' },
    count: () => received.length,
    a1,
    meios: async (more = {}, nome = 'empresa') => ({
      http: authority.openWith(await a1(nome)),
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

/** The keys belong to notes of this moment, since the service and the simulator go by the same clock. */
const now = (): Date => new Date()

/** Whether the row takes its seconds in real time: a late authority, or a second query after a pause. */
export function waits({ envio }: Linha): boolean {
  const { distribuicao, demoraDaLiberacao = 0, eventos } = comCenario(envio?.cenario ?? '')
  return distribuicao?.tipo === 'demora' || (demoraDaLiberacao > 0 && !eventos)
}

/** Declares a test for each row of the list of notes that is picked. */
export function testNotas(isPicked: (linha: Linha) => boolean): void {
  const linhas = listNotas(now()).filter(isPicked)
  let house: House
  let pages: string
  let key: string
  let early: Map<Linha, Promise<Answer>>

  const ask = async ({ endpoint, envio }: Linha): Promise<Answer> => {
    assert.ok(envio)
    const { certificado, senha, corpo } = envio
    const file = await (await fetch(`${pages}/certificados/${certificado}.pfx`)).arrayBuffer()
    return house.ask(endpoint, {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...corpo, certificado: Buffer.from(file).toString('base64'), senha }),
    })
  }

  before(async () => {
    // The longest answered row takes two queries of 2 seconds. The row that is never answered takes all of
    // the limit.
    house = await start({ NFE_SECONDS: '8' }, now)
    pages = await sharedSimulator()
    key = (await house.open('enterprise')).key
    early = new Map(linhas.filter(waits).map((linha) => [linha, ask(linha)]))
  })
  after(() => house.close())

  // The rows go in the order of the list, since the service asks no service that failed five times in a row.
  // The slow rows run beside them.
  for (const linha of linhas.toSorted((a, b) => Number(waits(a)) - Number(waits(b)))) {
    const { envio, espera, nota } = linha
    test(`${envio?.cenario} (${envio?.certificado}) → ${esperaDaLinha(linha)}: ${nota}`, async () => {
      const { status, headers, body, text } = await (early.get(linha) ?? ask(linha))
      const [result]: Record<string, unknown>[] = Array.isArray(body.resultados) ? body.resultados : []
      const told = text.slice(0, 2_000)
      assert.equal(status, espera.http, told)
      assert.equal(body.error_code, espera.error_code, told)
      assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
      assert.equal(result?.status, espera.status, told)
      assert.equal(result?.manifestacao, espera.manifestacao, told)
      assert.equal(result?.cstat, espera.cstat, told)
      assert.equal(typeof result?.xml === 'string', espera.status === 'ok', told)
    })
  }
}
