import { type Static, Type } from 'typebox'
import { tiposDocumento, tiposNacionais } from '../documento/documento.ts'
import { normalizeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf, Ie, UfParam, ufOf } from '../platform/http/parameters.ts'
import { failedSource } from '../platform/http/problem.ts'
import { documentoAsked, Procedencia, RequestId, text, UfItem } from '../platform/http/schemas.ts'
import { informesDe } from '../platform/informes.ts'
import type { Pergunta } from '../portal/estado.ts'
import type { InscricaoRoom, InscricoesAchadas } from './inscricao.ts'
import { creditosOf, findCached, findInscricoes, findInscricoesTodos } from './lookup.ts'
import {
  codigosDoEstado,
  emTodos,
  emTodosOsEstados,
  InscricaoItem,
  InscricoesDoEstado,
  osEstados,
  porEstado,
} from './schema.ts'

export const consultarResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposDocumento, text('O documento como foi enviado')),
    uf: UfItem,
    cached: Type.Boolean({
      description: 'true quando a resposta veio do cache, de até 24 horas (1 hora, sem inscrições)',
    }),
    results: Type.Array(InscricaoItem, {
      description: 'Vazia quando o estado não tem inscrição do documento',
    }),
    ...Procedencia,
  },
  { title: 'RespostaConsultar' },
)

export type RespostaConsultar = Static<typeof consultarResponse>

type Query = { uf: string; cpf?: string; cnpj?: string; ie?: string }

/** Specification, "Endpoints". */
export const consultar = lookup({
  url: '/api/consultar',
  words: {
    nome: 'Inscrição estadual',
    tag: 'Inscrição estadual',
    custo: '1 crédito, também quando o estado responde que não há nenhuma.',
    description: `Inscrições estaduais de um CPF, de um CNPJ ou de um número de IE, perguntadas à secretaria da fazenda do estado. Campos que o estado não informa vêm vazios, menos o nome do município e o da atividade (CNAE), que uma tabela pública completa quando o estado só informa o código.

**Custo.** {custo}

**Cache.** A resposta vale por 24 horas; a de que não há nenhuma, por 1 hora.

Como cada estado é consultado, o que ele pede (certificado, captcha) e como vem respondendo está em \`GET /api/v1/fontes\`.`,
  },
  query: Type.Object(
    {
      uf: UfParam('Sigla do estado, em maiúsculas ou minúsculas'),
      ...CpfCnpj,
      ie: Type.Optional(Ie('Inscrição estadual, só dígitos (em SP, produtor rural: P e 12 dígitos)')),
    },
    { 'x-exatamente-um': ['cpf', 'cnpj', 'ie'], 'x-ie-da-uf': true },
  ),
  example: { uf: 'SP', cnpj: '99001002000162' },
  response: consultarResponse,
  errors: {
    http: [
      'PARAMETRO_AUSENTE',
      'PARAMETRO_CONFLITANTE',
      'PARAMETRO_INVALIDO',
      'UF_NAO_SUPORTADA',
      'DOCUMENTO_INVALIDO',
      'PROCESSAMENTO_FALHOU',
      'SITE_INDISPONIVEL',
    ],
  },
  price: { hold: 1 },
  anew: true,
  ask: (query, call, room: InscricaoRoom) => {
    const { request_id } = call
    const asked = askedBy(query)
    const { uf, pergunta } = asked
    return {
      ready: async () => {
        const found = await findCached(room, uf, pergunta, call.maxAgeMs())
        return found && answer(request_id, asked, found, room.now())
      },
      run: async () => {
        const chamada = { request_id, maxAgeMs: call.maxAgeMs() }
        const found = await findInscricoes(room, uf, pergunta, chamada).catch(
          failedSource('SITE_INDISPONIVEL', 'PROCESSAMENTO_FALHOU'),
        )
        return answer(request_id, asked, found, room.now())
      },
    }
  },
})

type Asked = { uf: Uf; document: string; pergunta: Pergunta }

function askedBy({ uf: text, cpf, cnpj, ie = '' }: Query): Asked {
  const uf = ufOf(text)
  if (cpf) return { uf, document: cpf, pergunta: { tipo: 'cpf', documento: cpf } }
  if (cnpj) return { uf, document: cnpj, pergunta: { tipo: 'cnpj', documento: cnpj } }
  return { uf, document: ie, pergunta: { tipo: 'ie', documento: normalizeInscricao(uf, ie) } }
}

function answer(
  request_id: string,
  { uf, document, pergunta }: Asked,
  { inscricoes, cached, fonte, consultado_em, avisos }: InscricoesAchadas,
  agora: Date,
) {
  const isNone = pergunta.tipo === 'cpf' && inscricoes.length === 0
  return {
    request_id,
    document,
    document_type: pergunta.tipo,
    uf,
    cached,
    results: inscricoes,
    fonte,
    consultado_em,
    avisos: isNone ? [...avisos, ...informesDe(['cpf'], agora)] : avisos,
  }
}

const consultarIeTodosResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    cached_ufs: Type.Array(UfItem, { description: 'Estados cuja resposta veio do cache' }),
    results: osEstados(InscricoesDoEstado),
  },
  { title: 'RespostaConsultarIeTodos' },
)

export type RespostaConsultarIeTodos = Static<typeof consultarIeTodosResponse>

/** Specification, "Endpoints". */
export const consultarIeTodos = lookup({
  ...emTodos,
  url: '/api/consultar-ie-todos',
  words: {
    nome: 'Inscrição em todos os estados',
    tag: 'Inscrição estadual',
    custo:
      '1 crédito por estado que respondeu, também quando ele diz que não há inscrição; 27 são reservados durante a consulta.',
    description: `Inscrições estaduais de um CPF ou de um CNPJ nos 27 estados, perguntadas ao mesmo tempo. Um estado que falha não atrapalha os outros: confira o \`source_status\` de cada um. Uma inscrição (\`ie\`) é de um estado só: consulte-a em \`/api/consultar\`.

**Custo.** {custo}`,
  },
  query: Type.Object({ ...CpfCnpj }, { 'x-exatamente-um': ['cpf', 'cnpj'], 'x-sem-ie': true }),
  response: consultarIeTodosResponse,
  errors: {
    http: [
      'IE_NAO_SUPORTADO',
      'PARAMETRO_AUSENTE',
      'PARAMETRO_CONFLITANTE',
      'DOCUMENTO_INVALIDO',
      'PARAMETRO_INVALIDO',
    ],
    source: codigosDoEstado,
  },
  stream: porEstado(InscricoesDoEstado),
  log: {
    cached: ({ results, cached_ufs }) => cached_ufs.length > 0 && cached_ufs.length === creditosOf(results),
  },
  ask: (query, call, room: InscricaoRoom) => {
    const asked = documentoOf(query)
    return {
      charged: ({ results }) => creditosOf(results),
      run: async (emit) => {
        const found = await findInscricoesTodos(room, asked, emTodosOsEstados(call, emit))
        return { request_id: call.request_id, document: asked.documento, document_type: asked.tipo, ...found }
      },
    }
  },
})
