import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ErrorCode, errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { type Exemplo, listExemplos } from './guide.ts'
import { type Answer, UNKNOWN, WRONG_DIGIT } from './house.ts'
import {
  apressada,
  apressadaSemChave,
  bloqueada,
  corpo,
  corpoCom,
  demorada,
  depoisDeCinco,
  emAndamento,
  HOJE,
  openHouses,
  outroCorpo,
  PRODUCAO,
  type Provoca,
  pergunta,
  quebrada,
  recemPedida,
  repetido,
  semBanco,
  semChave,
  semCreditos,
  semCreditosPara,
  semExplicacao,
  semFontes,
  semVez,
} from './repetir.ts'
import { federal, reservado } from './simulator.ts'

export type Codigo = ErrorCode | keyof typeof sourceCodes

/** How an endpoint is brought to fail, and its `Retry-After` in seconds: null if repeating never helps. */
export type Row = readonly [como: Provoca, retryAfter: number | null]

/** A row of the specification that no endpoint of this service has yet. */
export const AINDA_NAO = 'not served yet'

type Linhas = Partial<Record<Codigo, readonly Row[] | typeof AINDA_NAO>>

/** What an endpoint that answers in time waits for a state. */
const SEM_TEMPO = { IE_SECONDS: '1' }

/** An operator whose catalogue is missing. */
const SEM_CATALOGO = { REJEICOES_FILE: '/dev/null/rejeicoes.json' }

const CPF = '52998224725'

const deTodas: Linhas = {
  BANCO_INDISPONIVEL: [[semBanco, 10]],
  NAO_AUTENTICADO: [[semChave, null]],
  CONTA_BLOQUEADA: [[bloqueada, null]],
  ERRO_INTERNO: [[quebrada, 30]],
}
const gratuita: Linhas = { ...deTodas, RATE_LIMIT_EXCEEDED: [[apressada, 60]] }
const paga: Linhas = { ...gratuita, LIMITE_ATINGIDO: [[semCreditos, null]] }

const recusa = (...perguntas: Record<string, string>[]): readonly Row[] =>
  perguntas.map((sent) => [pergunta(sent), null] as const)

/** What a state does about a reserved document, and when it may be asked again. */
const estado = (nome: string, uf: string, retryAfter: number | null): Row => [
  pergunta({ uf, cnpj: reservado(nome) }),
  retryAfter,
]

/** An operator with the contract alone, whose callers wait no longer than they must. */
const CONTRATO = { CND_FEDERAL_ROTAS: 'contrato', CND_FEDERAL_SECONDS: '5' }

/** What the federal tax office does about a company that is out of the ordinary. */
const certidaoFederal = (nome: string, retryAfter: number | null): Row => [
  pergunta({ cnpj: federal(nome) }, CONTRATO),
  retryAfter,
]

/** What the live register does about a document, and when it may be asked again. */
const aoVivo = (cnpj: string, retryAfter: number | null, env?: Record<string, string>): Row => [
  pergunta({ cnpj, force_fresh: 'true' }, env),
  retryAfter,
]

/** What SIGEF does about a reserved document. */
const sigef = (nome: string, retryAfter: number | null): Row => [
  pergunta({ cnpj: reservado(nome) }),
  retryAfter,
]

