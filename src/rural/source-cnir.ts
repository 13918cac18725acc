import { createHmac } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile, Errors } from 'typebox/schema'
import type { Documento } from '../documento/documento.ts'
import { type CodigoDaFalha, type RetryS, SourceError } from '../platform/wire/fonte.ts'
import { type Http, type Reply, retryAfterOf } from '../platform/wire/http.ts'
import type { Rota } from '../portal/estado.ts'
import { parseJson } from '../portal/pagina.ts'

export const fonteCnir = {
  familia: 'conector-do-operador',
  source: { id: 'BR/cnir', nome: 'O conector do CNIR' },
  url: 'https://cnir.serpro.gov.br',
  aceita: ['cpf', 'cnpj'],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'contrato deste serviço (docs/cnir-connector.md)',
  em: '2026',
  nota: 'Nenhum órgão publica uma consulta ao CNIR: quem pergunta é o conector do operador (CNIR_URL), e o endereço acima é o do cadastro. A Consulta CCIR do SERPRO não serve: não traz situação, CIB, NIRF nem dados tributários.',
} as const satisfies Omit<Rota, 'espera'>

/** No contract gives more. */
const MAIS_IMOVEIS = 5_000
const MAIS_POR_IMOVEL = 1_000

/** A text that may be missing. No text of a register is longer. */
const Texto = Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]))
const Lista = <S extends TSchema>(item: S) =>
  Type.Optional(Type.Union([Type.Array(item, { maxItems: MAIS_POR_IMOVEL }), Type.Null()]))
const Inteiro = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const Area = Type.Number({ minimum: 0 })
const Percentual = Type.Number({ minimum: 0, maximum: 100 })

const Sexo = Type.Union([Type.Literal(''), Type.Literal('M'), Type.Literal('F'), Type.Null()])

const Fisica = Type.Object({
  nome: Texto,
  data_nascimento: Texto,
  situacao_cadastral: Texto,
  sexo: Type.Optional(Sexo),
})

const Juridica = Type.Object({
  razao_social: Texto,
  nome_fantasia: Texto,
  situacao_cadastral: Texto,
  data_abertura: Texto,
  natureza_juridica: Texto,
})

/** A property. What is no text and no list is never missing: a guess would be sold as the register's word. */
const Imovel = Type.Object({
  cib: Texto,
  nirf: Texto,
  denominacao: Texto,
  area_total: Area,
  situacao: Type.String({ pattern: '\\S', maxLength: 200 }),
  codigo_situacao: Inteiro,
  ni_proprietario: Texto,
  percentual_proprietario: Percentual,
  condominos: Lista(Type.Object({ ni: Texto, nome: Texto, percentual: Percentual })),
  dados_tributarios: Type.Object({
    indicador_descaracterizacao: Type.Boolean(),
    origem_imovel: Inteiro,
    data_aquisicao: Texto,
    area_adquirida: Area,
    tipo_aquisicao: Texto,
    imunidades: Lista(Type.Object({ codigo: Texto, descricao: Texto })),
    possui_decisao_judicial: Type.Boolean(),
  }),
  municipio_sede: Type.Optional(
    Type.Union([Type.Object({ codigo: Texto, uf: Texto, nome: Texto }), Type.Null()]),
  ),
})

const Resposta = Type.Object({
  pessoa_fisica: Type.Optional(Type.Union([Fisica, Type.Null()])),
  pessoa_juridica: Type.Optional(Type.Union([Juridica, Type.Null()])),
  imoveis_cafir: Type.Array(Type.Unknown(), { maxItems: MAIS_IMOVEIS }),
})

/** Compiled: 5,000 properties take 10 ms, and took 500 without (2026-11-22). */
const [resposta, registro] = [Compile(Resposta), Compile(Imovel)]

/** What the register says of a holder. Every text is there, empty where the connector gave none. */
export type FichaDoTitular = ReturnType<typeof pessoasOf> & { imoveis_cafir: ImovelCafir[] }

