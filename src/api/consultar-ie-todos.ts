import { Type } from 'typebox'
import { openCcc } from '../consultas/ccc.ts'
import { findInscricoes } from '../consultas/inscricao.ts'
import { creditosOf, fanOut } from '../consultas/todos.ts'
import type { Context } from '../context/context.ts'
import { tiposNacionais } from '../domain/documento/documento.ts'
import type { Inscricao } from '../domain/inscricao/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import { lookup } from './pipeline/lookup.ts'
import { documentoAsked, RequestId, UfItem } from './schemas/common.ts'
import { InscricaoItem } from './schemas/inscricao.ts'
import { porEstado } from './schemas/por-estado.ts'
import { Procedencia, SourceStatus } from './schemas/source.ts'
import { CpfCnpj, documentoOf } from './validation/parameters.ts'

const entrada = Type.Object(
  {
    uf: UfItem,
    source_status: SourceStatus,
    results: Type.Array(InscricaoItem, { description: 'Vazia quando não há inscrição, ou o estado falhou' }),
    ...Procedencia,
  },
  { title: 'EntradaIe', description: 'A resposta de um estado' },
)

/** Body of an IE lookup in every state (specification, "GET /api/consultar-ie-todos"). */
const consultarIeTodosResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    cached_ufs: Type.Array(UfItem, { description: 'Estados cuja resposta veio do cache' }),
    results: Type.Array(entrada, { description: 'Os 27 estados, em ordem alfabética da sigla' }),
  },
  { title: 'RespostaConsultarIeTodos' },
)

/**
 * GET /api/consultar-ie-todos: the state registrations of a document in all 27 states. Specification,
 * "Endpoints".
 */
export const consultarIeTodos = lookup({
  url: '/api/consultar-ie-todos',
  tag: 'Inscrição estadual',
  summary: 'Inscrição estadual (IE) em todos os estados',
  description: `Inscrições estaduais de um CPF ou de um CNPJ nos 27 estados, perguntadas ao mesmo tempo. Um estado que falha não atrapalha os outros: confira o \`source_status\` de cada um. Uma inscrição (\`ie\`) é de um estado só: consulte-a em \`/api/consultar\`.

**Custo.** 1 crédito por estado que respondeu, também quando ele diz que não há inscrição; 27 são reservados durante a consulta.`,
  query: Type.Object(
    {
      ...CpfCnpj,
    },
    { 'x-exatamente-um': ['cpf', 'cnpj'], 'x-sem-ie': true },
  ),
  example: { cnpj: '99001002000162' },
  response: consultarIeTodosResponse,
  errors: [
    'IE_NAO_SUPORTADO',
    'PARAMETRO_AUSENTE',
    'PARAMETRO_CONFLITANTE',
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_INVALIDO',
  ],
  sourceErrors: ['SITE_INDISPONIVEL', 'PROCESSAMENTO_FALHOU', 'DOCUMENTO_INVALIDO', 'ERRO_INTERNO'],
  stream: porEstado(entrada),
  read: documentoOf,
  anew: true,
  price: () => ({ hold: 27 }),
  charged: ({ results }) => creditosOf(results),
  run: async (asked, call, ctx: Context) => {
    const { request_id } = call
    const fromCache = new Set<Uf>()
    const chamada = { request_id, maxAgeMs: call.maxAgeMs() }
    const ccc = openCcc(ctx, asked, chamada)
    const results = await fanOut(
      { ctx, call },
      {
        deadlineMs: ctx.config.IE_TODOS_SECONDS * 1000,
        ask: async (uf) => {
          const found = await findInscricoes(ctx, uf, asked, { ...chamada, ccc })
          const { inscricoes, cached, fonte, consultado_em, avisos } = found
          if (cached) fromCache.add(uf)
          return { results: inscricoes, fonte, consultado_em, avisos }
        },
        failed: (): { results: Inscricao[] } => ({ results: [] }),
      },
    )
    const cached_ufs = results.map(({ uf }) => uf).filter((uf) => fromCache.has(uf))
    return { request_id, document: asked.documento, document_type: asked.tipo, cached_ufs, results }
  },
})
