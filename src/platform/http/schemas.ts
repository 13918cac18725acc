import { Type } from 'typebox'
import { ufs } from '../../documento/uf.ts'
import { OneOf } from './closed.ts'

/** A text of an answer, and what it says. */
export const text = (description: string) => Type.String({ description })

/** How many: a whole number, never negative. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })

/** A part of a whole, in per cent. */
export const percentual = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const DIA = '[0-9]{4}-[0-9]{2}-[0-9]{2}'

/** An instant as `toISOString` writes it. */
export const INSTANTE = `${DIA}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z`

/** A text of a form, or an empty one. */
export const ouVazio = (forma: string, description: string) =>
  Type.String({ pattern: `^(${forma})?$`, description })

/** A day, AAAA-MM-DD; empty where it is not known. */
export const diaOuVazio = (description: string) => ouVazio(DIA, description)

/** A day, AAAA-MM-DD. */
export const dia = (description: string) => Type.String({ pattern: `^${DIA}$`, description })

/** A month, AAAA-MM. */
export const mes = (description: string) => Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description })

/** An instant, ISO 8601 UTC. */
export const instante = (description: string) => Type.String({ format: 'date-time', description })

/** An instant, ISO 8601 UTC; empty where there is none. */
export const instanteOuVazio = (description: string) => ouVazio(INSTANTE, description)

/** So many digits; empty where there are none. */
export const digitosOuVazio = (length: number, description: string) =>
  ouVazio(`[0-9]{${length}}`, description)

/** A PDF in base64; empty where there is none. */
export const pdfEmBase64 = (description: string) =>
  Type.String({ format: 'byte', contentMediaType: 'application/pdf', description })

const FORMA_DO_CNPJ = '[0-9A-Z]{12}[0-9]{2}'

/** A CNPJ whose check digits were checked. */
export const cnpjAsked = (description: string) => Type.String({ pattern: `^${FORMA_DO_CNPJ}$`, description })

/** A CPF or a CNPJ whose check digits were checked. */
export const cpfCnpjAsked = (description: string) =>
  Type.String({ pattern: `^([0-9]{11}|${FORMA_DO_CNPJ})$`, description })

/** The id of the request that was answered. */
export const RequestId = Type.String({
  format: 'uuid',
  description: 'Identifica a requisição; informe-o ao operador se algo falhar',
})

/** A state, in an answer. */
export const UfItem = OneOf(ufs, {
  title: 'Uf',
  description: 'Sigla de um dos 26 estados ou do Distrito Federal',
})

const COMO_FOI_ENVIADO = 'O documento como foi enviado'

/** What was asked about, by the kinds of document that an endpoint takes. */
export const documentoAsked = <const T extends string>(
  tipos: readonly T[],
  document = cpfCnpjAsked(COMO_FOI_ENVIADO),
) => ({
  document,
  document_type: OneOf(tipos, 'O tipo do documento que foi enviado'),
})
