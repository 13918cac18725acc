import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { InteiroParam } from '../platform/http/parameters.ts'
import { keepRecent } from '../platform/http/prepared.ts'
import { detalheResponse } from './api.ts'
import type { Catalogo } from './ler.ts'
import { detalheDe } from './lookup.ts'
import { catalogoVigente } from './vigente.ts'

/** Octets of entries that are kept ready: most have some 3,000. */
const MOST_KEPT = 8 * 1024 * 1024

const recentes = keepRecent<Catalogo>(MOST_KEPT)

/** GET /api/v1/rejeicoes/{codigo}: causes, steps and checks of one rejection. It is free. */
export const rejeicao = lookup({
  url: '/api/v1/rejeicoes/:codigo',
  id: 'rejeicao',
  tag: 'Rejeições',
  summary: 'Uma rejeição: causas, solução, verificações',
  description: `O que o código (cStat) quer dizer, por que acontece, como resolver, e as verificações que um programa pode fazer no XML antes de enviar outra vez. Não custa créditos.

Para achar o campo errado na sua nota, mande o XML a \`POST /api/v1/rejeicoes/diagnosticar\`.`,
  query: Type.Object({
    codigo: InteiroParam('O código da rejeição (cStat), como 539', { minimum: 1 }),
  }),
  example: { codigo: '539' },
  response: detalheResponse,
  headers: { ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match' },
  errors: ['PARAMETRO_INVALIDO', 'REJEICAO_NAO_ENCONTRADA', 'REJEICOES_INDISPONIVEL'],
  price: 'free',
  prepared: ({ codigo: text }, call, { store }: Context) => {
    const codigo = Number(text)
    const catalogo = store.rejeicoes.ler()
    if (!catalogo?.porCodigo.has(codigo)) return undefined
    call.header('cache-control', 'private, max-age=300')
    return recentes(catalogo, String(codigo), () => JSON.stringify(detalheDe(catalogo, codigo)))
  },
  run: ({ codigo }, _call, ctx: Context) => detalheDe(catalogoVigente(ctx), Number(codigo)),
})
