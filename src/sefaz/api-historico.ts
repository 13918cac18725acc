import { Type } from 'typebox'
import {
  count,
  dia,
  INSTANTE,
  instante as instant,
  OneOf,
  PlainOrNull,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import type { IncidenteContado, QuedaContada } from './incidente.ts'
import { docs } from './rules.ts'
import type { PalavraDaSefaz, TotaisSefaz } from './rules-historico.ts'

/** A document, in an answer. */
export const DocItem = OneOf(docs, {
  title: 'DocumentoFiscal',
  description: 'nfe (modelo 55), nfce (65) ou cte (57)',
})

/** In per cent. */
const PARTE = { minimum: 0, maximum: 100 }

const totais = {
  leituras: count('Quantas vezes o autorizador foi perguntado; 0 quando não há leitura'),
  disponibilidade: PlainOrNull(
    'number',
    'Parte das leituras que ele respondeu como em operação, em %, com duas casas; 100 só quando nenhuma falhou; null sem leituras',
    PARTE,
  ),
  p50_ms: PlainOrNull(
    'integer',
    'Tempo mediano das respostas, em milissegundos; null quando não há tempo medido',
    { minimum: 0 },
  ),
  p95_ms: PlainOrNull('integer', 'Tempo dentro do qual vieram 95% das respostas, em milissegundos; ou null', {
    minimum: 0,
  }),
  falhas: Type.Object(
    {
      erro: count('Respondeu com um erro, recusou ou não atendeu (classe 4)'),
      timeout: count('Não respondeu no prazo (classe 5)'),
    },
    { title: 'FalhasDaSefaz', description: 'As leituras que não foram respondidas, por classe' },
  ),
}

/** A state, as its authorizer served it in the period. */
export const EstadoNoPeriodo = Type.Object(
  {
    uf: UfItem,
    autorizador: text('Quem autoriza o documento neste estado'),
    ...totais,
    palavra: Type.Object(
      {
        conferidas: count(
          'Leituras em que ele disse estar em operação e, pouco antes, houve consultas nossas a ele',
        ),
        desmentidas: count('As em que uma dessas consultas falhou'),
        desmentida: PlainOrNull(
          'number',
          'Parte das conferidas, em %, com duas casas; null sem nenhuma',
          PARTE,
        ),
      },
      { title: 'PalavraDaSefaz', description: 'Quanto vale a palavra do próprio autorizador' },
    ),
  },
  { title: 'EstadoNoPeriodo', description: 'Um estado, no período inteiro' },
)

/** A day of the state that is asked about. */
export const DiaDoEstado = Type.Object(
  { dia: dia('AAAA-MM-DD, em Brasília'), ...totais },
  { title: 'DiaDoEstado', description: 'Um dia, também o que não tem leituras' },
)

const codigo = PlainOrNull(
  'integer',
  'O cStat com que o autorizador respondeu por último; null quando não respondeu',
)
const fim = PlainOrNull('string', 'ISO 8601 UTC; null enquanto dura', { pattern: `^${INSTANTE}$` })

const Queda = Type.Object(
  {
    autorizador: text('Quem caiu'),
    doc: DocItem,
    estados: Type.Array(UfItem, { description: 'Os estados que ele atende' }),
    inicio: instant('A primeira leitura que falhou, ISO 8601 UTC'),
    fim,
    codigo,
    motivo: text('O que foi visto por último, em português'),
  },
  { title: 'QuedaDoAutorizador', description: 'A queda de um autorizador' },
)

/** One incident. */
export const IncidenteItem = Type.Object(
  {
    id: text('O mesmo enquanto dura, e quando ele reabre'),
    casa: text('Quem opera o que caiu'),
    inicio: instant('A primeira leitura que falhou, ISO 8601 UTC'),
    fim,
    duracao_s: count('Em segundos; até agora, enquanto dura'),
    autorizadores: Type.Array(Type.String(), { description: 'Quem caiu' }),
    documentos: Type.Array(DocItem, { description: 'Os documentos que ficaram sem autorização' }),
    estados: Type.Array(UfItem, { description: 'Os estados afetados, em ordem alfabética' }),
    codigo,
    motivo: text('O que foi visto por último na primeira queda, em português'),
    quedas: Type.Array(Queda, { description: 'Cada queda, na ordem em que vieram' }),
  },
  { title: 'IncidenteSefaz', description: 'Uma causa, com tudo o que caiu por ela' },
)

/** The totals as an answer has them. */
export const totaisOf = ({ leituras, disponibilidade, p50, p95, erros, timeouts }: TotaisSefaz) => ({
  leituras,
  disponibilidade,
  p50_ms: p50,
  p95_ms: p95,
  falhas: { erro: erros, timeout: timeouts },
})

/** The authority's own word as an answer has it. */
export const palavraOf = ({ conferidas, desmentidas, desmentida }: PalavraDaSefaz) => ({
  conferidas,
  desmentidas,
  desmentida,
})

/** An incident as an answer has it. */
export const incidenteOf = ({ duracaoS, quedas, ...incidente }: IncidenteContado) => ({
  ...incidente,
  ...lapseOf(incidente),
  duracao_s: duracaoS,
  quedas: quedas.map((queda: QuedaContada) => ({
    ...queda,
    estados: [...queda.estados],
    ...lapseOf(queda),
  })),
})

const lapseOf = ({ inicio, fim }: { inicio: number; fim: number | null }) => ({
  inicio: new Date(inicio).toISOString(),
  fim: fim === null ? null : new Date(fim).toISOString(),
})
