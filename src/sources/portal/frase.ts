import { ApiError } from '../../domain/errors.ts'
import { RotaNaoAtende } from '../../domain/fonte/rota-nao-atende.ts'
import type { TipoDocumento } from '../estado.ts'
import { normalize, type Pagina } from '../pagina/pagina.ts'
import type { Portal } from './portal.ts'

/** What a page means by its words, its address or one of its elements. */
export type Desfecho =
  | 'nao-encontrado'
  | 'documento-invalido'
  | 'captcha-errado'
  /** It wants a captcha that it does not always want. */
  | 'captcha'
  | 'sessao-expirada'
  | 'fechado'
  | 'indisponivel'
  | 'bloqueado'
  /** This page does not serve such a document; another does. */
  | 'nao-atende'

/**
 * A mark of a page: words (compared as `normalize` gives them), a part of its address, or a selector. If it
 * has several, all must match.
 */
export type Frase = { desfecho: Desfecho } & Marcas &
  ({ texto: string } | { url: string } | { seletor: string })

type Marcas = { texto?: string; url?: string; seletor?: string }

/** What the registries of any state say in the same words; why they give no answer at all is in `findRecusa`. */
const comuns: readonly Frase[] = [
  { desfecho: 'nao-encontrado', texto: 'Nenhum resultado encontrado' },
  { desfecho: 'nao-encontrado', texto: 'Nenhum registro encontrado' },
]

/** The first of the marks that the page carries: the state's own, then those of all. */
export const findFrase = (
  portal: Portal,
  pagina: Pagina,
  proprias: readonly Frase[] = [],
): Frase | undefined => [...proprias, ...comuns].find((frase) => carries(portal, pagina, frase))

const carries = (portal: Portal, pagina: Pagina, { texto, url, seletor }: Frase): boolean =>
  (texto === undefined || normalize(portal.novidades(pagina).join(' ')).includes(normalize(texto))) &&
  (url === undefined || `${pagina.url} ${pagina.location}`.includes(url)) &&
  (seletor === undefined || pagina.html()(seletor).length > 0)

/** Throws what a mark means; `nao-encontrado` is for the caller, who knows what the answer to nothing is. */
export function throwDesfecho(desfecho: Desfecho, { source, failure }: Portal, tipo: TipoDocumento): void {
  switch (desfecho) {
    case 'nao-encontrado':
      return
    case 'documento-invalido': {
      const errors = [{ parameter: tipo, reason: 'a secretaria da fazenda o considera inválido' }]
      throw new ApiError('DOCUMENTO_INVALIDO', `${source.nome} não aceitou o documento. Nada foi cobrado.`, {
        errors,
      })
    }
    case 'nao-atende':
      throw new RotaNaoAtende(`${source.nome} não responde por este documento nesta página.`)
    case 'captcha-errado':
      throw failure('blocked', 'não aceitou a resposta ao captcha', { codigo: 'captcha-errado' })
    case 'captcha':
      throw failure('blocked', 'pediu um captcha desta vez', { codigo: 'captcha' })
    case 'sessao-expirada':
      throw failure('http', 'disse que a sessão expirou', { codigo: 'sessao-expirada', unavailable: true })
    case 'fechado':
      throw failure('blocked', 'está fora do horário de atendimento', { codigo: 'fechado' })
    case 'indisponivel':
      throw failure('http', 'diz que está fora do ar', { codigo: 'indisponivel', unavailable: true })
    case 'bloqueado':
      throw failure('blocked', 'bloqueou a consulta', { codigo: 'bloqueado' })
  }
}
