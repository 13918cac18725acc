import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { count, diaOuVazio, instante, mes, RequestId } from '../platform/http/schemas.ts'
import type { Manifesto } from './base/manifesto.ts'
import { readBase } from './cnpj.ts'
import { MES_DA_BASE } from './empresa.ts'

/** GET /api/v1/base-cnpj: which monthly base answers, free of charge. */
export const baseCnpj = lookup({
  url: '/api/v1/base-cnpj',
  tag: 'Serviço',
  summary: 'Versão da base CNPJ em uso',
  description:
    'De que mês é a base pública que responde a /api/consultar-cnpj, e quantos registros tem. Não custa créditos.',
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
  errors: ['SITE_INDISPONIVEL'],
  price: 'free',
  run: (_query, call, ctx: Context) => {
    const { manifesto } = readBase(ctx)
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
})

/**
 * The files carry the day of extraction in their names: `D61010` is the 10th of October of a year that ends
 * in 6.
 */
const extractionDay = ({ versao, token }: Manifesto): string =>
  token === '' ? '' : `${versao}-${token.slice(4)}`
