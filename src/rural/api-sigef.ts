import { type Static, Type } from 'typebox'
import { type Documento, tiposNacionais } from '../documento/documento.ts'
import { type Caller, retryAfter } from '../platform/http/exchange.ts'
import type { Check } from '../platform/http/health.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf } from '../platform/http/parameters.ts'
import { tellFailure } from '../platform/http/problem.ts'
import {
  count,
  diaOuVazio,
  documentoAsked,
  OrNull,
  Procedencia,
  RequestId,
  sourceStatusOf,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import { informesRurais } from '../platform/informes.ts'
import { success } from '../platform/wire/source-status.ts'
import { codigosDoSigef, findParcelas, findParcelasKept, type ParcelasAchadas } from './lookup-sigef.ts'
import { situacaoDaSessao, sumAreas } from './rules.ts'
import type { RuralRoom } from './rural.ts'
import { fonteSigef } from './source-sigef.ts'

const Parcela = Type.Object(
  {
    codigo_parcela: Type.String({ format: 'uuid', description: 'Código único da parcela no SIGEF (UUID)' }),
    denominacao: text('Nome do imóvel'),
    area_ha: Type.Number({ minimum: 0, description: 'Área em hectares' }),
    municipio: text('Município sede; se há vários, o primeiro'),
    uf: UfItem,
    detentor: text('Nome do detentor; se há vários, separados por "; "'),
    matricula: text('Matrícula no registro de imóveis; vazia se não há'),
    status: text('Situação da certificação, como CERTIFICADA'),
    data_certificacao: diaOuVazio(
      'Dia da certificação (AAAA-MM-DD), do acervo fundiário aberto do INCRA; vazio se ele não o informa. A página da parcela não o traz',
    ),
    natureza: text('Natureza da área, nas palavras do SIGEF, em maiúsculas: PARTICULAR'),
  },
  { title: 'ParcelaSigef', description: 'Parcela certificada, como o SIGEF a mostra' },
)

const Resultado = Type.Object(
  {
    total_parcelas: count('Quantas parcelas há em parcelas'),
    area_total_ha: Type.Number({ minimum: 0, description: 'Soma exata das áreas, em hectares' }),
    parcelas: Type.Array(Parcela, {
      description: 'Na ordem do SIGEF, sem as que ele marca como do histórico; vazia quando não há nenhuma',
    }),
  },
  { title: 'ResultadoSigef', description: 'As parcelas do detentor' },
)

const consultarSigefResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    cached: Type.Boolean({ description: 'true quando a resposta veio do cache, de até 168 horas' }),
    source_status: sourceStatusOf(codigosDoSigef),
    result: OrNull(Resultado, 'quando a consulta falhou'),
    ...Procedencia,
  },
  { title: 'RespostaConsultarSigef' },
)

export type RespostaConsultarSigef = Static<typeof consultarSigefResponse>

/** Specification, "Endpoints". */
export const consultarSigef = lookup({
  url: '/api/consultar-sigef',
  words: {
    nome: 'Parcelas (SIGEF)',
    tag: 'Imóveis rurais',
    custo: '1 crédito, também quando o SIGEF responde que não há nenhuma. Falhas não custam nada.',
    description: `As parcelas certificadas de um detentor, por CPF ou CNPJ, no SIGEF do INCRA: com área e limites georreferenciados, sem dados fiscais (esses são do CNIR, em \`/api/consultar-cnir\`).

O SIGEF só responde a quem entrou pelo gov.br: o operador deste serviço importa a sessão dele. Uma lista longa leva tempo, porque cada parcela tem a sua página. Se o prazo acaba, a resposta é SIGEF_NETWORK_ERROR, nada é cobrado, a busca continua e a próxima consulta encontra o que já foi lido. Uma lista incompleta nunca é entregue.

**Custo.** {custo}

**Cache.** A resposta vale por 168 horas.`,
  },
  query: Type.Object({ ...CpfCnpj }, { 'x-exatamente-um': ['cpf', 'cnpj'] }),
  example: { cpf: '16316645228' },
  response: consultarSigefResponse,
  headers: { 'Retry-After': retryAfter },
  errors: {
    http: ['PARAMETRO_AUSENTE', 'PARAMETRO_CONFLITANTE', 'PARAMETRO_INVALIDO', 'DOCUMENTO_INVALIDO'],
    source: [...codigosDoSigef],
  },
  price: { hold: 1 },
  anew: true,
  ask: (query, call, room: RuralRoom) => {
    const asked = documentoOf(query)
    return {
      charged: ({ source_status }) => (source_status.status === 'success' ? 1 : 0),
      ready: async () => {
        const kept = await findParcelasKept(room, asked, call.maxAgeMs())
        return kept && answer(call, asked, kept, { cached: true, agora: room.now() })
      },
      run: async () => {
        try {
          const { request_id, conta } = call
          const chamada = { request_id, conta: conta.id, leaving: call.leaving(), maxAgeMs: call.maxAgeMs() }
          const found = await findParcelas(room, asked, chamada)
          return answer(call, asked, found, { cached: false, agora: room.now() })
        } catch (error) {
          return answerFailure(error, call, asked)
        }
      },
    }
  },
})

const asked = ({ request_id }: Caller, { tipo, documento }: Documento) => ({
  request_id,
  document: documento,
  document_type: tipo,
})

const answer = (
  call: Caller,
  of: Documento,
  { parcelas, consultado_em, avisos }: ParcelasAchadas,
  { cached, agora }: { cached: boolean; agora: Date },
) => ({
  ...asked(call, of),
  cached,
  source_status: success,
  result: {
    total_parcelas: parcelas.length,
    area_total_ha: Number(sumAreas(parcelas.map(({ area_ha }) => area_ha))),
    parcelas: parcelas.map((parcela) => ({ ...parcela, area_ha: Number(parcela.area_ha) })),
  },
  fonte: fonteSigef.source.id,
  consultado_em,
  avisos: [...avisos, ...informesRurais(of.tipo, parcelas.length, agora)],
})

const answerFailure = (error: unknown, call: Caller, of: Documento) => ({
  ...asked(call, of),
  cached: false,
  source_status: tellFailure(error, call),
  result: null,
  fonte: '',
  consultado_em: '',
  avisos: [],
})

/** It decides nothing, since all else is answered without a session. */
export const checkSigef = ({ config, sigef, sessoes, now }: RuralRoom): Check => ({
  name: 'sigef',
  look: async (banco) => {
    const told = { vence_em: null, login_ate: null, aviso: '' }
    if (config.SIGEF === 'desligado') return { sessao: 'desligada', ...told }
    const dados = banco ? await sessoes.lookSoon() : 'away'
    if (dados === 'away') return { sessao: 'desconhecida', ...told }
    if (!dados && sigef) return { sessao: 'simulador', ...told }
    const { situacao: sessao, aviso } = situacaoDaSessao(dados, now())
    return { sessao, vence_em: dados?.vence_em ?? null, login_ate: dados?.login_ate ?? null, aviso }
  },
})
