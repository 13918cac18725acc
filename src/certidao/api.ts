import { type Static, Type } from 'typebox'
import { type Documento, tiposNacionais } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { InscricaoRoom } from '../inscricao/inscricao.ts'
import { creditosOf } from '../inscricao/lookup.ts'
import { areGuardadas, codigosDoEstado, emTodos, emTodosOsEstados, porEstado } from '../inscricao/schema.ts'
import { type Caller, retryAfter } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf, UfParam, ufOf } from '../platform/http/parameters.ts'
import {
  dizeresOf,
  failedSource,
  fonteOfFailure,
  retryOf,
  statusOfFailure,
} from '../platform/http/problem.ts'
import { documentoAsked, Procedencia, RequestId, sourceStatusOf, UfItem } from '../platform/http/schemas.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { success } from '../platform/wire/source-status.ts'
import { semCertidao } from '../portal/rules-certidao.ts'
import {
  type CertidaoAchada,
  certifiesAnybody,
  findCertidao,
  findCertidaoCached,
  findCertidoesTodos,
  ofAnyCpf,
} from './lookup.ts'
import { CertidaoDoEstado, CertidaoResult, CertidoesEmTodos } from './schema.ts'

const CODIGOS = ['PROCESSAMENTO_FALHOU'] as const

const consultarCndResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    uf: UfItem,
    cached: Type.Boolean({
      description: 'true quando a certidão veio do cache, de até 24 horas e nunca além da validade',
    }),
    source_status: sourceStatusOf(CODIGOS),
    result: CertidaoResult,
    ...Procedencia,
  },
  { title: 'RespostaConsultarCnd' },
)

export type RespostaConsultarCnd = Static<typeof consultarCndResponse>

/** Specification, "Endpoints". */
export const consultarCnd = lookup({
  url: '/api/consultar-cnd',
  words: {
    nome: 'Certidão estadual',
    tag: 'Certidões',
    custo: '1 crédito, também quando a secretaria responde que não há certidão ou inscrição.',
    description: `A certidão de débitos de ICMS de um CPF ou de um CNPJ, emitida na página da secretaria da fazenda do estado. Quando a página responde algo que não se entende, ou uma certidão de outro documento, \`result.status\` é \`erro\`, \`source_status\` diz por quê e nada é cobrado. Quando ela ainda está preparando a certidão, a resposta é 503 com \`Retry-After\`.

**Custo.** {custo}

**Quem não tem inscrição.** Onde a página certifica qualquer um, a consulta de inscrição estadual diz antes se é \`nao_contribuinte\`: ${certifiesAnybody.join(', ')}. ${ofAnyCpf}`,
  },
  query: Type.Object(
    { uf: UfParam('Sigla do estado, em maiúsculas ou minúsculas'), ...CpfCnpj },
    { 'x-exatamente-um': ['cpf', 'cnpj'] },
  ),
  example: { uf: 'SP', cnpj: '99001002000162' },
  response: consultarCndResponse,
  headers: { 'Retry-After': retryAfter },
  errors: {
    http: [
      'PARAMETRO_AUSENTE',
      'PARAMETRO_CONFLITANTE',
      'PARAMETRO_INVALIDO',
      'UF_NAO_SUPORTADA',
      'DOCUMENTO_INVALIDO',
      'SITE_INDISPONIVEL',
    ],
    source: CODIGOS,
  },
  price: { hold: 1 },
  anew: true,
  ask: (query, call, room: InscricaoRoom) => {
    const [uf, asked] = [ufOf(query.uf), documentoOf(query)]
    return {
      charged: (body) => creditosOf([body]),
      ready: async () => {
        const found = await findCertidaoCached(room, uf, asked, call.maxAgeMs())
        return found && answer(call, uf, asked, found)
      },
      run: async () => {
        const chamada = { request_id: call.request_id, maxAgeMs: call.maxAgeMs() }
        const found = await findCertidao(room, uf, asked, chamada).catch((error) =>
          answerFailure(error, call),
        )
        return answer(call, uf, asked, found)
      },
    }
  },
})

type Answer = CertidaoAchada & { source_status?: typeof success }

const answer = (
  { request_id }: Caller,
  uf: Uf,
  { tipo, documento }: Documento,
  { certidao, cached, fonte, consultado_em, avisos, source_status = success }: Answer,
) => ({
  request_id,
  document: documento,
  document_type: tipo,
  uf,
  cached,
  source_status,
  result: certidao,
  fonte,
  consultado_em,
  avisos,
})

/** `erro` costs nothing. Throws 503 if the state is out of reach, or still prepares the certificate. */
export function answerFailure(error: unknown, call: Pick<Caller, 'header'>): Answer {
  const source_status = statusOfFailure(error)
  const isDelivered = source_status?.error_code === 'PROCESSAMENTO_FALHOU' && !isPreparing(error)
  if (!isDelivered) return failedSource('SITE_INDISPONIVEL', 'SITE_INDISPONIVEL')(error)
  const retryS = retryOf(error)
  if (retryS !== null) call.header('retry-after', String(retryS))
  const certidao = semCertidao('erro', dizeresOf(error))
  return {
    certidao,
    cached: false,
    fonte: fonteOfFailure(error),
    consultado_em: '',
    avisos: [],
    source_status,
  }
}

const isPreparing = (error: unknown): boolean =>
  error instanceof SourceError && error.codigo === 'em-processamento'

/** Specification, "Endpoints". */
export const consultarCndTodos = lookup({
  ...emTodos,
  url: '/api/consultar-cnd-todos',
  words: {
    nome: 'Certidão em todos os estados',
    tag: 'Certidões',
    custo: '1 crédito por estado que respondeu; 27 são reservados durante a consulta.',
    description: `As certidões de débitos de ICMS de um CPF ou de um CNPJ nos 27 estados, pedidas ao mesmo tempo; se os dois forem enviados, vale o CNPJ. Pode levar um minuto. Um estado que falha não atrapalha os outros: confira o \`source_status\` de cada um. Sem inscrição no estado, o status é \`nao_contribuinte\`.

**Custo.** {custo}

${ofAnyCpf}`,
  },
  query: Type.Object({ ...CpfCnpj }, { 'x-pelo-menos-um': ['cpf', 'cnpj'] }),
  response: CertidoesEmTodos,
  errors: {
    http: ['PARAMETRO_AUSENTE', 'DOCUMENTO_INVALIDO', 'PARAMETRO_INVALIDO'],
    source: codigosDoEstado,
  },
  stream: porEstado(CertidaoDoEstado),
  log: { cached: ({ results }, began) => areGuardadas(results, began) },
  ask: (query, call, room: InscricaoRoom) => {
    const asked = documentoOf(query)
    return {
      charged: ({ results }) => creditosOf(results),
      run: async (emit) => {
        const results = await findCertidoesTodos(room, asked, emTodosOsEstados(call, emit))
        return { request_id: call.request_id, document: asked.documento, document_type: asked.tipo, results }
      },
    }
  },
})
