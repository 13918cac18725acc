import { readFileSync } from 'node:fs'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { findAmbito } from '../documento/uf.ts'
import type { Contrato } from '../federal/source-serpro.ts'
import { SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Reply } from '../platform/wire/http.ts'
import type { Rota } from '../portal/estado.ts'
import { parseJson } from '../portal/pagina.ts'

/** The live register of companies (product Consulta CNPJ of the contract), as `/api/v1/fontes` shows it. */
export const fonteCnpj = {
  familia: 'serpro-cnpj',
  source: { id: 'BR/cnpj', nome: 'A API Consulta CNPJ (SERPRO)' },
  url: 'https://gateway.apiserpro.serpro.gov.br/consulta-cnpj-df/v2/qsa/',
  aceita: ['cnpj'],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'clientes de código aberto da v2 e a página do produto',
  em: '2026',
  nota: 'Contrato pago do SERPRO (SERPRO_KEY e SERPRO_SECRET): ele cobra a resposta completa, a parcial (HTTP 206) e a de CNPJ sem registro (404). O capital social vem em centavos; confira-o na primeira consulta de verdade.',
} as const satisfies Omit<Rota, 'espera'>

const MAIS_TEXTO = 2_000

/** Empty, null and absent are the same. */
const Texto = Type.Optional(Type.Union([Type.String({ maxLength: MAIS_TEXTO }), Type.Null()]))

/** A code, which clients met as text and as a number. */
const Numero = Type.Union([Type.String({ pattern: '^[0-9]{1,7}$' }), Type.Integer({ minimum: 0 })])
const NumeroOuVazio = Type.Optional(Type.Union([Numero, Type.Literal(''), Type.Null()]))

const Codigo = Type.Object({ codigo: NumeroOuVazio, descricao: Texto })

const listOf = <T extends TSchema>(item: T, maxItems: number) =>
  Type.Optional(Type.Union([Type.Array(item, { maxItems }), Type.Null()]))

/** Consulta CNPJ v2, `qsa`. The shape is that of public clients (2026); no official example was seen. */
const RespostaCnpj = Type.Object({
  ni: Type.String({ pattern: '^[0-9A-Z]{14}$' }),
  nomeEmpresarial: Type.String({ minLength: 1, maxLength: MAIS_TEXTO }),
  nomeFantasia: Texto,
  situacaoCadastral: Type.Object({ codigo: Numero, data: Texto }),
  naturezaJuridica: Codigo,
  cnaePrincipal: Codigo,
  cnaeSecundarias: listOf(Codigo, 500),
  endereco: Type.Object({
    tipoLogradouro: Texto,
    logradouro: Texto,
    numero: Texto,
    complemento: Texto,
    bairro: Texto,
    cep: Texto,
    uf: Texto,
    municipio: Type.Optional(Type.Union([Codigo, Type.Null()])),
  }),
  // In hundredths. Some clients met it as text; the register has a few below zero, as the monthly base does.
  capitalSocial: Type.Union([Type.String({ pattern: '^-?[0-9]{1,15}$' }), Type.Integer()]),
  porte: NumeroOuVazio,
  socios: listOf(
    Type.Object({ nome: Type.String({ minLength: 1, maxLength: MAIS_TEXTO }), qualificacao: NumeroOuVazio }),
    10_000,
  ),
})
type RespostaCnpj = Static<typeof RespostaCnpj>

/** A partial answer (HTTP 206) may lack these: their absence says nothing there. */
const PODEM_FALTAR: readonly (readonly string[])[] = [
  ['nomeFantasia'],
  ['situacaoCadastral', 'data'],
  ['naturezaJuridica', 'codigo'],
  ['cnaePrincipal', 'codigo'],
  ['cnaeSecundarias'],
  ['endereco', 'logradouro'],
  ['endereco', 'numero'],
  ['endereco', 'complemento'],
  ['endereco', 'bairro'],
  ['endereco', 'cep'],
  ['endereco', 'uf'],
  ['endereco', 'municipio', 'codigo'],
  ['porte'],
  ['socios'],
]

