import { type Static, type TSchema, Type } from 'typebox'
import { ufs } from '../../documento/uf.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import { sourceErrorKinds } from '../wire/fonte.ts'
import {
  type CodigoDoStatus,
  codigosDoStatus,
  type SourceStatus as Situacao,
  sourceStatuses,
} from '../wire/source-status.ts'

/** `words` is the domain's own list, so that its type and the documented words cannot differ. */
export const OneOf = <const T extends string>(
  words: readonly T[],
  about: string | { title: string; description: string },
) =>
  Type.Unsafe<T>({
    type: 'string',
    enum: [...words],
    ...(typeof about === 'string' ? { description: about } : about),
  })

export const OneOfOrNull = <const T extends string>(words: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...words, null], description })

type Plain = { string: string; number: number; integer: number; boolean: boolean }

type Forma = { minimum?: number; maximum?: number; pattern?: string }

/** A value that may be null. Unlike a union, the serializer writes it without trying each kind. */
export const PlainOrNull = <K extends keyof Plain>(kind: K, description: string, forma: Forma = {}) =>
  Type.Unsafe<Plain[K] | null>({ type: [kind, 'null'], description, ...forma })

export const OneOfNumbers = (numbers: readonly number[], description: string) =>
  Type.Unsafe<number>({ type: 'integer', enum: [...numbers], description })

/** The keyword of an object that may be null: it says when it is. */
export const WHEN_NULL = 'x-null'

/** The keyword of an object of which an endpoint has fewer words: those of each member, by its name. */
export const ONLY_WORDS = 'x-palavras'

export const OrNull = <S extends TSchema>(schema: S, when: string) =>
  Type.Unsafe<Static<S> | null>({ ...schema, nullable: true, [WHEN_NULL]: when })

export const text = (description: string) => Type.String({ description })

export const count = (description: string) => Type.Integer({ minimum: 0, description })

export const percentual = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const DIA = '[0-9]{4}-[0-9]{2}-[0-9]{2}'

export const INSTANTE = `${DIA}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z`

export const ouVazio = (forma: string, description: string) =>
  Type.String({ pattern: `^(${forma})?$`, description })

export const diaOuVazio = (description: string) => ouVazio(DIA, description)

export const dia = (description: string) => Type.String({ pattern: `^${DIA}$`, description })

export const mes = (description: string) => Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description })

export const instante = (description: string) => Type.String({ format: 'date-time', description })

export const instanteOuVazio = (description: string) => ouVazio(INSTANTE, description)

export const digitosOuVazio = (length: number, description: string) =>
  ouVazio(`[0-9]{${length}}`, description)

/** A PDF in base64; empty where there is none. */
export const pdfEmBase64 = (description: string) =>
  Type.String({ format: 'byte', contentMediaType: 'application/pdf', description })

const FORMA_DO_CNPJ = '[0-9A-Z]{12}[0-9]{2}'

export const cnpjAsked = (description: string) => Type.String({ pattern: `^${FORMA_DO_CNPJ}$`, description })

export const cpfCnpjAsked = (description: string) =>
  Type.String({ pattern: `^([0-9]{11}|${FORMA_DO_CNPJ})$`, description })

export const RequestId = Type.String({
  format: 'uuid',
  description: 'Identifica a requisição; informe-o ao operador se algo falhar',
})

export const UfItem = OneOf(ufs, {
  title: 'Uf',
  description: 'Sigla de um dos 26 estados ou do Distrito Federal',
})

const COMO_FOI_ENVIADO = 'O documento como foi enviado'

export const documentoAsked = <const T extends string>(
  tipos: readonly T[],
  document = cpfCnpjAsked(COMO_FOI_ENVIADO),
) => ({ document, document_type: OneOf(tipos, 'O tipo do documento que foi enviado') })

const codes = Object.keys(errorCodes).filter((code): code is ErrorCode => Object.hasOwn(errorCodes, code))

