import { Type } from 'typebox'
import { diaDe } from '../documento/dia.ts'
import { ufs } from '../documento/uf.ts'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { lookup } from '../platform/http/lookup.ts'
import { DiaParam, UfParam, ufOf } from '../platform/http/parameters.ts'
import { dia, OneOfOrNull, RequestId } from '../platform/http/schemas.ts'
import {
  DiaDoEstado,
  DocItem,
  EstadoNoPeriodo,
  IncidenteItem,
  incidenteOf,
  palavraOf,
  totaisOf,
} from './api-historico.ts'
import { type HistoricoPedido, historicoDe } from './historico.ts'
import { periodoPedido } from './periodo.ts'
import { type Doc, docs } from './rules.ts'

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
  tag: 'SEFAZ',
  summary: 'Histórico das SEFAZ',
  description: `Como o autorizador de cada estado respondeu ao monitor: disponibilidade, tempos e incidentes, em até 90 dias. Não custa créditos.

Os dias são os de Brasília, e o de hoje vai até agora. Estados atendidos pelo mesmo autorizador têm os mesmos números. Não contam as rodadas em que nenhum serviço respondeu (a falha pode ter sido nossa) nem as leituras em que o autorizador recusou a nossa pergunta (cStat de 200 em diante, salvo 999), o que nada diz do que ele faz pelos outros. As das páginas públicas contam sem tempo.

O que cai junto, na mesma casa, é um incidente só; o que volta a cair em até 3 horas continua o mesmo. São guardados 90 dias: um dia mais antigo vem sem leituras.`,
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
  errors: ['PARAMETRO_INVALIDO', 'UF_NAO_SUPORTADA'],
  price: 'free',
  read: ({ doc = 'nfe', uf, de, ate }: Query, _call, ctx: Context): HistoricoPedido => {
    const periodo = periodoPedido({ de, ate }, diaDe(ctx.now().getTime()))
    if ('reason' in periodo)
      throw new ApiError('PARAMETRO_INVALIDO', `Parâmetro ${periodo.parameter}: ${periodo.reason}.`, {
        errors: [periodo],
      })
    return { doc, uf: uf === undefined ? undefined : ufOf(uf), ...periodo }
  },
  run: async (asked, { request_id }, ctx: Context) => {
    const { estados, dias, incidentes } = await historicoDe(ctx, asked)
    return {
      request_id,
      ...asked,
      uf: asked.uf ?? null,
      estados: estados.map(({ uf, autorizador, totais, palavra }) => ({
        uf,
        autorizador,
        ...totaisOf(totais),
        palavra: palavraOf(palavra),
      })),
      dias: dias.map(({ dia, totais }) => ({ dia, ...totaisOf(totais) })),
      incidentes: incidentes.map(incidenteOf),
    }
  },
})
