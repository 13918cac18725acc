import { X509Certificate } from 'node:crypto'
import { dateFormat } from '../../documento/formato.ts'
import type { Uf } from '../../documento/uf.ts'
import { codeOf } from './fonte.ts'

/** An A1 certificate that was read and checked: all that a call with a client certificate needs. */
export type A1 = {
  key: Buffer
  /** PEM: the leaf first, then the rest of the file's chain in issuing order. */
  cert: string
  titular: Titular
  /** Whether the file also has keys of other holders. The certificate that lasts longest is used. */
  maisTitulares: boolean
  inicio: Date
  fim: Date
  chave: string
  impressao: string
}

/** `documento`: a valid CNPJ (14 characters, perhaps with letters) or CPF (11 digits). */
export type Titular = { tipo: 'cnpj' | 'cpf'; documento: string; nome: string; uf?: Uf }

/**
 * The party that asks for a note and signs an event: the holder, or another establishment of its company (NT
 * 2014.002 v1.21, rule 593; NT 2020.001 v1.50, rule 213). `uf` is known only of the holder.
 */
export type Interessado = Pick<Titular, 'tipo' | 'documento' | 'uf'>

export type MotivoDoCertificado =
  | 'ilegivel'
  | 'senha'
  | 'sem-chave'
  | 'sem-certificado'
  | 'sem-titular'
  | 'vencido'
  | 'futuro'
  | 'demorado'

/** Says in Portuguese what to send, and never holds the password, the file or the key. */
export class CertificadoError extends Error {
  override name = 'CertificadoError'
  readonly motivo: MotivoDoCertificado
  constructor(motivo: MotivoDoCertificado, message: string) {
    super(message)
    this.motivo = motivo
  }
}

const DIA_MS = 86_400_000

/** Days before the end. Buying another certificate takes a visit or a video call. */
const AVISO_DIAS = 30

const brasilia = dateFormat({ dateStyle: 'short', timeStyle: 'short' })

export const formatInstante = (instante: Date): string => `${brasilia.format(instante)} (horário de Brasília)`

/** Throws CertificadoError (`vencido`, `futuro`) if `now` is outside the certificate's validity. */
export function checkValidade({ inicio, fim }: Pick<A1, 'inicio' | 'fim'>, now: Date): void {
  if (now > fim) {
    throw new CertificadoError(
      'vencido',
      `O certificado venceu em ${formatInstante(fim)}. Envie o certificado renovado.`,
    )
  }
  if (now < inicio) {
    throw new CertificadoError(
      'futuro',
      `O certificado só vale a partir de ${formatInstante(inicio)}. Até lá, envie o certificado em vigor.`,
    )
  }
}

/** Whole days, negative after the end. The warning begins 30 days before it. */
export function avisoDeValidade(
  { inicio, fim }: Pick<A1, 'inicio' | 'fim'>,
  now: Date,
): { dias: number; aviso: string | undefined } {
  const dias = Math.floor((fim.getTime() - now.getTime()) / DIA_MS)
  return { dias, aviso: describeValidade(inicio, fim, dias, now) }
}

function describeValidade(inicio: Date, fim: Date, dias: number, now: Date): string | undefined {
  if (now > fim) return `O certificado A1 venceu em ${formatInstante(fim)}: renove-o e troque o arquivo.`
  if (now < inicio) return `O certificado A1 só vale a partir de ${formatInstante(inicio)}.`
  if (dias >= AVISO_DIAS) return undefined
  const quanto = dias === 0 ? 'em menos de 1 dia' : dias === 1 ? 'em 1 dia' : `em ${dias} dias`
  return `O certificado A1 vence ${quanto}, em ${formatInstante(fim)}: renove-o e troque o arquivo.`
}

export const arquivoIlegivel = (): CertificadoError =>
  new CertificadoError(
    'ilegivel',
    'O arquivo não é um certificado A1 que se possa ler. Envie o arquivo .pfx ou .p12 original, completo e sem alterações.',
  )

export const demorado = (): CertificadoError =>
  new CertificadoError(
    'demorado',
    'O arquivo do certificado demora demais para ser aberto. Exporte o certificado de novo com as opções padrão e envie o novo arquivo.',
  )

const reasons: Record<string, string> = {
  ENOENT: 'o arquivo não existe',
  EACCES: 'sem permissão para ler o arquivo',
  EISDIR: 'é uma pasta, não um arquivo',
}

export function describeRead(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ?? `o arquivo não pôde ser lido (${code})`
}

export const isIssuedBy = (cert: X509Certificate, issuer: X509Certificate): boolean =>
  cert.checkIssued(issuer) && cert.verify(issuer.publicKey)

export const impressaoOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase()

export function parseX509(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
