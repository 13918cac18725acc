import type { Chave, ChaveProblem } from '../documento/chave.ts'
import { writeInstante } from '../documento/dia.ts'
import type { Titular } from '../platform/wire/certificado.ts'
import type { Fim } from './fluxo.ts'
import type { Feito, Manifestacao, StatusNfe, TipoDeEvento } from './rules.ts'
import { cstatDe, mensagemDe } from './rules-mensagem.ts'
import type { Previsao } from './rules-simulacao.ts'

/** What became of a key: an item of `resultados` (specification, "NF-e XML result"). */
export type ResultadoDaNota = {
  chave: string
  status: StatusNfe
  /** The code of SEFAZ that explains the status; empty if there is none. */
  cstat: string
  mensagem: string
  from_cache: boolean
  /** What became of the event of this call; null if none was sent. */
  manifestacao: Manifestacao | null
  /** The whole nfeProc; null unless the status is `ok`. */
  xml: string | null
  simulacao?: Simulacao
  retryable?: boolean
}

/** The forecast of a dry run. */
type Simulacao = {
  evento: TipoDeEvento | null
  descricao: string
  prazo: string
  no_prazo: boolean | null
  irreversivel: boolean
}

type Parts = { status: StatusNfe; cstat: string; mensagem: string } & Partial<
  Pick<ResultadoDaNota, 'from_cache' | 'xml' | 'simulacao' | 'retryable'> & {
    manifestacao: Manifestacao | null
  }
>

/** An item of `resultados`. A part that is not given did not happen. */
export const resultadoOf = (chave: string, parts: Parts): ResultadoDaNota => ({
  chave,
  from_cache: false,
  manifestacao: null,
  xml: null,
  ...parts,
})

/** The item of a key that no NF-e has. Nobody was asked. */
export const resultadoInvalido = (chave: string, { mensagem }: ChaveProblem): ResultadoDaNota =>
  resultadoOf(chave, { status: 'chave_invalida', cstat: '', mensagem })

/** The item of a whole flow. */
export function resultadoDoFluxo(
  { chave }: Chave,
  { andamento, desfecho }: Fim,
  limitadaAte: Date | undefined,
): ResultadoDaNota {
  const { status, manifestacao } = desfecho
  return resultadoOf(chave, {
    status,
    cstat: cstatDe(andamento, desfecho),
    mensagem: mensagemDe(andamento, desfecho, limitadaAte),
    manifestacao,
    xml: status === 'ok' ? xmlOf(andamento.feitos) : null,
  })
}

/** The item of a dry run. */
export function resultadoDaSimulacao({ chave }: Chave, previsao: Previsao): ResultadoDaNota {
  const { status, cstat, mensagem, evento } = previsao
  const simulacao = {
    evento: evento?.codigo ?? null,
    descricao: evento?.nome ?? '',
    prazo: evento?.prazo ? writeInstante(evento.prazo) : '',
    no_prazo: evento?.noPrazo ?? null,
    irreversivel: evento !== null,
  }
  return resultadoOf(chave, { status, cstat, mensagem, simulacao })
}

/**
 * The item of a note that could not be paid for: without the note, with its event all the same. `porque` is a
 * Portuguese sentence.
 */
export function semNota(resultado: ResultadoDaNota, porque: string): ResultadoDaNota {
  const mensagem = `${resultado.mensagem} O XML não foi entregue nesta resposta, e nada foi cobrado. ${porque} Repita a consulta.`
  return { ...resultado, status: 'erro', xml: null, mensagem, retryable: true }
}

/**
 * Tells the client to send a new `Idempotency-Key` when it asks again. The same key would bring this answer
 * for a day.
 */
export const deOutraKey = (resultado: ResultadoDaNota): ResultadoDaNota => ({
  ...resultado,
  mensagem: `${resultado.mensagem} Ao repetir, envie outra Idempotency-Key: com a mesma, a resposta será esta por 24 horas.`,
})

/** The item for a file with the keys of several holders. It says whose certificate was used. */
export const doTitular = (
  resultado: ResultadoDaNota,
  { tipo, documento, nome }: Titular,
): ResultadoDaNota => ({
  ...resultado,
  mensagem: `${resultado.mensagem} O arquivo do certificado tem as chaves de mais de um titular: foi usado o de ${nome}, ${tipo.toUpperCase()} ${documento}, que vence por último. Para usar outro, envie um arquivo só dele.`,
})

/** The note that the last step brought. Null if it brought none. */
export function xmlOf(feitos: readonly Feito[]): string | null {
  const last = feitos.at(-1)
  return last && 'resposta' in last && last.resposta.tipo === 'xml' ? last.resposta.xml : null
}
