import { type Static, Type } from 'typebox'
import type { Titular } from '../../domain/certificado.ts'
import { writeInstante } from '../../domain/credito/periodo.ts'
import type { Chave, ChaveProblem } from '../../domain/documento/chave.ts'
import { cstatDe, mensagemDe } from '../../domain/nfe/mensagem.ts'
import {
  type Feito,
  type Manifestacao,
  manifestacoes,
  type StatusNfe,
  statusNfe,
} from '../../domain/nfe/nfe.ts'
import type { Previsao } from '../../domain/nfe/simulacao.ts'
import type { Fim } from './fluxo.ts'

/** The forecast of a dry run. */
const Simulacao = Type.Object(
  {
    evento: Type.Union([Type.String(), Type.Null()], {
      description:
        'O evento que uma chamada de verdade enviaria primeiro: 210210, 210200, ou null quando nenhum',
    }),
    descricao: Type.String({ description: 'O nome do evento; vazio quando nenhum seria enviado' }),
    prazo: Type.String({ description: 'Até quando a SEFAZ o aceita, ISO 8601; vazio quando não se sabe' }),
    no_prazo: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Se ainda está no prazo; null quando não se sabe',
    }),
    irreversivel: Type.Boolean({ description: 'true: o evento não pode ser desfeito' }),
  },
  { description: 'Só com simular = true' },
)

/** One item of `resultados` (specification, "NF-e XML result"). */
export const ResultadoNfe = Type.Object({
  chave: Type.String({ description: 'A chave, sem espaços nem pontos' }),
  status: Type.Enum([...statusNfe], { description: 'O que houve com a chave; só ok traz o XML' }),
  cstat: Type.String({
    description: 'O código da SEFAZ que explica o status (138, 632...); vazio quando não há',
  }),
  mensagem: Type.String(),
  from_cache: Type.Boolean({ description: 'true quando o XML veio do cache, de até 24 horas' }),
  manifestacao: Type.Union([Type.Enum([...manifestacoes]), Type.Null()], {
    description:
      'O que houve com o evento desta chamada: ciencia_ ou confirmacao_ e registrada, ja_registrada, rejeitada, erro ou nao_suportada; ' +
      'ou ciencia_fora_prazo. null quando nenhum foi enviado',
  }),
  xml: Type.Union([Type.String(), Type.Null()], {
    description: 'O nfeProc assinado, inteiro, quando o status é ok',
  }),
  simulacao: Type.Optional(Simulacao),
  retryable: Type.Optional(
    Type.Boolean({
      description:
        'Se repetir a mesma consulta mais tarde pode trazer outro resultado; ausente com simular = true',
    }),
  ),
})

export type ResultadoDaNota = Static<typeof ResultadoNfe>

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
export const resultadoInvalido = (chave: string, { cStat, mensagem }: ChaveProblem): ResultadoDaNota =>
  resultadoOf(chave, { status: 'chave_invalida', cstat: cStat, mensagem })

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
