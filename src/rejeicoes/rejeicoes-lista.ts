import { type Static, Type } from 'typebox'
import { InteiroParam } from '../platform/http/parameters.ts'
import { count, OneOfOrNull, text } from '../platform/http/schemas.ts'
import { categorias } from './categorias.ts'

/** What the lists take. */
export const filtroDaLista = Type.Object({
  q: Type.Optional(
    Type.String({
      description:
        'Busca no código e no motivo: cada palavra tem de aparecer em um deles; acentos e maiúsculas não importam; sem resultado, valem palavras do dia a dia',
    }),
  ),
  categoria: Type.Optional(
    Type.String({
      format: 'categoria',
      description: `Só esta categoria, escrita como aqui, com os acentos: ${categorias.join('; ')}`,
    }),
  ),
  page: Type.Optional(InteiroParam('A página, a partir de 1', { minimum: 1 }, { default: '1' })),
  page_size: Type.Optional(
    InteiroParam('Quantas rejeições por página, de 1 a 200', { minimum: 1, maximum: 200 }, { default: '50' }),
  ),
})

/** The page that a checked query asks for. */
export const pedidoOf = ({ q, categoria, page = '1', page_size = '50' }: Static<typeof filtroDaLista>) => ({
  q,
  categoria,
  page: Number(page),
  page_size: Number(page_size),
})

/** What the list tells of an entry. */
export const resumo = {
  codigo: Type.Integer({ minimum: 1, description: 'O código (cStat) que a SEFAZ devolve' }),
  titulo: text('O motivo sem "Rejeição:" e sem as marcas de preenchimento'),
  slug: Type.String({
    pattern: '^[a-z0-9-]+$',
    description: 'Identifica a página pública da rejeição',
  }),
  motivo: text(
    'O motivo oficial (xMotivo); o que a SEFAZ devolve pode vir sem acentos e com as marcas preenchidas',
  ),
  categoria: OneOfOrNull(categorias, 'Uma das 17 categorias; null quando não está classificada'),
  url_blog: Type.String({
    pattern: '^/blog/rejeicoes/[a-z0-9-]+/$',
    description: 'Caminho da página pública, /blog/rejeicoes/{slug}/',
  }),
}

/** An entry as the list tells it. */
export const ResumoDaRejeicao = Type.Object(resumo, {
  title: 'Rejeicao',
  description: 'Uma rejeição da NF-e ou da NFC-e',
})

/** The answer of both lists. */
export const listaResponse = Type.Object(
  {
    total: count('Quantas rejeições o filtro deixou, em todas as páginas'),
    page: Type.Integer({ minimum: 1, description: 'A página pedida' }),
    page_size: Type.Integer({ minimum: 1, maximum: 200, description: 'O tamanho de página pedido' }),
    results: Type.Array(ResumoDaRejeicao, {
      description: 'As desta página, em ordem de código; vazia depois da última',
    }),
  },
  { title: 'RespostaRejeicoes' },
)