/** The specified members that an answer does not have at all, as paths: `endereco.cep`. */
const missingIn = (resposta: RespostaCnpj): string[] =>
  PODEM_FALTAR.map((path) => [path, path.reduce<unknown>(memberOf, resposta)] as const)
    .filter(([, value]) => value === undefined || value === null)
    .map(([path]) => path.join('.'))

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** In the width of its table. Both are empty where there is none. */
type CodigoDito = { codigo: string; descricao: string }

export type CadastroAoVivo = {
  razao_social: string
  nome_fantasia: string
  /** The number of the situation, without zeros in front. */
  situacao: number
  /** AAAA-MM-DD, or empty. */
  data_situacao: string
  natureza: CodigoDito
  cnae: CodigoDito
  cnaes_secundarios: CodigoDito[]
  /** Decimal, with two places. */
  capital_social: string
  endereco: {
    logradouro: string
    numero: string
    complemento: string
    bairro: string
    /** The Receita Federal's own code (TOM), four digits; not IBGE's. */
    municipio: CodigoDito
    uf: string
    cep: string
  }
  porte: string
  /** Null where the answer does not tell them, which only some legal natures may do. */
  socios: { nome: string; qualificacao: string }[] | null
}

/** Null, active, suspended, unfit, active but irregular, closed: the codes of the register's own table. */
const SITUACOES = new Set([1, 2, 3, 4, 5, 8])

/** Undefined for a situation or state that nobody knows, another form of date, a capital beyond JSON. */
function toCadastro(resposta: RespostaCnpj, hoje: Date): CadastroAoVivo | undefined {
  const { situacaoCadastral, endereco } = resposta
  const data_situacao = toData(situacaoCadastral.data ?? '', hoje)
  const capital_social = toDecimal(resposta.capitalSocial)
  const uf = clean(endereco.uf)
  const situacao = Number(situacaoCadastral.codigo)
  if (!SITUACOES.has(situacao)) return undefined
  if (data_situacao === undefined || capital_social === undefined || !isUf(uf)) return undefined
  return {
    razao_social: clean(resposta.nomeEmpresarial),
    nome_fantasia: clean(resposta.nomeFantasia),
    situacao,
    data_situacao,
    natureza: toCodigo(resposta.naturezaJuridica, 4),
    cnae: toCodigo(resposta.cnaePrincipal, 7),
    cnaes_secundarios: (resposta.cnaeSecundarias ?? []).map((one) => toCodigo(one, 7)),
    capital_social,
    endereco: {
      logradouro: clean(`${endereco.tipoLogradouro ?? ''} ${endereco.logradouro ?? ''}`),
      numero: clean(endereco.numero),
      complemento: clean(endereco.complemento),
      bairro: clean(endereco.bairro),
      municipio: toCodigo(endereco.municipio ?? {}, 4),
      uf,
      cep: toCep(clean(endereco.cep)),
    },
    porte: padded(resposta.porte, 2),
    socios: resposta.socios?.map(toSocio) ?? null,
  }
}

const toSocio = ({ nome, qualificacao }: { nome: string; qualificacao?: Dito['codigo'] }) => ({
  nome: clean(nome),
  qualificacao: padded(qualificacao, 2),
})

type Dito = { codigo?: string | number | null; descricao?: string | null }

const toCodigo = ({ codigo, descricao }: Dito, width: number): CodigoDito => ({
  codigo: padded(codigo, width),
  descricao: clean(descricao),
})

const padded = (codigo: string | number | null | undefined, width: number): string => {
  const text = String(codigo ?? '')
  return /^\d+$/.test(text) ? text.padStart(width, '0') : ''
}

/** As the import of the monthly base: what is up to a space parts words, and one space joins them. */
const clean = (text: string | null | undefined): string =>
  (text ?? '')
    .split(/[\p{Cc} ]+/u)
    .filter(Boolean)
    .join(' ')

/** EX is an address abroad. */
const isUf = (uf: string): boolean => uf === '' || uf === 'EX' || (uf !== 'BR' && findAmbito(uf) === uf)

