import { Type } from 'typebox'
import { Falha } from '../fontes/schema.ts'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import {
  count,
  instanteOuVazio,
  OneOf,
  OrNull,
  PlainOrNull,
  RequestId,
  text,
} from '../platform/http/schemas.ts'
import { ambienteNacional, situacoesDoAmbiente } from './ambiente-nacional.ts'

const Servico = Type.Object(
  {
    servico: OneOf(['distribuicao', 'eventos'], {
      title: 'ServicoNacional',
      description: 'distribuicao (NFeDistribuicaoDFe) ou eventos (NFeRecepcaoEvento4)',
    }),
    fonte: text('Identificador da fonte, igual ao de /api/v1/fontes'),
    situacao: OneOf(situacoesDoAmbiente, {
      title: 'SituacaoNacional',
      description:
        'Pelas nossas chamadas dos últimos 60 minutos: respondendo, todas foram respondidas; instavel, parte delas; falhando, nenhuma; sem_leitura, ninguém chamou, e nada se sabe',
    }),
    chamadas: count('Quantas chamadas nossas houve nos últimos 60 minutos, somados todos os nós'),
    falhas: count(
      'Quantas delas falharam; entre elas pode haver recusas por causa do certificado de um cliente',
    ),
    mediana_ms: PlainOrNull('integer', 'Tempo mediano das respondidas, em milissegundos; null sem nenhuma', {
      minimum: 0,
    }),
    ultima_resposta: instanteOuVazio(
      'Quando respondeu pela última vez nos últimos 60 minutos, ISO 8601 UTC, ao menos o minuto; vazio quando não respondeu',
    ),
    ultima_falha: OrNull(Falha, 'A última falha dos últimos 60 minutos; null quando não houve'),
    respostas_dias_anteriores: count('Quantas chamadas nossas ele respondeu nos 7 dias anteriores'),
  },
  { title: 'ServicoDoAmbienteNacional', description: 'Um serviço do ambiente nacional' },
)

const NOTA =
  'O ambiente nacional não tem serviço de status e este serviço nunca o sonda: a situação vem só do que as chamadas dos clientes encontraram.'

/** GET /api/v1/sefaz/ambiente-nacional: how the national environment stands, by our own calls. It is free. */
export const sefazAmbienteNacional = lookup({
  url: '/api/v1/sefaz/ambiente-nacional',
  tag: 'SEFAZ',
  summary: 'Ambiente nacional, pelo que encontramos',
  description: `Como estão a distribuição e a recepção de eventos do Ambiente Nacional da NF-e, pelas chamadas que este serviço fez para seus clientes. ${NOTA} Não custa créditos.`,
  query: Type.Object({}),
  example: {},
  response: Type.Object(
    {
      request_id: RequestId,
      nota: text('De onde vem a resposta, e o que ela não sabe'),
      servicos: Type.Array(Servico, { description: 'A distribuição e a recepção de eventos' }),
    },
    { title: 'RespostaSefazAmbienteNacional' },
  ),
  errors: [],
  price: 'free',
  run: async (_query, { request_id }, ctx: Context) => ({
    request_id,
    nota: NOTA,
    servicos: (await ambienteNacional(ctx)).map(({ servico, fonte, situacao, hora }) => ({
      servico,
      fonte,
      situacao,
      chamadas: hora.consultas,
      falhas: hora.consultas - hora.sucessos,
      mediana_ms: hora.mediana_ms ?? null,
      ultima_resposta: hora.resposta?.toISOString() ?? '',
      ultima_falha: hora.falha ? { ...hora.falha, em: hora.falha.em.toISOString() } : null,
      respostas_dias_anteriores: hora.antes.respostas,
    })),
  }),
})
