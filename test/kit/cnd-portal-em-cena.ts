import { after, before, beforeEach } from 'node:test'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import type { MeiosFederais, PerguntaFederal } from '../../src/federal/source.ts'
import { rotaPortal } from '../../src/federal/source-portal.ts'
import type { CaptchaSolver, Desafio } from '../../src/portal/captcha.ts'
import { papel, pdfOf, type Tentativa, tentativa } from './cnd-federal-em-cena.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const API = '/servico/certidoes/api'

/** An answer of one call. A text is sent as it is. */
export type Fala = {
  status?: number
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
  cai?: true
  /** No answer comes. */
  nunca?: true
}

/** The six calls of the portal's API, by which the test's answers are set. */
type Chamada = 'env' | 'validar' | 'consulta' | 'seg-via' | 'verificar' | 'emissao'

const chamadas: Readonly<Record<string, Chamada>> = {
  'GET /env': 'env',
  'POST /consulta/validar-contribuinte': 'validar',
  'POST /consulta': 'consulta',
  'POST /Emissao/verificar': 'verificar',
  'POST /Emissao': 'emissao',
}

const chamadaOf = ({ metodo, caminho }: Pedido): Chamada =>
  chamadas[`${metodo} ${caminho.slice(API.length)}`] ?? 'seg-via'

/** A row of the portal's list; as on the paper, unless the test says otherwise. */
export const linha = (mais: object = {}): object => ({
  idCertidao: 'c-1',
  hasSegundaVia: true,
  numeroControle: papel.codigo,
  tipoCertidao: 'Negativa',
  dataEmissao: `${papel.emissao}T11:58:00`,
  dataValidade: `${papel.validade}T00:00:00`,
  situacao: 'Válida',
  ...mais,
})

export const achadas = (...certidoes: object[]): Fala => ({ body: { statusConsulta: 'Sucesso', certidoes } })

type Tentada = Tentativa & { asked: ReturnType<typeof rotaPortal.ask> }

/** A portal that has no certificate and issues one, unless the test says otherwise; and its solver. */
export function usePortal() {
  let house: StandIn
  let falas: Partial<Record<Chamada, Fala[]>> = {}
  const seen: Pedido[] = []
  const desafios: Desafio[] = []
  let bem: Record<Chamada, Fala>
  const next = (chamada: Chamada): Fala => {
    const queue = falas[chamada] ?? []
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? bem[chamada]
  }
  before(async () => {
    const pdf = await pdfOf()
    bem = {
      env: { body: { captchaPublicKey: '4a65992d-58fc-4812-8b87-789f7e7c4c4b' } },
      validar: { body: { status: 'Sucesso', idConsulta: 'i-1' }, cookie: 'SESSION=um' },
      consulta: { body: { statusConsulta: 'CertidaoNaoEncontrada', certidoes: [] } },
      'seg-via': { body: { status: 'Sucesso', pdf, mensagem: null } },
      verificar: { body: { status: 'ContinuarEmissao' }, cookie: 'SESSION=dois' },
      emissao: { body: { statusEmissao: 'Sucesso', pdf, mensagem: 'A certidão foi emitida com sucesso' } },
    }
    house = await startStandIn([
      {
        nome: 'portal de certidões',
        hosts: ['servicos.receitafederal.gov.br'],
        asksCertificado: false,
        answer: (pedido, reply) => {
          seen.push(pedido)
          const { status = 200, body, cookie, headers, cai, nunca } = next(chamadaOf(pedido))
          if (cai) return pedido.conexao.drop()
          if (nunca) return
          const session = cookie && { 'set-cookie': `${cookie}; Path=/servico/certidoes; Secure; HttpOnly` }
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          reply.writeHead(status, { 'content-type': 'application/json', ...session, ...headers }).end(text)
        },
      },
    ])
  })
  beforeEach(() => {
    falas = {}
    seen.length = 0
    desafios.length = 0
  })
  after(() => house.close())
  const captcha: CaptchaSolver = {
    takes: (uf, tipo) => uf === 'BR' && tipo === 'hcaptcha',
    solve: async (desafio) => {
      desafios.push(desafio)
      return `token ${desafios.length}`
    },
  }
  const meiosDaqui = (mais: Partial<MeiosFederais> = {}): Tentativa =>
    tentativa({ http: house.http, captcha, ...mais })
  return {
    desafios,
    /** The means of an attempt, for a test that asks by itself. */
    meios: meiosDaqui,
    /** Sets the answers of the calls from now on; the last one of each is given for ever. */
    dizer: (ditas: Partial<Record<Chamada, Fala[]>>) => {
      falas = ditas
    },
    /** Asks for the certificate of the paper's CNPJ. */
    ask: (emitir: PerguntaFederal['emitir'] = 'se-preciso', mais: Partial<MeiosFederais> = {}): Tentada => {
      const tentada = meiosDaqui(mais)
      return { ...tentada, asked: rotaPortal.ask({ cnpj: papel.cnpj, emitir }, tentada.meios) }
    },
    /** The calls that came, in order. */
    vistas: (): Chamada[] => seen.map(chamadaOf),
    pedidos: (chamada: Chamada): Pedido[] => seen.filter((pedido) => chamadaOf(pedido) === chamada),
  }
}