export const Problema = Type.Object(
  {
    type: Type.String({
      pattern: '^/erros#[A-Z_]+$',
      description: 'Endereço da explicação do código, em /erros',
    }),
    title: Type.String({ description: 'O que o código significa, em poucas palavras' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'O status HTTP' }),
    detail: Type.String({ description: 'O que houve e o que fazer, em português' }),
    instance: Type.String({
      pattern: '^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      description: 'O request_id, como urn:uuid:',
    }),
    error_code: OneOf(codes, 'Código estável, para programas'),
    error_message: Type.String({ description: 'Igual a detail' }),
    request_id: RequestId,
    retryable: Type.Boolean({
      description:
        'Se repetir a mesma requisição mais tarde pode dar certo; se sim, o cabeçalho Retry-After diz quando',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            parameter: Type.String({ description: 'O nome do parâmetro' }),
            reason: Type.String({ description: 'O que há de errado com ele, em português' }),
          },
          {
            title: 'ParametroComProblema',
            description: 'Um parâmetro que a requisição trouxe errado, ou não trouxe',
          },
        ),
        { description: 'Os parâmetros com problema (400)' },
      ),
    ),
    required: Type.Optional(count('Créditos que a consulta custa (402)')),
    remaining: Type.Optional(count('Créditos que a conta tem (402)')),
    resets_at: Type.Optional(instante('Quando a cota renova, ISO 8601 UTC (402)')),
  },
  { title: 'Problema', description: 'Uma falha (RFC 9457); nada foi cobrado' },
)

export const problemaWith = (codes: readonly ErrorCode[]) =>
  Type.Intersect([
    Problema,
    Type.Object({ error_code: Type.Unsafe<ErrorCode>({ type: 'string', enum: [...codes] }) }),
  ])

/** Outcome of the upstream source (specification, "Conventions common to the lookup endpoints"). */
const SourceStatus = Type.Object(
  {
    status: OneOf(sourceStatuses, 'success ou error; nas consultas a todos os estados, também timeout'),
    error_code: OneOf(['', ...codigosDoStatus], 'Vazio quando deu certo'),
    error_message: Type.String({ description: 'Vazio quando deu certo' }),
    retryable: Type.Boolean({
      description:
        'true quando repetir a consulta mais tarde pode dar certo; false quando deu certo, ou quando repetir não muda a resposta',
    }),
  },
  { title: 'SituacaoDaFonte', description: 'Como terminou a consulta à fonte' },
)

export const sourceStatusOf = (
  codes: readonly CodigoDoStatus[],
  statuses: readonly Situacao['status'][] = codes.length > 0 ? ['success', 'error'] : ['success'],
) =>
  Type.Unsafe<Static<typeof SourceStatus>>({
    ...SourceStatus,
    [ONLY_WORDS]: { status: statuses, error_code: ['', ...codes] },
  })

/** These members are additions to the specification's. */
export const Procedencia = {
  fonte: Type.String({
    description:
      'Quem respondeu: o identificador da fonte em GET /api/v1/fontes, como SP/ie; vazio quando ninguém',
  }),
  consultado_em: instanteOuVazio(
    'Quando o órgão respondeu (ISO 8601, UTC), ou, se a resposta tem partes, quando veio a mais antiga; vazio quando ninguém respondeu',
  ),
  avisos: Type.Array(Type.String(), {
    description: 'O que convém saber desta resposta, em português; em geral vazia',
  }),
}

/** A query to a source that failed, as the list of sources and the monitor tell it. */
export const Falha = Type.Object(
  {
    tipo: OneOf(
      sourceErrorKinds,
      'http: recusou ou falhou; network: não atendeu; parse: não se entende; timeout: demorou; blocked: barrou a consulta',
    ),
    codigo: text('O código do órgão, do HTTP ou do sistema; vazio quando não há'),
    em: instante('ISO 8601 UTC'),
  },
  { title: 'FalhaDaFonte', description: 'Uma consulta que falhou' },
)