/** Every endpoint with its codes. The rows of the specification that wait stand here too. */
export const rows: Readonly<Record<string, Linhas>> = {
  '/api/consultar': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_CONFLITANTE: recusa({ uf: 'SP', cpf: CPF, cnpj: UNKNOWN }),
    PARAMETRO_INVALIDO: [[repetido, null]],
    UF_NAO_SUPORTADA: recusa({ uf: 'XX', cnpj: UNKNOWN }),
    DOCUMENTO_INVALIDO: [...recusa({ uf: 'SP', cnpj: WRONG_DIGIT }), estado('258', 'SC', null)],
    PROCESSAMENTO_FALHOU: [
      estado('999', 'SC', 60),
      estado('777', 'SC', null),
      estado('fault', 'ES', 60),
      estado('xml-malformado', 'ES', 60),
      estado('outro-documento', 'GO', null),
      estado('html-404', 'AL', null),
      estado('layout', 'MA', null),
    ],
    SITE_INDISPONIVEL: [
      estado('html-503', 'BA', 60),
      estado('html-429', 'BA', 60),
      estado('html-403', 'BA', 900),
      estado('html-503', 'AP', 60),
      estado('html-403', 'AL', 900),
      estado('html-200', 'CE', 60),
      estado('corta-antes', 'RO', 60),
      estado('108', 'RS', 300),
      estado('109', 'RS', 900),
      estado('656', 'RS', 3600),
      estado('257', 'RS', null),
      estado('waf', 'RJ', 900),
      estado('sessao-velha', 'PI', 60),
      estado('captcha-inesperado', 'AL', 900),
      estado('captcha-recusado', 'RR', 60),
      [pergunta({ uf: 'MT', cnpj: reservado('lento') }, SEM_TEMPO), 60],
      [depoisDeCinco('PE', reservado('html-503'), UNKNOWN), 30],
      // These states take no CPF: AM has no such lookup, and SP answers 262.
      [pergunta({ uf: 'AM', cpf: CPF }), null],
      [pergunta({ uf: 'SP', cpf: CPF }), null],
      // Nobody solves the captcha, and the web service wants a certificate: production has neither.
      [pergunta({ uf: 'RR', cnpj: UNKNOWN }, PRODUCAO), null],
      [pergunta({ uf: 'SP', cnpj: UNKNOWN }, PRODUCAO), null],
    ],
  },
  '/api/consultar-ie-todos': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_CONFLITANTE: recusa({ cpf: CPF, cnpj: UNKNOWN }),
    PARAMETRO_INVALIDO: [[repetido, null]],
    IE_NAO_SUPORTADO: recusa({ ie: '110042490114' }),
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
  },
  '/api/consultar-cnd': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_CONFLITANTE: recusa({ uf: 'SP', cpf: CPF, cnpj: UNKNOWN }),
    PARAMETRO_INVALIDO: [[repetido, null]],
    UF_NAO_SUPORTADA: recusa({ uf: 'XX', cnpj: UNKNOWN }),
    DOCUMENTO_INVALIDO: recusa({ uf: 'SP', cnpj: WRONG_DIGIT }),
    // With HTTP 200, in source_status.
    PROCESSAMENTO_FALHOU: [estado('cnd-pdf-de-outro', 'GO', null), estado('layout', 'CE', null)],
    SITE_INDISPONIVEL: [
      estado('html-503', 'PA', 60),
      estado('waf', 'RS', 900),
      estado('reset', 'AM', 60),
      // It is noon of a Saturday, and the page opens on Monday at six.
      estado('cnd-fechado', 'SP', 42 * 3600),
      // Its hours are not known.
      estado('cnd-fechado', 'RJ', 3600),
      [pergunta({ uf: 'SP', cnpj: UNKNOWN }, PRODUCAO), null],
    ],
  },
  '/api/consultar-cnd-todos': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_INVALIDO: [[repetido, null]],
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
  },
  '/api/consultar-cnd-federal': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_INVALIDO: [[repetido, null]],
    // With HTTP 200, in source_status.
    CNPJ_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
    CPF_INVALIDO: recusa({ cpf: '52998224720' }),
    EM_PROCESSAMENTO: [[recemPedida({ cnpj: federal('processa-muito') }, CONTRATO), 30]],
    PROVIDER_ERROR: [
      certidaoFederal('gateway-503', 180),
      certidaoFederal('gateway-403', null),
      [pergunta({ cnpj: UNKNOWN }, PRODUCAO), null],
    ],
  },
  '/api/consultar-cnpj': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_INVALIDO: [[repetido, null]],
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
    CNPJ_NAO_ENCONTRADO: recusa({ cnpj: UNKNOWN }),
    // Production has no base, and no contract.
    SITE_INDISPONIVEL: [
      [pergunta({ cnpj: UNKNOWN }, PRODUCAO), null],
      [pergunta({ cnpj: UNKNOWN, force_fresh: 'true' }, PRODUCAO), null],
    ],
    RF_LIVE_ERROR: [
      aoVivo(federal('cnpj-206'), null),
      aoVivo(federal('gateway-403'), null),
      aoVivo(federal('cnpj-400'), null),
      aoVivo(federal('gateway-429'), 60),
      aoVivo(federal('gateway-502'), 60),
      aoVivo(reservado('outro-documento'), null),
      aoVivo(reservado('html-200'), null),
      aoVivo(reservado('html-404'), null),
      aoVivo(reservado('reset'), 60),
      aoVivo(reservado('lento'), 60, { CNPJ_SECONDS: '1' }),
    ],
  },
  '/api/consultar-sigef': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_CONFLITANTE: recusa({ cpf: CPF, cnpj: UNKNOWN }),
    PARAMETRO_INVALIDO: [[repetido, null]],
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
    // With HTTP 200, in source_status.
    SIGEF_DISABLED: [[pergunta({ cnpj: UNKNOWN }, { SIGEF: 'desligado' }), null]],
    SIGEF_NO_SESSION: [[pergunta({ cnpj: UNKNOWN }, PRODUCAO), 60]],
    SIGEF_HTTP_ERROR: [sigef('sigef-500', 60), sigef('waf', 60), sigef('sessao-velha', 60)],
    SIGEF_NETWORK_ERROR: [
      sigef('corta-antes', 60),
      [pergunta({ cnpj: reservado('sigef-lento') }, { SIGEF_SECONDS: '5' }), 60],
    ],
    SIGEF_PARSE_FAILED: [sigef('layout', null), sigef('sigef-conta-errada', null)],
  },
  '/api/consultar-nfe-xml': {
    ...deTodas,
    RATE_LIMIT: [[apressada, 60]],
    LIMITE_PLANO: [[semCreditos, null]],
    PARAMETRO_AUSENTE: [[corpo({ chave: undefined }), null]],
    PARAMETRO_INVALIDO: [[corpo({ manifestar: 'talvez' }), null]],
    CHAVE_INVALIDA: [[corpo({ chave: '1' }), null]],
    CERTIFICADO_INVALIDO: [[corpo({ senha: 'errada' }), null]],
    DOCUMENTO_INVALIDO: [[corpo({ cnpj: WRONG_DIGIT }), null]],
    CORPO_INVALIDO: [[corpo('{'), null]],
    CORPO_MUITO_GRANDE: [[corpo({ certificado: 'A'.repeat(100_000) }), null]],
    TIPO_NAO_SUPORTADO: [[corpo({}, { 'content-type': 'text/xml' }), null]],
    IDEMPOTENCIA_CONFLITANTE: [[outroCorpo, null]],
    IDEMPOTENCIA_EM_ANDAMENTO: [[emAndamento, 5]],
  },
  '/api/v1/base-cnpj': { ...gratuita, SITE_INDISPONIVEL: [[pergunta({}, PRODUCAO), null]] },
  '/api/v1/conta': gratuita,
  '/api/v1/auth/registrar': {
    PARAMETRO_AUSENTE: [[corpo({ senha: undefined }), null]],
    PARAMETRO_INVALIDO: [
      [corpo({ email: 'ana' }), null],
      [corpo({ nome: 'a'.repeat(121) }), null],
      [corpo({ convite: 'nenhum' }), null],
    ],
    SENHA_FRACA: [[corpo({ senha: 'curta' }), null]],
    CADASTRO_FECHADO: [
      [corpoCom({ CADASTRO: 'fechado' }), null],
      [corpoCom({ CADASTRO: 'convite' }), null],
      [corpoCom(PRODUCAO), null],
    ],
    EMAIL_JA_CADASTRADO: [[corpo({ email: 'inicial@consulta-fiscal.local' }), null]],
    RATE_LIMIT_EXCEEDED: [
      [apressadaSemChave, 60],
      [semVez('cadastrar/endereco'), 3600],
      [semVez('cadastrar/email'), 3600],
    ],
    CORPO_INVALIDO: [[corpo('{'), null]],
    CORPO_MUITO_GRANDE: [[corpo({ nome: 'x'.repeat(8 * 1024) }), null]],
    TIPO_NAO_SUPORTADO: [[corpo({}, { 'content-type': 'text/xml' }), null]],
    BANCO_INDISPONIVEL: [[semBanco, 10]],
    ERRO_INTERNO: [[quebrada, 30]],
  },
  '/api/v1/auth/login': {
    PARAMETRO_AUSENTE: [[corpo({ senha: undefined }), null]],
    PARAMETRO_INVALIDO: [[corpo({ senha: 1234567890 }), null]],
    CREDENCIAIS_INVALIDAS: [
      [corpo({ email: 'ninguem@exemplo.com.br' }), null],
      [corpo({ email: 'ninguém' }), null],
      [corpo({ email: 'inicial@consulta-fiscal.local' }), null],
    ],
    RATE_LIMIT_EXCEEDED: [
      [apressadaSemChave, 60],
      [semVez('entrar/endereco'), 900],
      [semVez('entrar/email'), 3600],
    ],
    CORPO_INVALIDO: [[corpo('{'), null]],
    CORPO_MUITO_GRANDE: [[corpo({ senha: 'x'.repeat(8 * 1024) }), null]],
    TIPO_NAO_SUPORTADO: [[corpo({}, { 'content-type': 'text/xml' }), null]],
    BANCO_INDISPONIVEL: [[semBanco, 10]],
    ERRO_INTERNO: [[quebrada, 30]],
  },
  '/api/v1/auth/sair': {
    ...gratuita,
    PARAMETRO_INVALIDO: [[corpo({ todos: 'talvez' }), null]],
    CORPO_INVALIDO: [[corpo('{'), null]],
    CORPO_MUITO_GRANDE: [[corpo({ todos: 'x'.repeat(8 * 1024) }), null]],
    TIPO_NAO_SUPORTADO: [[corpo({}, { 'content-type': 'text/xml' }), null]],
  },
  '/api/v1/fontes': {
    ...gratuita,
    PARAMETRO_INVALIDO: recusa({ servico: 'outro' }),
    UF_NAO_SUPORTADA: recusa({ uf: 'XX' }),
  },
  '/api/v1/sefaz/historico': {
    ...gratuita,
    PARAMETRO_INVALIDO: recusa(
      { doc: 'mdfe' },
      { de: '2026-02-30' },
      { de: '2026-11-02', ate: '2026-11-01' },
    ),
    UF_NAO_SUPORTADA: recusa({ uf: 'XX' }),
  },
  '/api/consultar-cnir': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_CONFLITANTE: recusa({ cpf: CPF, cnpj: UNKNOWN }),
    PARAMETRO_INVALIDO: [[repetido, null]],
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
    // With HTTP 200, in source_status. The signature is checked against the real clock.
    SITE_INDISPONIVEL: [
      [pergunta({ cnpj: UNKNOWN }, PRODUCAO), null],
      [pergunta({ cnpj: UNKNOWN }), null],
      [pergunta({ cnpj: reservado('cnir-429') }, HOJE), 60],
      [pergunta({ cnpj: reservado('cnir-503') }, HOJE), 60],
    ],
    PROCESSAMENTO_FALHOU: [[pergunta({ cnpj: reservado('cnir-sem-situacao') }, HOJE), null]],
  },
  '/api/perfil-produtor': {
    ...paga,
    PARAMETRO_AUSENTE: recusa({}),
    PARAMETRO_INVALIDO: [[repetido, null]],
    DOCUMENTO_INVALIDO: recusa({ cnpj: WRONG_DIGIT }),
    TODAS_FONTES_FALHARAM: [[semFontes, 60]],
  },
  '/api/v1/sefaz/status': {
    ...gratuita,
    PARAMETRO_INVALIDO: recusa({ doc: 'mdfe' }),
    // The monitor of the tests is off.
    MONITOR_INDISPONIVEL: [[pergunta({ doc: 'nfe' }), 120]],
  },
  '/api/v1/sefaz/ambiente-nacional': gratuita,
  '/api/v1/rejeicoes': {
    ...gratuita,
    PARAMETRO_INVALIDO: recusa({ page: '0' }, { page_size: '201' }),
    REJEICOES_INDISPONIVEL: [[pergunta({}, SEM_CATALOGO), 60]],
  },
  '/api/v1/rejeicoes/{codigo}': {
    ...gratuita,
    PARAMETRO_INVALIDO: recusa({ codigo: '0' }),
    REJEICAO_NAO_ENCONTRADA: recusa({ codigo: '9999' }),
    REJEICOES_INDISPONIVEL: [[pergunta({ codigo: '539' }, SEM_CATALOGO), 60]],
  },
  '/api/v1/public/rejeicoes': {
    RATE_LIMIT: [[apressadaSemChave, 60]],
    PARAMETRO_INVALIDO: recusa({ page: '0' }),
    REJEICOES_INDISPONIVEL: [[pergunta({}, SEM_CATALOGO), 60]],
    ERRO_INTERNO: [[semExplicacao, 30]],
  },
  '/api/v1/rejeicoes/diagnosticar': {
    ...gratuita,
    LIMITE_ATINGIDO: [[semCreditosPara({ cadastros: true }), null]],
    PARAMETRO_AUSENTE: [[corpo({ xml: undefined }), null]],
    PARAMETRO_INVALIDO: [
      [corpo({ xml: 'nota' }), null],
      [corpo({ maximo_creditos: -1 }), null],
    ],
    CORPO_INVALIDO: [[corpo('{'), null]],
    CORPO_MUITO_GRANDE: [[corpo({ xml: 'x'.repeat(1024 * 1024) }), null]],
    TIPO_NAO_SUPORTADO: [[corpo({}, { 'content-type': 'text/plain' }), null]],
    PROCESSAMENTO_FALHOU: [[demorada, 10]],
    REJEICOES_INDISPONIVEL: [[pergunta({}, SEM_CATALOGO), 60]],
  },
}