/** Hundredths as a decimal, by their digits alone. Undefined for a number that JSON may have rounded. */
function toDecimal(centavos: string | number): string | undefined {
  if (typeof centavos === 'number' && !Number.isSafeInteger(centavos)) return undefined
  const [, sign = '', value = ''] = /^(-?)0*(\d*)$/.exec(String(centavos)) ?? []
  const digits = value.padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A CEP of 7 digits has lost its zero in front. Anything else is none, as in the monthly base. */
const toCep = (cep: string): string => (/^\d{7,8}$/.test(cep) && Number(cep) > 0 ? cep.padStart(8, '0') : '')

/** Empty for none and for one that cannot be, as the register has some; undefined for another form. */
function toData(text: string, hoje: Date): string | undefined {
  if (text === '') return ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
  return exists && text >= '1800-01-01' && at <= hoje ? text : ''
}

const { source } = fonteCnpj

export type MeiosDoCnpj = {
  contrato: Contrato
  guard: Guard
  now: () => Date
  request_id: string
  deadlineMs: number
}

/** Undefined for HTTP 404. Throws SourceError, also for a 206 that lacks a field or without the partners. */
export function askCnpj(
  cnpj: string,
  { contrato, guard, now, request_id, deadlineMs }: MeiosDoCnpj,
): Promise<CadastroAoVivo | undefined> {
  return guard({ source, deadlineMs, request_id }, async (leftMs, note) => {
    // `qsa` has the partners; `empresa` would add their whole CPF.
    const path = `/consulta-cnpj-df/v2/qsa/${cnpj}` as const
    const reply = await contrato.send({ source, method: 'GET', path, deadlineMs: leftMs })
    if (reply.status === 404) {
      checkNobody(reply)
      note({ vazia: true })
      return undefined
    }
    if (reply.status !== 200 && reply.status !== 206)
      throw failure('http', `recusou a consulta (HTTP ${reply.status})`, reply)
    return readCadastro(reply, cnpj, now())
  })
}

function readCadastro(reply: Reply, cnpj: string, hoje: Date): CadastroAoVivo {
  const resposta = parseJson(reply)
  if (!Check(RespostaCnpj, resposta)) {
    const why = reply.status === 206 ? 'só tem uma parte dos dados desta empresa' : 'mudou o que responde'
    throw failure('parse', why, reply)
  }
  if (resposta.ni !== cnpj) throw failure('parse', 'respondeu por outro CNPJ', reply)
  const faltam = reply.status === 206 ? missingIn(resposta) : []
  if (faltam.length > 0)
    throw failure('parse', `só tem uma parte dos dados desta empresa (falta ${faltam.join(', ')})`, reply)
  const cadastro = toCadastro(resposta, hoje)
  if (!cadastro) throw failure('parse', 'mudou o que responde', reply)
  if (cadastro.socios || hasNoQsa(cadastro.natureza.codigo)) return cadastro
  throw failure('parse', 'respondeu sem o quadro de sócios, que empresas desta natureza jurídica têm', reply)
}

/** The legal natures (4 digits, `2135`) without a list of partners. Their origin is in data/README.md. */
const SEM_QSA = new URL('../../data/cnpj-naturezas-sem-qsa.csv', import.meta.url)

let semQsa: ReadonlySet<string> | undefined

/** False for a nature that the table does not have: nobody can say that it has no partners. */
function hasNoQsa(natureza: string): boolean {
  semQsa ??= readSemQsa()
  return semQsa.has(natureza)
}

function readSemQsa(): ReadonlySet<string> {
  const [, ...lines] = readFileSync(SEM_QSA, 'utf8').trim().split(/\r?\n/)
  return new Set(lines.map((line) => line.slice(0, 4)))
}

/** The words of a 404 are not known, but a page of HTML is never the register's. */
function checkNobody(reply: Reply): void {
  if (reply.body.length > 0 && parseJson(reply) === undefined)
    throw failure('http', 'respondeu HTTP 404 com uma página', reply)
}

const failure = (kind: SourceErrorKind, why: string, { status, elapsedMs }: Reply): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs, status })
