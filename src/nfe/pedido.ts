import { isMesmaEmpresa } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import {
  type A1,
  CertificadoError,
  checkValidade,
  type Interessado,
  type Titular,
} from '../platform/wire/certificado.ts'
import { readPfx } from '../platform/wire/pfx.ts'
import type { TurnRequest } from '../platform/wire/threads.ts'

/** A certificate as a client sends it. */
type Enviado = { certificado: string; senha: string }

/**
 * Opens a .pfx or .p12 (base64) at its account's turn; the caller wipes `key`. Throws CERTIFICADO_INVALIDO,
 * QueueFull where there is no turn, or the reason of `turn.signal`.
 */
export async function openCertificado(enviado: Enviado, turn: TurnRequest, now: () => Date): Promise<A1> {
  try {
    return await open(enviado, turn, now)
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    throw refused(error.message, error.motivo === 'senha' ? 'senha' : 'certificado')
  }
}

async function open({ certificado, senha }: Enviado, turn: TurnRequest, now: () => Date): Promise<A1> {
  const pfx = decode(certificado)
  try {
    const a1 = await readPfx(pfx, senha, turn)
    try {
      checkValidade(a1, now())
    } catch (error) {
      a1.key.fill(0)
      throw error
    }
    return a1
  } finally {
    pfx.fill(0)
  }
}

/**
 * The name of a call: the establishment of `cnpj`, else the certificate's holder. Throws CERTIFICADO_INVALIDO
 * if the certificate is a person's or another company's.
 */
export function chooseInteressado(titular: Titular, cnpj: string | undefined): Interessado {
  if (cnpj === undefined || cnpj === titular.documento) return titular
  if (titular.tipo === 'cpf')
    throw refused(
      'O certificado é de uma pessoa (e-CPF) e não consulta em nome de um CNPJ. Tire o campo cnpj, ou envie um e-CNPJ da empresa.',
      'cnpj',
    )
  if (!isMesmaEmpresa(cnpj, titular.documento))
    throw refused(
      `O certificado é do CNPJ ${titular.documento}, e o campo cnpj é de outra empresa: os 8 primeiros caracteres têm de ser os mesmos. Envie o certificado dessa empresa, ou tire o campo cnpj.`,
      'cnpj',
    )
  return { tipo: 'cnpj', documento: cnpj }
}

const PEM = 'O certificado está em PEM; envie o arquivo .pfx ou .p12, que traz também a chave privada.'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The octets of a base64 text, which may be broken into lines. Common mistakes (PEM, data URL, base64url) are
 * refused by name.
 */
function decode(text: string): Buffer {
  if (text.includes('-----BEGIN')) throw refused(PEM)
  if (/^\s*data:/i.test(text))
    throw refused(
      'O certificado veio com o prefixo "data:...;base64,". Envie só o que vem depois da vírgula.',
    )
  const plain = text.replace(/\s+/g, '')
  const isWhole = plain.length % 4 !== 1 && !/=.?$/.test(plain.slice(0, -2))
  if (BASE64.test(plain) && isWhole) {
    const file = Buffer.from(plain, 'base64')
    if (file.subarray(0, 10).equals(Buffer.from('-----BEGIN'))) throw refused(PEM)
    return file
  }
  throw refused(
    /^[\w-]+={0,2}$/.test(plain) && /[-_]/.test(plain)
      ? 'O certificado está em base64url. Codifique em base64 comum, com + e / no lugar de - e _.'
      : 'O certificado não está em base64. Codifique em base64 o arquivo .pfx ou .p12 inteiro.',
  )
}

function refused(message: string, parameter: keyof Enviado | 'cnpj' = 'certificado'): ApiError {
  return new ApiError('CERTIFICADO_INVALIDO', message, { errors: [{ parameter, reason: message }] })
}
