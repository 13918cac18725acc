import { Type } from 'typebox'
import { openCcc } from '../consultas/ccc.ts'
import { findCertidao, ofAnyCpf } from '../consultas/certidao.ts'
import { creditosOf, type Entrada, fanOut } from '../consultas/todos.ts'
import type { Context } from '../context/context.ts'
import { type Certidao, semCertidao } from '../domain/cnd/certidao.ts'
import { tiposNacionais } from '../domain/documento/documento.ts'
import { lookup } from './pipeline/lookup.ts'
import { CertidaoResult } from './schemas/certidao.ts'
import { OrNull } from './schemas/closed.ts'
import { documentoAsked, RequestId, UfItem } from './schemas/common.ts'
import { porEstado } from './schemas/por-estado.ts'
import { Procedencia, SourceStatus } from './schemas/source.ts'
import { CpfCnpj, documentoOf } from './validation/parameters.ts'

const entrada = Type.Object(
  {
    uf: UfItem,
    source_status: SourceStatus,
    result: OrNull(CertidaoResult, 'null quando o estado não foi alcançado'),
    ...Procedencia,
  },
  { title: 'EntradaCnd', description: 'A resposta de um estado' },
)

/** Body of a CND lookup in every state (specification, "GET /api/consultar-cnd-todos"). */
const consultarCndTodosResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    results: Type.Array(entrada, { description: 'Os 27 estados, em ordem alfabética da sigla' }),
  },
  { title: 'RespostaConsultarCndTodos' },
)

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
  response: consultarCndTodosResponse,
  errors: ['PARAMETRO_AUSENTE', 'DOCUMENTO_INVALIDO', 'PARAMETRO_INVALIDO'],
  sourceErrors: ['SITE_INDISPONIVEL', 'PROCESSAMENTO_FALHOU', 'DOCUMENTO_INVALIDO', 'ERRO_INTERNO'],
  stream: porEstado(entrada),
  read: documentoOf,
  anew: true,
  price: () => ({ hold: 27 }),
  charged: ({ results }) => creditosOf(results),
  run: async (asked, call, ctx: Context) => {
    const { request_id } = call
    const chamada = { request_id, maxAgeMs: call.maxAgeMs() }
    const ccc = openCcc(ctx, asked, chamada)
    const results = await fanOut(
      { ctx, call },
      {
        deadlineMs: ctx.config.CND_TODOS_SECONDS * 1000,
        ask: async (uf) => {
          const found = await findCertidao(ctx, uf, asked, { ...chamada, ccc })
          const { certidao, fonte, consultado_em, avisos } = found
          return { result: certidao, fonte, consultado_em, avisos }
        },
        failed: (status, dizeres): { result: Certidao | null } => ({ result: unusable(status, dizeres) }),
      },
    )
    return { request_id, document: asked.documento, document_type: asked.tipo, results }
  },
})

/**
 * The result of a state that failed: `erro` if it answered with what cannot be used, null if it did not
 * answer.
 */
const unusable = ({ error_code }: Entrada['source_status'], dizeres: string): Certidao | null =>
  error_code === 'SITE_INDISPONIVEL' || error_code === 'ERRO_INTERNO' ? null : semCertidao('erro', dizeres)
