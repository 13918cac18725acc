import { codeOf, SourceError } from '../platform/wire/fonte.ts'
import type { LeituraSefaz } from './leitura.ts'
import type { Autorizador } from './rules.ts'
import { consultarStatus, EM_OPERACAO, type MeiosDoStatus, sourceOf } from './source.ts'

/** What a probe needs. */
export type MeiosDaSonda = MeiosDoStatus & { log: LogDaSonda }

export type LogDaSonda = {
  debug: (fields: object, message: string) => void
  info: (fields: object, message: string) => void
}

/** What came of one probe. */
export type Sondagem = {
  leitura: LeituraSefaz
  /**
   * The service itself, saying how it stands; a refusal by whoever answered (page, fault, TLS alert); or
   * nobody at all over the network.
   */
  contato: 'servico' | 'recusa' | 'nenhum'
  /** The HTTP status of a refusal, where it has one: 403 asks for longer intervals. */
  http: number | undefined
}

/** A reading that knows nothing but whom it is of, and when. */
export const leituraVazia = (autorizador: string, em: number): Omit<LeituraSefaz, 'resultado'> => ({
  autorizador,
  em,
  conexaoMs: null,
  tlsMs: null,
  respostaMs: null,
  cStat: null,
  motivo: '',
  desmentida: null,
})

/**
 * Asks one authorizer and makes a reading of what it met; every code but 107 is an error (108, 109, 113, 114,
 * 656, a refusal). Failures of the authority are readings, and it throws only our own.
 */
export async function sondar(autorizador: Autorizador, em: number, meios: MeiosDaSonda): Promise<Sondagem> {
  const [uf] = autorizador.ufs
  if (!uf) throw new Error(`${autorizador.id} serves no state`)
  const asked = { source: sourceOf(autorizador).id, uf }
  const empty = leituraVazia(autorizador.id, em)
  try {
    const { cStat, xMotivo, tempos } = await consultarStatus(autorizador, uf, meios)
    const isUp = cStat === EM_OPERACAO
    const { log } = meios
    if (isUp) log.debug({ ...asked, ...tempos }, 'status service answered')
    else log.info({ ...asked, cStat, ...tempos }, 'status service is not in operation')
    const motivo = isUp ? '' : xMotivo || `cStat ${cStat}`
    const leitura = { ...empty, ...tempos, resultado: isUp ? 'resposta' : 'erro', cStat, motivo } as const
    return { leitura, contato: 'servico', http: undefined }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { status: http, elapsedMs: ms } = error
    const isLate = error.kind === 'timeout' || ms >= meios.limiteMs
    const kind = isLate ? 'timeout' : error.kind
    const motivo = isLate ? `${autorizador.nome} não respondeu a tempo.` : error.message
    meios.log.info(
      { ...asked, kind, http, causa: codeOf(error.cause) || undefined, ms },
      'status probe failed',
    )
    const leitura = { ...empty, resultado: isLate ? 'timeout' : 'erro', motivo } as const
    return { leitura, contato: isAnswered(error) ? 'recusa' : 'nenhum', http }
  }
}

/** OpenSSL's and Node's names of a handshake that somebody took part in. */
const HANDSHAKE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

const isAnswered = ({ kind, status, cause }: SourceError): boolean =>
  status !== undefined || (kind !== 'timeout' && (kind !== 'network' || HANDSHAKE.test(codeOf(cause))))
