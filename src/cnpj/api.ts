import { type Static, Type } from 'typebox'
import { ApiError } from '../platform/errors.ts'
import type { Caller, Price } from '../platform/http/exchange.ts'
import type { Check } from '../platform/http/health.ts'
import { lookup } from '../platform/http/lookup.ts'
import { Cnpj, isOn, Switch } from '../platform/http/parameters.ts'
import { failedSource } from '../platform/http/problem.ts'
import {
  cnpjAsked,
  count,
  diaOuVazio,
  digitosOuVazio,
  instante,
  instanteOuVazio,
  mes,
  ouVazio,
  Procedencia,
  RequestId,
  sourceStatusOf,
  text,
} from '../platform/http/schemas.ts'
import { success } from '../platform/wire/source-status.ts'
import type { Manifesto } from './base/versao.ts'
import type { CnpjRoom } from './cnpj.ts'
import { type EmpresaAchada, findAoVivo, findAoVivoCached, findBase, readBase } from './lookup.ts'

export const MES_DA_BASE = 'Mês da base CNPJ que respondeu, AAAA-MM'

const Cnae = Type.Object(
  { codigo: digitosOuVazio(7, '7 dígitos'), descricao: text('O que o código significa') },
  { title: 'Cnae', description: 'Uma atividade econômica' },
)

const Endereco = Type.Object(
  {
    logradouro: text('Com o tipo: RUA, AVENIDA etc.'),
    numero: text('Como está no cadastro; pode ser SN'),
    complemento: text('Vazio quando não há'),
    bairro: text('Vazio quando não há'),
    municipio: text('Nome do município'),
    uf: ouVazio('[A-Z]{2}', 'Sigla do estado; EX no exterior'),
    cep: digitosOuVazio(8, '8 dígitos; vazio quando não há'),
    codigo_ibge: digitosOuVazio(7, 'Código IBGE do município, 7 dígitos; vazio no exterior'),
  },
  { title: 'EnderecoDaEmpresa', description: 'O endereço do estabelecimento' },
)

const Socio = Type.Object(
  { nome: text('Nome do sócio ou administrador'), qualificacao: text('O que ele é na empresa, por extenso') },
  { title: 'Socio', description: 'Um sócio ou administrador' },
)

