import type { Context } from '../platform/context.ts'
import { publicLookup } from '../platform/http/lookup.ts'
import { listaPronta } from './rejeicoes.ts'
import { filtroDaLista, listaResponse } from './rejeicoes-lista.ts'
import { catalogoVigente } from './vigente.ts'

/** GET /api/v1/public/rejeicoes: the list without a key, 30 times a minute for an address. */
export const rejeicoesPublicas = publicLookup({
  url: '/api/v1/public/rejeicoes',
  id: 'rejeicoes-publicas',
  tag: 'Rejeições',
  summary: 'Catálogo de rejeições, sem chave',
  description: `O mesmo que \`GET /api/v1/rejeicoes\`, com os mesmos parâmetros e a mesma resposta, sem chave. Cada endereço IP (em IPv6, cada rede /64) pode fazer 30 requisições por minuto; depois disso a resposta é 429 RATE_LIMIT, com \`Retry-After\`.`,
  query: filtroDaLista,
  example: { q: 'destinatário', page_size: '3' },
  response: listaResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: ['PARAMETRO_INVALIDO', 'REJEICOES_INDISPONIVEL'],
  answer: (sent, header, ctx: Context) => {
    const catalogo = catalogoVigente(ctx)
    header('cache-control', 'public, max-age=300')
    return listaPronta(catalogo, sent)
  },
})
