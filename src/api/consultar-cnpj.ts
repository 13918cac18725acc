import { Type } from 'typebox'
import { readBase } from '../consultas/cnpj.ts'
import type { Context } from '../context/context.ts'
import { ApiError } from '../domain/errors.ts'
import { success } from '../domain/fonte/source-status.ts'
import { lookup } from './pipeline/lookup.ts'
import { SourceStatus } from './schemas/source.ts'
import { Cnpj, isOn, Switch } from './validation/parameters.ts'

/** Company registry result (specification, "Resources and their fields"). */
const EmpresaResult = Type.Object({
  razao_social: Type.String(),
  nome_fantasia: Type.String(),
  situacao_cadastral: Type.String({ description: 'ATIVA, BAIXADA, SUSPENSA, INAPTA ou NULA' }),
  data_situacao_cadastral: Type.String({ description: 'AAAA-MM-DD ou vazio' }),
  cnae_principal_codigo: Type.String(),
  cnae_principal_descricao: Type.String(),
  cnaes_secundarios: Type.Array(Type.Object({ codigo: Type.String(), descricao: Type.String() })),
  natureza_juridica: Type.String(),
  capital_social: Type.String({ description: 'Valor decimal em texto, com ponto: 1061004829.23' }),
  endereco: Type.Object({
    logradouro: Type.String(),
    numero: Type.String(),
    complemento: Type.String(),
    bairro: Type.String(),
    municipio: Type.String(),
    uf: Type.String(),
    cep: Type.String(),
    codigo_ibge: Type.String({ description: 'Código IBGE do município, 7 dígitos; vazio no exterior' }),
  }),
  qsa: Type.Array(Type.Object({ nome: Type.String(), qualificacao: Type.String() })),
  porte: Type.String({ description: 'MICRO EMPRESA, PEQUENO PORTE, DEMAIS ou vazio' }),
})

/** Body of a found company (specification, "GET /api/consultar-cnpj"). */
export const consultarCnpjResponse = Type.Object({
  request_id: Type.String({ format: 'uuid' }),
  cnpj: Type.String(),
  cached: Type.Boolean({ description: 'A base mensal não é um cache: vale false' }),
  source_status: SourceStatus,
  result: EmpresaResult,
})

/**
 * GET /api/consultar-cnpj: a company in the monthly public base (1 credit) or asked live (3 credits).
 * Specification, "Endpoints".
 */
export const consultarCnpj = lookup({
  url: '/api/consultar-cnpj',
  summary: 'Cadastro de empresa (CNPJ)',
  description:
    'Dados cadastrais da empresa na base pública mensal da Receita Federal (1 crédito), que pode ter até cerca de um mês de atraso; ' +
    'o cabeçalho X-Base-Cnpj diz de que mês ela é. Com force_fresh=true, a consulta é feita ao vivo (3 créditos). ' +
    'Só o que é entregue é cobrado.',
  query: Type.Object({
    cnpj: Cnpj(),
    force_fresh: Type.Optional(Switch('true consulta a Receita Federal ao vivo, por 3 créditos')),
  }),
  response: consultarCnpjResponse,
  errors: [
    'PARAMETRO_AUSENTE',
    'DOCUMENTO_INVALIDO',
    'PARAMETRO_INVALIDO',
    'CNPJ_NAO_ENCONTRADO',
    'SITE_INDISPONIVEL',
  ],
  price: ({ force_fresh }) => (isOn(force_fresh) ? { hold: 3 } : { charge: 1 }),
  run: ({ cnpj, force_fresh }, call, ctx: Context) => {
    if (isOn(force_fresh)) {
      throw new ApiError(
        'SITE_INDISPONIVEL',
        'A consulta ao vivo à Receita Federal ainda não está ligada nesta versão. Consulte sem force_fresh. Nada foi cobrado.',
      )
    }
    const base = readBase(ctx)
    call.header('X-Base-Cnpj', base.manifesto.versao)
    const found = base.find(cnpj)
    if (found) {
      return {
        request_id: call.request_id,
        cnpj,
        cached: false,
        source_status: success,
        result: found.result,
      }
    }
    const why = base.manifesto.amostra
      ? 'A base carregada é uma amostra, não a nacional: importe a da Receita Federal inteira para consultar qualquer empresa.'
      : 'Empresas abertas depois aparecem na próxima base mensal.'
    throw new ApiError(
      'CNPJ_NAO_ENCONTRADO',
      `Não há registro deste CNPJ na base de ${base.manifesto.versao}. ${why}`,
    )
  },
})