/** Company registry result (specification, "Resources and their fields"). */
export const Empresa = Type.Object(
  {
    razao_social: text('Nome empresarial'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_cadastral: text('ATIVA, BAIXADA, SUSPENSA, INAPTA ou NULA'),
    data_situacao_cadastral: diaOuVazio('AAAA-MM-DD ou vazio'),
    cnae_principal_codigo: digitosOuVazio(7, '7 dígitos'),
    cnae_principal_descricao: text('O que o código significa'),
    cnaes_secundarios: Type.Array(Cnae, { description: 'As outras atividades; vazia quando não há' }),
    natureza_juridica: text('Por extenso'),
    capital_social: ouVazio('-?[0-9]+[.][0-9]{2,}', 'Valor decimal em texto, com ponto: 1061004829.23'),
    endereco: Endereco,
    qsa: Type.Array(Socio, { description: 'Quadro de sócios e administradores; vazia quando não há' }),
    porte: text('MICRO EMPRESA, PEQUENO PORTE, DEMAIS ou vazio'),
  },
  { title: 'Empresa', description: 'Um estabelecimento de uma empresa, com os dados da empresa' },
)

/** Body of a found company (specification, "GET /api/consultar-cnpj"). */
export const consultarCnpjResponse = Type.Object(
  {
    request_id: RequestId,
    cnpj: cnpjAsked('O CNPJ como foi enviado'),
    cached: Type.Boolean({
      description:
        'Se a resposta veio do cache das consultas ao vivo: true quando a Receita Federal a deu há até 1 hora, e não agora. false na base mensal não quer dizer que o dado é de agora: ela não é um cache, e X-Base-Cnpj diz de que mês é',
    }),
    source_status: sourceStatusOf([]),
    result: Empresa,
    ...Procedencia,
    fonte: Type.String({
      description:
        'Quem respondeu ao vivo: o identificador da fonte em GET /api/v1/fontes; vazio na base mensal, de que X-Base-Cnpj diz o mês',
    }),
    consultado_em: instanteOuVazio(
      'Quando a Receita Federal respondeu ao vivo (ISO 8601, UTC); vazio na base mensal',
    ),
  },
  { title: 'RespostaConsultarCnpj' },
)

export type RespostaConsultarCnpj = Static<typeof consultarCnpjResponse>

/** Specification, "Endpoints": 1 credit in the monthly base, 3 live. */
export const consultarCnpj = lookup({
  url: '/api/consultar-cnpj',
  words: {
    nome: 'Empresa (CNPJ)',
    tag: 'CNPJ',
    custo: '1 crédito; 3 ao vivo. Um CNPJ que não é encontrado não custa nada.',
    description: `Dados cadastrais da empresa na base pública mensal da Receita Federal, que pode ter até cerca de um mês de atraso; o cabeçalho \`X-Base-Cnpj\` diz de que mês ela é. \`cached\` é sempre false nela, porque a base não é um cache: o dado é do mês dela, e não de agora.

**Custo.** {custo}

**Ao vivo.** Com \`force_fresh=true\` a resposta vem da Receita Federal na hora, pelo contrato do operador com o SERPRO, nas mesmas palavras da base mensal. Ela vale por 1 hora; \`Cache-Control: no-cache\` consulta de novo. Sem contrato neste servidor, a resposta é 503 SITE_INDISPONIVEL, com \`retryable\` false; se a Receita Federal falha ou só tem uma parte dos dados, 502 RF_LIVE_ERROR.`,
  },
  query: Type.Object({
    cnpj: Cnpj(),
    force_fresh: Type.Optional(Switch('true consulta a Receita Federal ao vivo, por 3 créditos')),
  }),
  example: { cnpj: '99001002000162' },
  response: consultarCnpjResponse,
  headers: { 'X-Base-Cnpj': MES_DA_BASE },
  errors: {
    http: [
      'PARAMETRO_AUSENTE',
      'DOCUMENTO_INVALIDO',
      'PARAMETRO_INVALIDO',
      'CNPJ_NAO_ENCONTRADO',
      'SITE_INDISPONIVEL',
      'RF_LIVE_ERROR',
    ],
  },
  anew: true,
  price: { hold: 3 },
  ask: ({ cnpj, force_fresh }, call, room: CnpjRoom) => {
    const { request_id } = call
    if (!isOn(force_fresh)) return { price: precoDaBase, run: () => answerFromBase(cnpj, call, room) }
    return {
      ready: async () => {
        const found = await findAoVivoCached(room, cnpj, call.maxAgeMs())
        return found && answer(request_id, cnpj, found)
      },
      run: async () => {
        const chamada = { request_id, maxAgeMs: call.maxAgeMs() }
        const found = await findAoVivo(room, cnpj, chamada).catch(
          failedSource('RF_LIVE_ERROR', 'RF_LIVE_ERROR'),
        )
        return answer(request_id, cnpj, found)
      },
    }
  },
})

/** What a company of the monthly base costs; asking the register itself costs up to the declared price. */
export const precoDaBase = { charge: 1 } as const satisfies Price

function answerFromBase(cnpj: string, { request_id, header }: Caller, room: CnpjRoom) {
  const base = readBase(room)
  const { manifesto } = base
  header('X-Base-Cnpj', manifesto.versao)
  const found = base.find(cnpj)
  if (found) {
    const { result } = found
    return answer(request_id, cnpj, { result, cached: false, fonte: '', consultado_em: '', avisos: [] })
  }
  const why = manifesto.amostra
    ? 'A base carregada é uma amostra, não a nacional: importe a da Receita Federal inteira para consultar qualquer empresa.'
    : 'Empresas abertas depois aparecem na próxima base mensal.'
  throw new ApiError(
    'CNPJ_NAO_ENCONTRADO',
    `Não há registro deste CNPJ na base de ${manifesto.versao}. ${why}`,
  )
}

const answer = (request_id: string, cnpj: string, found: EmpresaAchada) => ({
  request_id,
  cnpj,
  source_status: success,
  ...found,
})

export const baseCnpj = lookup({
  url: '/api/v1/base-cnpj',
  words: {
    nome: 'Base do CNPJ',
    tag: 'Serviço',
    description:
      'De que mês é a base pública que responde a /api/consultar-cnpj, e quantos registros tem. Não custa créditos.',
  },
  query: Type.Object({}),
  example: {},
  response: Type.Object(
    {
      request_id: RequestId,
      versao: mes('Mês da base, AAAA-MM'),
      data_extracao: diaOuVazio('Dia em que a Receita Federal extraiu os dados, AAAA-MM-DD ou vazio'),
      importada_em: instante('ISO 8601 UTC'),
      amostra: Type.Boolean({ description: 'true: dados fictícios, para experimentar' }),
      empresas: count('Raízes de CNPJ'),
      estabelecimentos: count('Matrizes e filiais'),
      socios: count('Linhas de sócios e administradores'),
    },
    { title: 'RespostaBaseCnpj' },
  ),
  headers: { 'X-Base-Cnpj': MES_DA_BASE },
  errors: { http: ['SITE_INDISPONIVEL'] },
  price: 'free',
  ask: (_query, call, room: CnpjRoom) => ({
    run: () => {
      const { manifesto } = readBase(room)
      call.header('X-Base-Cnpj', manifesto.versao)
      return {
        request_id: call.request_id,
        versao: manifesto.versao,
        data_extracao: extractionDay(manifesto),
        importada_em: manifesto.concluido,
        amostra: manifesto.amostra,
        empresas: manifesto.empresas,
        estabelecimentos: manifesto.estabelecimentos,
        socios: manifesto.socios,
      }
    },
  }),
})

/** The names of the files carry the day: `D61010` is the 10th of October of a year that ends in 6. */
const extractionDay = ({ versao, token }: Manifesto): string =>
  token === '' ? '' : `${versao}-${token.slice(4)}`

/** The version that the registry is answered from; empty, and nothing is answered, where there is none. */
export const checkBase = (room: CnpjRoom): Check => ({
  name: 'base_cnpj',
  decides: true,
  look: () => findBase(room)?.manifesto.versao ?? '',
})
