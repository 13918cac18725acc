import { type Static, Type } from 'typebox'
import { type Documento, tiposNacionais } from '../documento/documento.ts'
import { type Caller, retryAfter } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import { CpfCnpj, documentoOf } from '../platform/http/parameters.ts'
import { fonteOfFailure, tellFailure } from '../platform/http/problem.ts'
import {
  count,
  diaOuVazio,
  documentoAsked,
  OneOf,
  OrNull,
  Procedencia,
  percentual,
  RequestId,
  sourceStatusOf,
  text,
} from '../platform/http/schemas.ts'
import { informesRurais } from '../platform/informes.ts'
import { success } from '../platform/wire/source-status.ts'
import { findTitular, findTitularKept, type TitularAchado } from './lookup-cnir.ts'
import type { RuralRoom } from './rural.ts'
import { fonteCnir } from './source-cnir.ts'

/** Specification, "Rural property record". */
const PessoaFisica = Type.Object(
  {
    nome: text('Nome do titular'),
    data_nascimento: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    situacao_cadastral: text('Situação do CPF, nas palavras do cadastro'),
    sexo: OneOf(['', 'M', 'F'], 'M ou F; vazio quando não se sabe'),
  },
  { title: 'PessoaFisicaCnir', description: 'O titular, quando o documento é um CPF' },
)

