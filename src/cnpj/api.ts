import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { failedSource } from '../platform/http/failure.ts'
import { lookup } from '../platform/http/lookup.ts'
import { Cnpj, isOn, Switch } from '../platform/http/parameters.ts'
import {
  cnpjAsked,
  instanteOuVazio,
  Procedencia,
  RequestId,
  sourceStatusOf,
} from '../platform/http/schemas.ts'
import { success } from '../platform/wire/source-status.ts'
import { readBase } from './cnpj.ts'
import { Empresa, MES_DA_BASE } from './empresa.ts'
import { type EmpresaAchada, findAoVivo, findAoVivoCached } from './lookup.ts'

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

/**
 * GET /api/consultar-cnpj: a company in the monthly public base (1 credit) or asked live (3 credits).
 * Specification, "Endpoints".
 */
export const consultarCnpj = lookup({
  url: '/api/consultar-cnpj',
  tag: 'CNPJ',
  summary: 'Cadastro de empresa (CNPJ)',
  description: `Dados cadastrais da empresa na base pública mensal da Receita Federal, que pode ter até cerca de um mês de atraso; o cabeçalho \`X-Base-Cnpj\` diz de que mês ela é. \`cached\` é sempre false nela, porque a base não é um cache: o dado é do mês dela, e não de agora.

**Custo.** 1 crédito; 3 ao vivo. Só o que é entregue é cobrado.

**Ao vivo.** Com \`force_fresh=true\` a resposta vem da Receita Federal na hora, pelo contrato do operador com o SERPRO, nas mesmas palavras da base mensal. Ela vale por 1 hora; \`Cache-Control: no-cache\` consulta de novo. Sem contrato neste servidor, a resposta é 503 SITE_INDISPONIVEL, com \`retryable\` false; se a Receita Federal falha ou só tem uma parte dos dados, 502 RF_LIVE_ERROR.`,
  query: Type.Object({
    cnpj: Cnpj(),
    force_fresh: Type.Optional(Switch('true consulta a Receita Federal ao vivo, por 3 créditos')),
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
    'RF_LIVE_ERROR',
  ],
  anew: true,
  price: ({ force_fresh }) => (isOn(force_fresh) ? { hold: 3 } : { charge: 1 }),
  ready: async ({ cnpj, force_fresh }, call, ctx: Context) => {
    if (!isOn(force_fresh)) return undefined
    const found = await findAoVivoCached(ctx, cnpj, call.maxAgeMs())
    return found && answer(call.request_id, cnpj, found)
  },
  run: async ({ cnpj, force_fresh }, call, ctx: Context) => {
    const { request_id } = call
    if (isOn(force_fresh)) {
      const chamada = { request_id, maxAgeMs: call.maxAgeMs() }
      const found = await findAoVivo(ctx, cnpj, chamada).catch(failedSource('RF_LIVE_ERROR', 'RF_LIVE_ERROR'))
      return answer(request_id, cnpj, found)
    }
    const base = readBase(ctx)
    call.header('X-Base-Cnpj', base.manifesto.versao)
    const found = base.find(cnpj)
    if (found) {
      const { result } = found
      return answer(request_id, cnpj, { result, cached: false, fonte: '', consultado_em: '', avisos: [] })
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

const answer = (request_id: string, cnpj: string, { cached, ...found }: EmpresaAchada) => ({
  request_id,
  cnpj,
  cached,
  source_status: success,
  ...found,
})
