import { Type } from 'typebox'
import { CertidaoDoEstado, CertidoesEmTodos, codigosDoEstado, porEstado } from '../inscricao/schema.ts'
import { creditosOf } from '../inscricao/todos.ts'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf } from '../platform/http/parameters.ts'
import { findCertidoesTodos } from './certidao-todos.ts'
import { ofAnyCpf } from './lookup.ts'

/**
 * GET /api/consultar-cnd-todos: the ICMS clearance certificates of a document in all 27 states.
 * Specification, "Endpoints".
 */
export const consultarCndTodos = lookup({
  url: '/api/consultar-cnd-todos',
  tag: 'Certidões',
  summary: 'Certidão (CND) em todos os estados',
  description: `As certidões de débitos de ICMS de um CPF ou de um CNPJ nos 27 estados, pedidas ao mesmo tempo; se os dois forem enviados, vale o CNPJ. Pode levar um minuto. Um estado que falha não atrapalha os outros: confira o \`source_status\` de cada um. Sem inscrição no estado, o status é \`nao_contribuinte\`.

**Custo.** 1 crédito por estado que respondeu; 27 são reservados durante a consulta.

${ofAnyCpf}`,
  query: Type.Object(
    {
      ...CpfCnpj,
    },
    { 'x-pelo-menos-um': ['cpf', 'cnpj'] },
  ),
  example: { cnpj: '99001002000162' },
  response: CertidoesEmTodos,
  errors: ['PARAMETRO_AUSENTE', 'DOCUMENTO_INVALIDO', 'PARAMETRO_INVALIDO'],
  sourceErrors: codigosDoEstado,
  stream: porEstado(CertidaoDoEstado),
  read: documentoOf,
  anew: true,
  price: () => ({ hold: 27 }),
  charged: ({ results }) => creditosOf(results),
  run: async (asked, call, ctx: Context) => {
    const { request_id } = call
    const results = await findCertidoesTodos(ctx, asked, { ...call, maxAgeMs: call.maxAgeMs() })
    return { request_id, document: asked.documento, document_type: asked.tipo, results }
  },
})
