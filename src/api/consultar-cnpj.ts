import { Type } from 'typebox'
import { readBase } from '../consultas/cnpj.ts'
import type { Context } from '../context/context.ts'
import { ApiError } from '../domain/errors.ts'
import { success } from '../domain/fonte/source-status.ts'
import { lookup } from './pipeline/lookup.ts'
import { RequestId } from './schemas/common.ts'
import { Empresa, MES_DA_BASE } from './schemas/empresa.ts'
import { SourceStatus } from './schemas/source.ts'
import { Cnpj, isOn, Switch } from './validation/parameters.ts'

/** Body of a found company (specification, "GET /api/consultar-cnpj"). */
export const consultarCnpjResponse = Type.Object(
  {
    request_id: RequestId,
    cnpj: Type.String({ description: 'O CNPJ como foi enviado' }),
    cached: Type.Boolean({ description: 'A base mensal não é um cache: vale false' }),
    source_status: SourceStatus,
    result: Empresa,
  },
  { title: 'RespostaConsultarCnpj' },
)

/**
 * GET /api/consultar-cnpj: a company in the monthly public base (1 credit) or asked live (3 credits).
 * Specification, "Endpoints".
 */
export const consultarCnpj = lookup({
  url: '/api/consultar-cnpj',
  tag: 'CNPJ',
  summary: 'Cadastro de empresa (CNPJ)',
  description: `Dados cadastrais da empresa na base pública mensal da Receita Federal, que pode ter até cerca de um mês de atraso; o cabeçalho \`X-Base-Cnpj\` diz de que mês ela é.

**Custo.** 1 crédito; 3 ao vivo. Só o que é entregue é cobrado.

**Ao vivo.** A consulta com \`force_fresh=true\` ainda não está ligada nesta versão: a resposta é 503 SITE_INDISPONIVEL, com \`retryable\` false.`,
  query: Type.Object({
    cnpj: Cnpj(),
    force_fresh: Type.Optional(
      Switch('true consulta a Receita Federal ao vivo, por 3 créditos; ainda não ligada nesta versão'),
    ),
  }),
  example: { cnpj: '99001002000162' },
  response: consultarCnpjResponse,
  headers: { 'X-Base-Cnpj': MES_DA_BASE },
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
        { retryS: null },
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