/** A text tells why it is no answer, in Portuguese. */
function readFicha(json: unknown, asked: Documento): FichaDoTitular | string {
  // To explain 600,000 records that do not fit took a second (2026-11-22).
  const sent: unknown = Object(json).imoveis_cafir
  if (Array.isArray(sent) && sent.length > MAIS_IMOVEIS)
    return `imoveis_cafir tem mais de ${MAIS_IMOVEIS} imóveis`
  if (!resposta.Check(json)) return faultOf(Resposta, json, '')
  const imoveis: ImovelCafir[] = []
  for (const [index, imovel] of json.imoveis_cafir.entries()) {
    if (!registro.Check(imovel)) return faultOf(Imovel, imovel, `imoveis_cafir.${index}.`)
    imoveis.push(imovelOf(imovel))
  }
  const { pessoa_fisica, pessoa_juridica } = json
  if (asked.tipo === 'cpf' ? pessoa_juridica : pessoa_fisica)
    return `uma pessoa ${asked.tipo === 'cpf' ? 'jurídica' : 'física'} não responde por um ${asked.tipo.toUpperCase()}`
  const ficha = { ...pessoasOf(json), imoveis_cafir: imoveis }
  if (!datesOf(ficha).every(isDay)) return 'uma data não está em AAAA-MM-DD'
  return imoveis.every((imovel) => isOf(imovel, asked)) ? ficha : 'um imóvel é só de outros titulares'
}

/** Where an answer departs from the contract: the path of a member, never its value. */
function faultOf(schema: TSchema, value: unknown, place: string): string {
  const [, [first]] = Errors(schema, value)
  const missing = first?.keyword === 'required' ? (first.params.requiredProperties[0] ?? '') : ''
  const path = [...(first?.instancePath.split('/').slice(1) ?? []), missing].filter((name) => name !== '')
  return `${place}${path.join('.') || 'a resposta'} falta ou não é do tipo certo`
}

function pessoasOf({ pessoa_fisica, pessoa_juridica }: Static<typeof Resposta>) {
  return {
    pessoa_fisica: pessoa_fisica
      ? {
          nome: textOf(pessoa_fisica.nome),
          data_nascimento: textOf(pessoa_fisica.data_nascimento),
          situacao_cadastral: textOf(pessoa_fisica.situacao_cadastral),
          sexo: pessoa_fisica.sexo ?? '',
        }
      : null,
    pessoa_juridica: pessoa_juridica
      ? {
          razao_social: textOf(pessoa_juridica.razao_social),
          nome_fantasia: textOf(pessoa_juridica.nome_fantasia),
          situacao_cadastral: textOf(pessoa_juridica.situacao_cadastral),
          data_abertura: textOf(pessoa_juridica.data_abertura),
          natureza_juridica: textOf(pessoa_juridica.natureza_juridica),
        }
      : null,
  }
}

type ImovelCafir = ReturnType<typeof imovelOf>

function imovelOf({ condominos, dados_tributarios, municipio_sede, ...imovel }: Static<typeof Imovel>) {
  const { imunidades, ...dados } = dados_tributarios
  return {
    cib: textOf(imovel.cib),
    nirf: textOf(imovel.nirf),
    denominacao: textOf(imovel.denominacao),
    area_total: imovel.area_total,
    situacao: imovel.situacao.trim(),
    codigo_situacao: imovel.codigo_situacao,
    ni_proprietario: textOf(imovel.ni_proprietario),
    percentual_proprietario: imovel.percentual_proprietario,
    condominos: (condominos ?? []).map(({ ni, nome, percentual }) => ({
      ni: textOf(ni),
      nome: textOf(nome),
      percentual,
    })),
    dados_tributarios: {
      indicador_descaracterizacao: dados.indicador_descaracterizacao,
      origem_imovel: dados.origem_imovel,
      data_aquisicao: textOf(dados.data_aquisicao),
      area_adquirida: dados.area_adquirida,
      tipo_aquisicao: textOf(dados.tipo_aquisicao),
      imunidades: (imunidades ?? []).map(({ codigo, descricao }) => ({
        codigo: textOf(codigo),
        descricao: textOf(descricao),
      })),
      possui_decisao_judicial: dados.possui_decisao_judicial,
    },
    municipio_sede: {
      codigo: textOf(municipio_sede?.codigo),
      uf: textOf(municipio_sede?.uf),
      nome: textOf(municipio_sede?.nome),
    },
  }
}

