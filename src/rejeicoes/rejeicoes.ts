import type { Static } from 'typebox'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { keepRecent, type Prepared } from '../platform/http/prepared.ts'
import type { Catalogo } from './ler.ts'
import { listaEmJson, perguntaDe } from './lista.ts'
import { filtroDaLista, listaResponse, pedidoOf } from './rejeicoes-lista.ts'
import { semCatalogo } from './vigente.ts'

/** Octets of pages that are kept ready: a page of 50 has some 15,000. */
const MOST_KEPT = 8 * 1024 * 1024

const recentes = keepRecent<Catalogo>(MOST_KEPT)

/** The page that a checked query asks for, ready to send. */
export function listaPronta(catalogo: Catalogo, sent: Static<typeof filtroDaLista>): Prepared {
  const pedido = pedidoOf(sent)
  return recentes(catalogo, perguntaDe(pedido), () => listaEmJson(catalogo, pedido))
}

/** GET /api/v1/rejeicoes: the rejection catalogue, page by page. It is free. */
export const rejeicoes = lookup({
  url: '/api/v1/rejeicoes',
  tag: 'Rejeições',
  summary: 'Catálogo de rejeições da NF-e',
  description: `As rejeições que a SEFAZ devolve para NF-e e NFC-e, em ordem de código. Não custa créditos.

\`q\` procura no código e no motivo: todas as palavras têm de aparecer, sem diferença de acentos nem de maiúsculas. Onde nada as tem, vale a palavra do catálogo para o que se diz no dia a dia, como \`nota duplicada\` ou \`cliente sem inscrição estadual\`. Uma categoria que não existe e uma página depois da última vêm vazias, com HTTP 200.

A resposta só muda quando o catálogo muda: mande o \`ETag\` de volta em \`If-None-Match\` e receba 304.`,
  query: filtroDaLista,
  example: { q: 'duplicidade', page_size: '3' },
  response: listaResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: ['PARAMETRO_INVALIDO', 'REJEICOES_INDISPONIVEL'],
  price: 'free',
  prepared: (sent, call, { store }: Context) => {
    const catalogo = store.rejeicoes.ler()
    if (!catalogo) return undefined
    call.header('cache-control', 'private, max-age=300')
    return listaPronta(catalogo, sent)
  },
  run: (_query, _call, _ctx: Context): never => {
    throw semCatalogo()
  },
})
