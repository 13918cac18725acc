import { Type } from 'typebox'
import { OneOf, UfItem } from '../platform/http/schemas.ts'
import { DocItem } from './api-historico.ts'
import { classes } from './classificacao.ts'

const SituacaoDoEstado = Type.Object(
  {
    uf: UfItem,
    status_code: Type.Integer({
      minimum: 0,
      maximum: 5,
      description:
        '0: sem leitura; 1: responde em menos de 2 segundos; 2: de 2 a 6; 3: de 6 a 30; 4: respondeu com erro; 5: não respondeu em 30 segundos',
    }),
    status: OneOf(classes, { title: 'SituacaoSefaz', description: 'O mesmo por extenso' }),
    status_avg: Type.Number({
      minimum: 0,
      description:
        'Tempo médio de resposta das últimas 3 rodadas, em segundos, com duas casas; 0 onde não há tempo medido',
    }),
  },
  { title: 'SituacaoDoEstado', description: 'Como a SEFAZ de um estado está para o documento' },
)

/** The answer of GET /api/v1/sefaz/status. */
export const SituacaoDosEstados = Type.Object(
  {
    doc: DocItem,
    timestamp: Type.String({
      format: 'date-time',
      description:
        'Fim da rodada de que é esta situação, ISO 8601 UTC: a última em que algum serviço respondeu',
    }),
    fonte: OneOf(['servicos', 'paginas'], {
      title: 'FonteDaSituacao',
      description:
        'De onde vem: servicos, dos serviços de status das SEFAZ, com o certificado do operador; paginas, das páginas públicas de disponibilidade, que não dizem tempo (status_avg é 0)',
    }),
    avisos: Type.Array(Type.String(), {
      description:
        'O que mais convém saber desta situação, como por que a última leitura de um estado ainda vale; quase sempre vazio',
    }),
    states: Type.Array(SituacaoDoEstado, {
      minItems: 27,
      maxItems: 27,
      description: 'Sempre os 27 estados, em ordem alfabética da sigla',
    }),
  },
  { title: 'RespostaSefazStatus' },
)

const MudancaDeEstado = Type.Object(
  {
    doc: DocItem,
    timestamp: Type.String({ format: 'date-time', description: 'Fim da rodada que viu a mudança' }),
    ...SituacaoDoEstado.properties,
    antes: Type.Integer({ minimum: 0, maximum: 5, description: 'O status_code que o estado tinha' }),
  },
  { title: 'MudancaDeEstado', description: 'Um estado que mudou de classe' },
)

/** What `data` of each event of GET /api/v1/sefaz/status is. */
export const EventosSefazStatus = Type.Object(
  {
    estado: SituacaoDosEstados,
    mudanca: MudancaDeEstado,
    erro: Type.Object(
      {
        error_code: Type.Literal('MONITOR_INDISPONIVEL', { description: 'O código da falha' }),
        error_message: Type.String({ description: 'O que houve, em português' }),
        retryable: Type.Boolean({ description: 'Sempre true: espere pelo próximo evento' }),
      },
      { description: 'O monitor parou: o que veio antes não vale mais' },
    ),
  },
  {
    title: 'EventosSefazStatus',
    description: 'O que vem em data de cada evento, pelo nome do evento, com "Accept: text/event-stream"',
  },
)