const textOf = (text: string | null | undefined): string => text?.trim() ?? ''

const datesOf = ({ pessoa_fisica, pessoa_juridica, imoveis_cafir }: FichaDoTitular): string[] => [
  pessoa_fisica?.data_nascimento ?? '',
  pessoa_juridica?.data_abertura ?? '',
  ...imoveis_cafir.map(({ dados_tributarios }) => dados_tributarios.data_aquisicao),
]

/** Whether a date is empty or of the calendar. Node reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return text === '' || (!Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text)
}

/** A whole CPF or CNPJ. A masked one has other characters. */
const INTEIRO = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/

/**
 * A property hides or names its holders. A company counts by its root: the register goes by the head office.
 */
function isOf({ ni_proprietario, condominos }: ImovelCafir, { documento }: Documento): boolean {
  const keyOf = (ni: string): string => (ni.length === 14 ? ni.slice(0, 8) : ni)
  const titulares = [ni_proprietario, ...condominos.map(({ ni }) => ni)].map((ni) =>
    ni.replace(/[.\-/]/g, ''),
  )
  return titulares.some((ni) => !INTEIRO.test(ni) || keyOf(ni) === keyOf(documento))
}

const { source } = fonteCnir

/** The operator's connector (docs/cnir-connector.md): its address, and the secret that signs questions. */
export type Conector = { url: string; segredo: string; http: Http }

type Chamada = { request_id: string; deadlineMs: number; now: () => Date }

/** Undefined if nobody has the document. Throws SourceError for what the contract does not name. */
export async function askConector(
  { url, segredo, http }: Conector,
  { tipo, documento }: Documento,
  { request_id, deadlineMs, now }: Chamada,
): Promise<FichaDoTitular | undefined> {
  const body = JSON.stringify({ documento, tipo, request_id })
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const hmac = createHmac('sha256', segredo).update(`${timestamp}.${body}`).digest('hex')
  const reply = await http.send({
    source,
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-consulta-timestamp': timestamp,
      'x-consulta-signature': `v1=${hmac}`,
      'x-consulta-deadline-ms': String(Math.max(1, Math.round(deadlineMs))),
    },
    body,
    deadlineMs,
    repeatable: true,
  })
  const json = parseJson(reply)
  if (reply.status === 404 && isEmpty(json)) return undefined
  if (reply.status !== 200) throw refused(reply)
  const ficha = readFicha(json, { tipo, documento })
  if (typeof ficha === 'string') throw failure('parse', `respondeu fora do contrato: ${ficha}`, reply)
  return ficha
}

/** `{}`: nobody has the document. A 404 with anything else is a wrong path. */
const isEmpty = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length === 0

function refused(reply: Reply): SourceError {
  const { status } = reply
  if (status === 401 || status === 403)
    return failure(
      'http',
      `recusou este serviço (HTTP ${status}). Operador: confira CNIR_SECRET e o relógio`,
      reply,
      { unavailable: true, codigo: 'credencial', retryS: null },
    )
  const retryS = retryAfterOf(reply)
  return failure('http', `não respondeu à consulta (HTTP ${status})`, reply, { retryS })
}

type Details = { unavailable?: boolean; codigo?: CodigoDaFalha; retryS?: RetryS | undefined }

const failure = (
  kind: 'http' | 'parse',
  why: string,
  { status, elapsedMs }: Reply,
  details: Details = {},
): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs, status, ...details })
