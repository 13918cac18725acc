import { formatDocumento } from '../../domain/documento.ts'
import { codeOf } from '../../domain/error-code.ts'
import type { Inscricao } from '../../domain/inscricao.ts'
import { SourceError } from '../../domain/source-error.ts'
import type { Uf } from '../../domain/uf.ts'
import type { Ficha, Meios, Pergunta, PerguntaCnd, RotaCnd, RotaIe, TipoDocumento } from '../estado.ts'
import { openPortal, type Portal } from '../portal.ts'

/** What a state's file says of a portal, besides what its family wants to know. */
export type PortalOptions = Omit<Ficha, 'familia' | 'source' | 'aceita'> & {
  /** The documents that the page takes, each with the state's own code for it (empty where it has none). */
  documentos: Partial<Record<TipoDocumento, string>>
  /** What its pages are written in and its forms sent in; left out, what their headers say. */
  charset?: 'utf-8' | 'iso-8859-1' | 'windows-1252'
}

/** Which service a portal answers for; `ie-portal` is one that stands in for the web service. */
type Servico = 'ie' | 'ie-portal' | 'cnd'

/** How many times a text misread from an image is tried again, each time in a new session. */
const CAPTCHA_TRIES = 3

/** The route of a portal that tells registrations; `ask` is the family's flow, one visit. */
export const portalIe = (
  familia: string,
  uf: Uf,
  options: PortalOptions & { segunda?: true },
  ask: (portal: Portal, pergunta: Pergunta) => Promise<Inscricao[]>,
): RotaIe => {
  const { segunda, ...rest } = options
  const ficha = fichaOf(familia, uf, segunda ? 'ie-portal' : 'ie', rest)
  return { ...ficha, consultar: (pergunta, meios) => visit(ficha, uf, options, meios, pergunta, ask) }
}

/** The route of a portal that issues certificates. */
export const portalCnd = (
  familia: string,
  uf: Uf,
  options: PortalOptions & Pick<RotaCnd, 'naoContribuinte'>,
  ask: (portal: Portal, pergunta: PerguntaCnd) => ReturnType<RotaCnd['consultar']>,
): RotaCnd => {
  const { naoContribuinte, ...rest } = options
  const ficha = fichaOf(familia, uf, 'cnd', rest)
  return {
    ...ficha,
    naoContribuinte,
    consultar: (pergunta, meios) => visit(ficha, uf, options, meios, pergunta, ask),
  }
}

function fichaOf(familia: string, uf: Uf, servico: Servico, options: PortalOptions): Ficha {
  const { documentos, url, captcha, ritmoMs, horario, certeza, origem, em, nota } = options
  const aceita = (['cnpj', 'cpf', 'ie'] as const).filter((tipo) => documentos[tipo] !== undefined)
  return {
    familia,
    source: { id: `${uf}/${servico}`, nome: `A SEFAZ-${uf}` },
    url,
    aceita,
    captcha,
    certeza,
    origem,
    em,
    ...(ritmoMs !== undefined && { ritmoMs }),
    ...(horario !== undefined && { horario }),
    ...(nota !== undefined && { nota }),
  }
}

/** One visit, begun anew where the captcha was misread and there is time for it. */
async function visit<P extends Pergunta, R>(
  { source, url }: Ficha,
  uf: Uf,
  { charset, captcha }: PortalOptions,
  meios: Meios,
  pergunta: P,
  ask: (portal: Portal, pergunta: P) => Promise<R>,
): Promise<R> {
  const ends = performance.now() + meios.deadlineMs
  for (let tries = 1; ; tries++) {
    const left = { ...meios, deadlineMs: ends - performance.now() }
    const portal = openPortal({ uf, source, url, captcha, ...(charset && { charset }) }, left)
    try {
      return await ask(portal, pergunta)
    } catch (error) {
      const misread = error instanceof SourceError && error.codigo === 'captcha-errado'
      if (!misread || tries === CAPTCHA_TRIES || performance.now() >= ends) throw trapped(error, portal)
    }
  }
}

/** What a page does to the code that reads it is the page's failure: an address that is none, elements nested past the stack. */
function trapped(error: unknown, { failure }: Portal): unknown {
  if (codeOf(error) === 'ERR_INVALID_URL')
    return failure('parse', 'mudou de página: traz um endereço inválido')
  const isDeep = error instanceof RangeError && error.message.includes('call stack')
  return isDeep ? failure('parse', 'enviou uma página aninhada demais') : error
}

/** A document as a portal wants it written. */
export const writeDocumento = ({ documento, tipo }: Pergunta, forma: 'digitos' | 'mascara'): string =>
  forma === 'mascara' && tipo !== 'ie' ? formatDocumento(documento) : documento
