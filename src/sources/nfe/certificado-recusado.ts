import { codeOf } from '../../domain/fonte/error-code.ts'
import type { Source } from '../../domain/fonte/source.ts'
import { SourceError } from '../../domain/fonte/source-error.ts'

/**
 * How OpenSSL names a server's refusal of a certificate, in TLS 1.2 (during the handshake; `handshake_failure` for one that
 * it could not take at all) and 1.3 (in the place of the answer), and its own refusal of one too weak to be presented.
 */
const REFUSALS =
  /^ERR_.*(?:ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)|(?:EE|CA)_KEY_TOO_SMALL|MD_TOO_WEAK)/

const isRefusal = (code: string): code is `ERR_${string}` => REFUSALS.test(code)

/**
 * A failure that is about the client's certificate, said so: `blocked`, and not an outage, for another client's may pass.
 * Undefined for any other failure.
 */
export function recusaDoCertificado(error: unknown, source: Source): SourceError | undefined {
  if (!(error instanceof SourceError)) return undefined
  const { status, elapsedMs, cause } = error
  const tls = codeOf(cause)
  if (status === 403) return certificadoRecusado(source, { elapsedMs, status, cause: error })
  return isRefusal(tls) ? certificadoRecusado(source, { elapsedMs, codigo: tls, cause }) : undefined
}

type Recusa = { elapsedMs: number; cause: unknown } & ({ status: number } | { codigo: `ERR_${string}` })

function certificadoRecusado(source: Source, recusa: Recusa): SourceError {
  const how = 'status' in recusa ? `com o erro HTTP ${recusa.status}` : 'na conexão segura'
  const message = `${source.nome} recusou o certificado enviado na requisição (${how}). Confira se é um e-CNPJ ou e-CPF da ICP-Brasil, em vigor e não revogado.`
  return new SourceError('blocked', message, { source: source.id, unavailable: false, ...recusa })
}
