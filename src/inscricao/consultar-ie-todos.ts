import { Type } from 'typebox'
import { tiposNacionais } from '../documento/documento.ts'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf } from '../platform/http/parameters.ts'
import { documentoAsked, RequestId, UfItem } from '../platform/http/schemas.ts'
import { findInscricoesTodos } from './inscricao-todos.ts'
import { codigosDoEstado, InscricoesDoEstado, osEstados, porEstado } from './schema.ts'
import { creditosOf } from './todos.ts'

/** Body of an IE lookup in every state (specification, "GET /api/consultar-ie-todos"). */
const consultarIeTodosResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    cached_ufs: Type.Array(UfItem, { description: 'Estados cuja resposta veio do cache' }),
    results: osEstados(InscricoesDoEstado),
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
  sourceErrors: codigosDoEstado,
  stream: porEstado(InscricoesDoEstado),
  read: documentoOf,
  anew: true,
  price: () => ({ hold: 27 }),
  charged: ({ results }) => creditosOf(results),
  run: async (asked, call, ctx: Context) => {
    const { request_id } = call
    const found = await findInscricoesTodos(ctx, asked, { ...call, maxAgeMs: call.maxAgeMs() })
    return { request_id, document: asked.documento, document_type: asked.tipo, ...found }
  },
})
