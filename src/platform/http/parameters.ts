import { Type } from 'typebox'
import type { Documento } from '../../documento/documento.ts'
import { findUf, type Uf, ufProblem } from '../../documento/uf.ts'
import { ApiError } from '../errors.ts'

export type Faixa = { minimum: number; maximum?: number }

export function wholeProblem(text: string, { minimum, maximum = Number.MAX_SAFE_INTEGER }: Faixa) {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return undefined
  return maximum === Number.MAX_SAFE_INTEGER
    ? `envie um número inteiro, ${minimum} ou mais`
    : `envie um número inteiro de ${minimum} a ${maximum}`
}

export const rangeOf = (value: unknown): Faixa => {
  const { minimum, maximum }: Partial<Faixa> = Object(value)
  return { minimum: minimum ?? 0, ...(maximum !== undefined && { maximum }) }
}

/** The keywords of a parameter's schema: the code that a wrong value raises, and the code of its absence. */
export const CODE = 'x-erro'
export const CODE_ABSENT = 'x-erro-ausente'

export const WHOLE = 'x-inteiro'

/** The keyword of a text that may be empty: elsewhere an empty one counts as not sent. */
export const EMPTY_COUNTS = 'x-vazio-vale'

const CNPJ = 'CNPJ, 14 dígitos (no alfanumérico, letras maiúsculas nas 12 primeiras posições), sem pontuação'

export const Cnpj = (description = CNPJ) =>
  Type.String({ format: 'cnpj', description, [CODE]: 'DOCUMENTO_INVALIDO' })

const Cpf = () =>
  Type.String({ format: 'cpf', description: 'CPF, 11 dígitos, sem pontuação', [CODE]: 'DOCUMENTO_INVALIDO' })

export const CpfCnpj = { cpf: Type.Optional(Cpf()), cnpj: Type.Optional(Cnpj()) }

export const Ie = (description: string) => Type.String({ description })

export const UfParam = (description: string) =>
  Type.String({ format: 'uf', description, [CODE]: 'UF_NAO_SUPORTADA' })

export const AmbitoParam = (description: string) =>
  Type.String({ format: 'ambito', description, [CODE]: 'UF_NAO_SUPORTADA' })

/** In capitals. Throws UF_NAO_SUPORTADA where no schema has checked it before. */
export function ufOf(text: string): Uf {
  const uf = findUf(text)
  if (!uf) throw new ApiError('UF_NAO_SUPORTADA', `Parâmetro uf: ${ufProblem(text)}.`)
  return uf
}

export const documentoOf = ({ cpf = '', cnpj }: { cpf?: string; cnpj?: string }): Documento =>
  cnpj ? { tipo: 'cnpj', documento: cnpj } : { tipo: 'cpf', documento: cpf }

export const ChaveParam = (description: string) =>
  Type.String({ format: 'chave', description, [CODE]: 'CHAVE_INVALIDA' })

export const DiaParam = (description: string) => Type.String({ format: 'dia', description })

/** A part of a client's certificate: what is wrong with any of them is wrong with the certificate. */
export const CertificadoParam = (description: string, options: { [EMPTY_COUNTS]?: true } = {}) =>
  Type.String({
    description,
    [CODE]: 'CERTIFICADO_INVALIDO',
    [CODE_ABSENT]: 'CERTIFICADO_INVALIDO',
    ...options,
  })

export const InteiroParam = (description: string, range: Faixa, options: { default?: string } = {}) =>
  Type.String({ [WHOLE]: range, description, ...options })

export const BodySwitch = (description: string, standard: boolean) =>
  Type.Unsafe<boolean | 0 | 1 | string>({
    enum: [true, false, 'true', 'false', 1, 0, '1', '0'],
    description,
    default: standard,
  })

export const Switch = (description: string) =>
  Type.Enum(['true', 'false', '1', '0'], { description, default: 'false' })

export const isOn = (value: string | boolean | number | undefined): boolean =>
  ['true', '1'].includes(String(value))
