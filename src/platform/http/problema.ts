import { Type } from 'typebox'
import { type ErrorCode, errorCodes } from '../errors.ts'
import { OneOf } from './closed.ts'
import { count, instante, RequestId } from './schemas.ts'

/** Every code of the table, in its order. */
const codes = Object.keys(errorCodes).filter((code): code is ErrorCode => Object.hasOwn(errorCodes, code))

/** The body of a failure (RFC 9457), for the description alone: `problem.ts` writes it. */
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

/** The body of a failure with one of these codes. */
export const problemaWith = (codes: readonly ErrorCode[]) =>
  Type.Intersect([
    Problema,
    Type.Object({ error_code: Type.Unsafe<ErrorCode>({ type: 'string', enum: [...codes] }) }),
  ])
