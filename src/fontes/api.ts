import { Type } from 'typebox'
import { findAmbito } from '../documento/uf.ts'
import { lookup } from '../platform/http/lookup.ts'
import { AmbitoParam } from '../platform/http/parameters.ts'
import { RequestId } from '../platform/http/schemas.ts'
import { servicos, servicosNacionais } from '../portal/fonte.ts'
import type { RuralRoom } from '../rural/rural.ts'
import { listarFontes } from './lookup.ts'
import { Fonte } from './schema.ts'

/**
 * GET /api/v1/fontes: how each state and the national sources are asked, and how they have answered lately.
 * It is free.
 */
export const fontes = lookup({
  url: '/api/v1/fontes',
  tag: 'Serviço',
  summary: 'Fontes: como cada estado é consultado',
  description:
    'Cada rota de cada estado, e as fontes nacionais: protocolo, endereço, documentos aceitos, captcha, o quanto se sabe dela, se este serviço a consulta ' +
    'e, se não, por quê; e o que houve com as consultas dos últimos 60 minutos, somados todos os nós. Não custa créditos.',
  query: Type.Object({
    uf: Type.Optional(AmbitoParam('Só as rotas deste estado, ou as fontes nacionais (BR)')),
    servico: Type.Optional(
      Type.Enum([...servicos, ...servicosNacionais], {
        description:
          'Só um serviço: inscrição estadual (ie), certidão (cnd) ou, das fontes nacionais, XML de NF-e (nfe-xml), CNPJ ao vivo (cnpj), imóveis rurais (cnir) e parcelas certificadas (sigef)',
      }),
    ),
  }),
  example: { uf: 'SP', servico: 'ie' },
  response: Type.Object(
    {
      request_id: RequestId,
      fontes: Type.Array(Fonte, { description: 'Por estado, serviço e ordem' }),
    },
    { title: 'RespostaFontes' },
  ),
  errors: ['PARAMETRO_INVALIDO', 'UF_NAO_SUPORTADA'],
  price: 'free',
  run: async ({ uf, servico }, { request_id }, room: RuralRoom) => {
    const wanted = uf === undefined ? undefined : findAmbito(uf)
    const all = await listarFontes(room)
    return {
      request_id,
      fontes: all.filter(
        (fonte) =>
          (wanted === undefined || fonte.uf === wanted) &&
          (servico === undefined || fonte.servico === servico),
      ),
    }
  },
})