const PessoaJuridica = Type.Object(
  {
    razao_social: text('Nome empresarial'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_cadastral: text('Situação do CNPJ, nas palavras do cadastro'),
    data_abertura: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    natureza_juridica: text('Natureza jurídica'),
  },
  { title: 'PessoaJuridicaCnir', description: 'O titular, quando o documento é um CNPJ' },
)

const DadosTributarios = Type.Object(
  {
    indicador_descaracterizacao: Type.Boolean({ description: 'Se o imóvel perdeu o caráter rural' }),
    origem_imovel: Type.Integer({ description: 'Código da origem' }),
    data_aquisicao: diaOuVazio('AAAA-MM-DD; vazio quando não se sabe'),
    area_adquirida: Type.Number({ minimum: 0, description: 'Área adquirida, em hectares' }),
    tipo_aquisicao: text('COMPRA, HERANCA etc.'),
    imunidades: Type.Array(
      Type.Object(
        { codigo: text('Código da imunidade'), descricao: text('O que ela é') },
        { title: 'ImunidadeDoImovel', description: 'Uma imunidade' },
      ),
      { description: 'Imunidades do ITR; vazia quando não há' },
    ),
    possui_decisao_judicial: Type.Boolean({ description: 'Se há decisão judicial sobre o imóvel' }),
  },
  { title: 'DadosTributariosDoImovel', description: 'O que o cadastro diz do imóvel para o ITR' },
)

const Condomino = Type.Object(
  { ni: text('CPF ou CNPJ'), nome: text('Nome'), percentual: percentual('Parte dele, de 0 a 100') },
  { title: 'CondominoDoImovel', description: 'Quem possui o imóvel com o proprietário' },
)

const Imovel = Type.Object(
  {
    cib: text('Código do imóvel no Cadastro Imobiliário Brasileiro'),
    nirf: text('Número do imóvel na Receita Federal'),
    denominacao: text('Nome do imóvel'),
    area_total: Type.Number({ minimum: 0, description: 'Em hectares' }),
    situacao: text('ATIVA, BAIXADA etc., nas palavras do cadastro'),
    codigo_situacao: Type.Integer({ description: 'Código da situação' }),
    ni_proprietario: text('CPF ou CNPJ do proprietário principal'),
    percentual_proprietario: percentual('Parte dele, de 0 a 100'),
    condominos: Type.Array(Condomino, { description: 'Os outros donos; vazia quando não há' }),
    dados_tributarios: DadosTributarios,
    municipio_sede: Type.Object(
      { codigo: text('Código do município'), uf: text('Sigla do estado'), nome: text('Nome') },
      { title: 'MunicipioSede', description: 'Onde fica a sede do imóvel' },
    ),
  },
  { title: 'ImovelCafir', description: 'Um imóvel rural do CNIR/CAFIR' },
)

const CODIGOS = ['SITE_INDISPONIVEL', 'PROCESSAMENTO_FALHOU'] as const

const consultarCnirResponse = Type.Object(
  {
    request_id: RequestId,
    ...documentoAsked(tiposNacionais),
    source_status: sourceStatusOf(CODIGOS),
    pessoa_fisica: OrNull(PessoaFisica, 'null por CNPJ, quando não se conhece o titular, e em falhas'),
    pessoa_juridica: OrNull(PessoaJuridica, 'null por CPF, quando não se conhece o titular, e em falhas'),
    imoveis_cafir: Type.Array(Imovel, { description: 'Vazia quando não há nenhum, e em falhas' }),
    total_imoveis: count('Quantos imóveis há em imoveis_cafir'),
    total_imoveis_ativos: count('Quantos deles têm a situação ATIVA ou ATIVO'),
    ...Procedencia,
  },
  { title: 'RespostaConsultarCnir' },
)

export type RespostaConsultarCnir = Static<typeof consultarCnirResponse>

/** The answers that came from the cache. They have no member `cached`, which the outcome would go by. */
const fromCache = new WeakSet<object>()

/** Specification, "Endpoints". */
export const consultarCnir = lookup({
  url: '/api/consultar-cnir',
  words: {
    nome: 'Imóveis rurais (CNIR)',
    tag: 'Imóveis rurais',
    custo:
      '1 crédito, também quando não há nenhum imóvel. Falhas vêm com HTTP 200, em `source_status`, e não custam nada.',
    description: `Os imóveis rurais de um titular, por CPF ou CNPJ, com os dados fiscais deles (CIB, NIRF, ITR) e sem limites georreferenciados (esses são do SIGEF).

Nenhum órgão publica uma consulta ao CNIR por titular: quem responde é um conector do operador deste serviço. Sem um conector, a resposta é SITE_INDISPONIVEL, com \`retryable\` false. A Consulta CCIR não o substitui: ela não traz situação, CIB, NIRF nem dados tributários. Um imóvel sem situação, ou sem um dos números ou booleanos abaixo, faz falhar a resposta inteira.

**Custo.** {custo}

**Cache.** A resposta vale por 24 horas.`,
  },
  query: Type.Object({ ...CpfCnpj }, { 'x-exatamente-um': ['cpf', 'cnpj'] }),
  example: { cpf: '74677237417' },
  response: consultarCnirResponse,
  headers: { 'Retry-After': retryAfter },
  errors: {
    http: ['PARAMETRO_AUSENTE', 'PARAMETRO_CONFLITANTE', 'PARAMETRO_INVALIDO', 'DOCUMENTO_INVALIDO'],
    source: CODIGOS,
  },
  price: { hold: 1 },
  anew: true,
  log: { cached: (body) => fromCache.has(body) },
  ask: (query, call, room: RuralRoom) => {
    const asked = documentoOf(query)
    return {
      charged: ({ source_status }) => (source_status.status === 'success' ? 1 : 0),
      ready: async () => {
        const kept = await findTitularKept(room, asked, call.maxAgeMs())
        return kept && answer(call, asked, kept, room)
      },
      run: async () => {
        const { request_id } = call
        try {
          const found = await findTitular(room, asked, { request_id, maxAgeMs: call.maxAgeMs() })
          return answer(call, asked, found, room)
        } catch (error) {
          return answerFailure(error, call, asked)
        }
      },
    }
  },
})

function answer(
  { request_id }: Caller,
  asked: Documento,
  { cached, ...achado }: TitularAchado,
  { now }: RuralRoom,
) {
  const body = {
    ...askedOf(request_id, asked),
    source_status: success,
    ...achado,
    fonte: fonteCnir.source.id,
    avisos: [...achado.avisos, ...informesRurais(asked.tipo, achado.total_imoveis, now())],
  }
  if (cached) fromCache.add(body)
  return body
}

const askedOf = (request_id: string, { tipo, documento }: Documento) => ({
  request_id,
  document: documento,
  document_type: tipo,
})

function answerFailure(error: unknown, call: Caller, asked: Documento) {
  return {
    ...askedOf(call.request_id, asked),
    // Only the fan-outs tell a time-out from other failures.
    source_status: { ...tellFailure(error, call), status: 'error' as const },
    pessoa_fisica: null,
    pessoa_juridica: null,
    imoveis_cafir: [],
    total_imoveis: 0,
    total_imoveis_ativos: 0,
    fonte: fonteOfFailure(error),
    consultado_em: '',
    avisos: [],
  }
}
