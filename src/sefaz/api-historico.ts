import { Type } from 'typebox'
import { diaDe } from '../documento/dia.ts'
import { ufs } from '../documento/uf.ts'
import { ApiError } from '../platform/errors.ts'
import { lookup } from '../platform/http/lookup.ts'
import { DiaParam, UfParam, ufOf } from '../platform/http/parameters.ts'
import {
  count,
  dia,
  INSTANTE,
  instante as instant,
  OneOf,
  OneOfOrNull,
  PlainOrNull,
  RequestId,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import {
  findHistorico,
  type HistoricoPedido,
  type IncidenteContado,
  parsePeriodo,
  type QuedaContada,
} from './lookup.ts'
import { type Doc, docs } from './rules.ts'
import type { TotaisSefaz } from './rules-historico.ts'
import type { SefazRoom } from './sefaz.ts'

export const DocItem = OneOf(docs, {
  title: 'DocumentoFiscal',
  description: 'nfe (modelo 55), nfce (65) ou cte (57)',
})

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

const EstadoNoPeriodo = Type.Object(
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

const DiaDoEstado = Type.Object(
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

const IncidenteItem = Type.Object(
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

const totalsOf = ({ leituras, disponibilidade, p50, p95, erros, timeouts }: TotaisSefaz) => ({
  leituras,
  disponibilidade,
  p50_ms: p50,
  p95_ms: p95,
  falhas: { erro: erros, timeout: timeouts },
})

const incidenteOf = ({ duracaoS, quedas, ...incidente }: IncidenteContado) => ({
  ...incidente,
  ...lapseOf(incidente),
  duracao_s: duracaoS,
  quedas: quedas.map((queda: QuedaContada) => ({ ...queda, estados: [...queda.estados], ...lapseOf(queda) })),
})

const lapseOf = ({ inicio, fim }: { inicio: number; fim: number | null }) => ({
  inicio: new Date(inicio).toISOString(),
  fim: fim === null ? null : new Date(fim).toISOString(),
})

const response = Type.Object(
  {
    request_id: RequestId,
    doc: DocItem,
    uf: OneOfOrNull(ufs, 'A UF pedida; null quando foram todas'),
    de: dia('O primeiro dia, AAAA-MM-DD, em Brasília'),
    ate: dia('O último dia, incluído'),
    estados: Type.Array(EstadoNoPeriodo, {
      description: 'A UF pedida, ou as 27 em ordem alfabética da sigla',
    }),
    dias: Type.Array(DiaDoEstado, {
      description: 'Cada dia do período, na UF pedida; vazia quando foram todas',
    }),
    incidentes: Type.Array(IncidenteItem, {
      description: 'Os que duraram ou terminaram no período e tocam o que se pediu; o mais novo primeiro',
    }),
  },
  { title: 'RespostaSefazHistorico' },
)

type Query = { doc?: Doc; uf?: string; de?: string; ate?: string }

/** GET /api/v1/sefaz/historico: how the authorities stood in the last 90 days. It is free. */
export const sefazHistorico = lookup({
  url: '/api/v1/sefaz/historico',
  words: {
    nome: 'Histórico das SEFAZ',
    tag: 'SEFAZ',
    description: `Como o autorizador de cada estado respondeu ao monitor: disponibilidade, tempos e incidentes, em até 90 dias. Não custa créditos.

Os dias são os de Brasília, e o de hoje vai até agora. Estados atendidos pelo mesmo autorizador têm os mesmos números. Não contam as rodadas em que nenhum serviço respondeu (a falha pode ter sido nossa) nem as leituras em que o autorizador recusou a nossa pergunta (cStat de 200 em diante, salvo 999), o que nada diz do que ele faz pelos outros. As das páginas públicas contam sem tempo.

O que cai junto, na mesma casa, é um incidente só; o que volta a cair em até 3 horas continua o mesmo. São guardados 90 dias: um dia mais antigo vem sem leituras.`,
  },
  query: Type.Object({
    doc: Type.Optional(
      Type.Enum([...docs], { description: 'O documento: nfe, nfce ou cte', default: 'nfe' }),
    ),
    uf: Type.Optional(UfParam('Só este estado, dia a dia; sem ela, os totais dos 27')),
    de: Type.Optional(DiaParam('O primeiro dia, AAAA-MM-DD; sem ele, 90 dias até o último')),
    ate: Type.Optional(
      DiaParam('O último dia, AAAA-MM-DD, incluído; sem ele, 90 dias desde o primeiro, no máximo até hoje'),
    ),
  }),
  example: { doc: 'nfe', uf: 'SP' },
  response,
  errors: { http: ['PARAMETRO_INVALIDO', 'UF_NAO_SUPORTADA'] },
  price: 'free',
  ask: (query, { request_id }, room: SefazRoom) => {
    const asked = askedBy(query, room)
    return {
      run: async () => {
        const { estados, dias, incidentes } = await findHistorico(room, asked)
        return {
          request_id,
          ...asked,
          uf: asked.uf ?? null,
          estados: estados.map(({ totais, ...estado }) => ({ ...estado, ...totalsOf(totais) })),
          dias: dias.map(({ totais, ...dia }) => ({ ...dia, ...totalsOf(totais) })),
          incidentes: incidentes.map(incidenteOf),
        }
      },
    }
  },
})

function askedBy({ doc = 'nfe', uf, de, ate }: Query, room: SefazRoom): HistoricoPedido {
  const periodo = parsePeriodo({ de, ate }, diaDe(room.now().getTime()))
  if ('reason' in periodo)
    throw new ApiError('PARAMETRO_INVALIDO', `Parâmetro ${periodo.parameter}: ${periodo.reason}.`, {
      errors: [periodo],
    })
  return { doc, uf: uf === undefined ? undefined : ufOf(uf), ...periodo }
}