export const isCodigo = (text: string): text is Codigo =>
  Object.hasOwn(errorCodes, text) || Object.hasOwn(sourceCodes, text)

const codesOf = (responses: Record<string, { description: string; headers?: object }>) =>
  Object.values(responses).flatMap(({ description, headers = {} }) =>
    description
      .split(', ')
      .filter(isCodigo)
      .map((code) => [code, { waits: 'Retry-After' in headers }] as const),
  )

export const rowsOf = (path: string) => Object.entries(rows[path] ?? {})

/** What a failure tells: of the problem, or of the source_status of an answer. */
const told = ({ status, body }: Answer): Record<string, unknown> =>
  status === 200 ? Object(body.source_status) : body

/** The codes that the document names of each path, and whether their failures have Retry-After. */
type Documented = Map<string, Map<Codigo, { waits: boolean }>>

/** How many proofs of a code run: in `npm run test:longo` all of them. */
const MOST = process.env.LONGO ? Infinity : 3

/** The services that provoke failures, and what the document says of them. They end with the file's tests. */
export function openRepetir(): {
  documented: () => Documented
  testRows: (paths: readonly string[]) => void
} {
  const houses = openHouses()
  after(houses.close)
  let documented: Documented = new Map()
  let exemplos: Exemplo[] = []

  before(async () => {
    const house = await houses.of()
    exemplos = await listExemplos(house)
    const { body } = await house.ask('/openapi.json', { key: null })
    documented = new Map(
      Object.entries(Object(body.paths)).map(([path, operations]) => [
        path,
        new Map(
          Object.values(Object(operations)).flatMap((operation) => codesOf(Object(operation).responses)),
        ),
      ]),
    )
  })

  /** Declares a test for each proof of these endpoints' codes. */
  const testRows = (paths: readonly string[]): void => {
    for (const path of paths)
      describe(path, () => {
        for (const [code, provas] of rowsOf(path))
          if (provas !== AINDA_NAO)
            for (const [at, [como, retryAfter]] of provas.slice(0, MOST).entries())
              test(`${code} ${at + 1}: ${retryAfter === null ? 'never passes' : `passes in ${retryAfter} s`}`, async () => {
                const exemplo = exemplos.find((one) => one.path === path)
                assert.ok(exemplo, 'the document has an example')
                const answer = await como(houses, exemplo)
                const { error_code, error_message, retryable } = told(answer)
                assert.equal(error_code, code, answer.text.slice(0, 300))
                const header = answer.headers.get('retry-after')
                assert.deepEqual(
                  [retryable, header],
                  [retryAfter !== null, retryAfter === null ? null : String(retryAfter)],
                  String(error_message),
                )
                assert.equal(
                  /\b(?:tente|consulte|repita) .*(?:de novo|em instantes)/i.test(String(error_message)),
                  retryable,
                  String(error_message),
                )
                if (header !== null && isCodigo(code) && answer.status !== 200)
                  assert.ok(documented.get(path)?.get(code)?.waits, 'the document names the header')
              })
      })
  }
  return { documented: () => documented, testRows }
}
