import type { Source } from '../platform/wire/fonte.ts'
import { codeOf, SourceError } from '../platform/wire/fonte.ts'

/**
 * OpenSSL's names of a refused certificate: in the handshake of TLS 1.2 (also `handshake_failure`), in the
 * place of the answer in TLS 1.3, and its own refusal of a certificate that is too weak.
 */
const REFUSALS =
  /^ERR_.*(?:ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)|(?:EE|CA)_KEY_TOO_SMALL|MD_TOO_WEAK)/

const isRefusal = (code: string): code is `ERR_${string}` => REFUSALS.test(code)

/**
 * Makes the failure of a refused client certificate: `blocked`, and no outage, because another client's may
 * pass. Undefined for any other failure.
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
