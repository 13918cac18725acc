import { refuseErro } from '../nfe/portal-pagina.ts'
import { quoteOf } from '../platform/texto.ts'
import { codeOf, SourceError } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import { noSolver } from '../portal/captcha.ts'
import type { Visita } from '../portal/portal.ts'
import { visit } from '../portal/visita.ts'
import { type Luz, type QuadroPublico, readQuadro } from './quadro-publico.ts'
import { type Autorizador, autorizadores } from './rules.ts'
import { type LogDaSonda, leituraVazia, type Sondagem } from './sondar.ts'

/** What reading the public pages needs. */
export type MeiosDasPaginas = {
  http: Http
  now: () => Date
  ambiente: 'producao' | 'homologacao'
  log: LogDaSonda
}

/** A public page of availability, and the columns that decide whether documents are authorized. */
type PaginaPublica = {
  doc: 'nfe' | 'cte'
  visita: Pick<Visita, 'source'> & { enderecos: Readonly<Record<MeiosDasPaginas['ambiente'], string>> }
  colunas: readonly string[]
}

/**
 * The pages that need no certificate (both as captured on 2026-06-02). The NFC-e has none: its authorizers
 * are other addresses, so those of the NF-e say nothing of them (docs/decisions/0058).
 */
const paginas: readonly PaginaPublica[] = [
  {
    doc: 'nfe',
    visita: {
      source: { id: 'BR/disponibilidade/nfe', nome: 'O portal nacional da NF-e' },
      enderecos: {
        producao: 'https://www.nfe.fazenda.gov.br/portal/disponibilidade.aspx',
        homologacao: 'https://hom.nfe.fazenda.gov.br/portal/disponibilidade.aspx',
      },
    },
    colunas: ['Autorização', 'Status Serviço'],
  },
  {
    doc: 'cte',
    visita: {
      source: { id: 'BR/disponibilidade/cte', nome: 'O portal nacional do CT-e' },
      enderecos: {
        producao: 'https://www.cte.fazenda.gov.br/portal/disponibilidade.aspx',
        homologacao: 'https://hom.cte.fazenda.gov.br/portal/disponibilidade.aspx',
      },
    },
    colunas: ['Recepção Sinc', 'Status Serviço'],
  },
]

/** The portals answer in 4 to 10 s (open clients, 2026). All tries of a page end within a round. */
const TRY_MS = 15_000
const ALL_TRIES_MS = 25_000

/**
 * Reads the availability of all authorizers that have a page, one reading each, where no certificate of the
 * operator's is at hand. An authorizer of which the page tells nothing, or could not be read, has none.
 */
export async function lerPaginas(em: number, meios: MeiosDasPaginas): Promise<Sondagem[]> {
  const read = await Promise.all(paginas.map((pagina) => lerPagina(pagina, em, meios)))
  return read.flat()
}

async function lerPagina(
  { doc, visita, colunas }: PaginaPublica,
  em: number,
  meios: MeiosDasPaginas,
): Promise<Sondagem[]> {
  const { source, enderecos } = visita
  const asked: Visita = { uf: 'BR', source, url: enderecos[meios.ambiente], captcha: 'nenhum' }
  try {
    const own = autorizadores.filter((one) => one.doc === doc)
    const rows = await visitTwice(asked, meios, (quadro) =>
      own.map((one) => ({ one, luzes: quadro.luzesDe(siglaOf(one), colunas) })),
    )
    meios.log.debug({ source: source.id }, 'availability page read')
    return rows.flatMap(({ one, luzes }) => sondagemOf(one.id, em, { nome: source.nome, colunas, luzes }))
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { kind, status: http, codigo, cause, elapsedMs: ms, message: why } = error
    const causa = codeOf(cause) || undefined
    meios.log.info({ source: source.id, kind, http, codigo, causa, ms, why }, 'availability page failed')
    return []
  }
}

/** Asks once more, unless the portal turned us away. */
async function visitTwice<R>(
  visita: Visita,
  { http, now }: MeiosDasPaginas,
  read: (quadro: QuadroPublico) => R,
): Promise<R> {
  const ends = performance.now() + ALL_TRIES_MS
  const once = (deadlineMs: number): Promise<R> =>
    visit(visita, { http, now, captcha: noSolver, deadlineMs }, async (portal) => {
      const pagina = await portal.get(visita.url)
      refuseErro(portal, pagina)
      return read(readQuadro(pagina, now(), portal.failure))
    })
  try {
    return await once(TRY_MS)
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind === 'blocked') throw error
    return once(ends - performance.now())
  }
}

/** The name of an authorizer's row. */
const siglaOf = ({ nome }: Autorizador): string => nome.replace(/^SEFAZ /, '')

type Linha = { nome: string; colunas: readonly string[]; luzes: readonly (Luz | undefined)[] }

/**
 * Yellow is the first negative answer, and lasts up to 10 minutes: it counts as one of our own probes that
 * failed. Grey, or no image, beside green gives no reading, as nobody knows.
 */
function sondagemOf(autorizador: string, em: number, { nome, colunas, luzes }: Linha): Sondagem[] {
  const made = (rest: Pick<Sondagem['leitura'], 'resultado' | 'motivo'>): Sondagem[] => [
    { leitura: { ...leituraVazia(autorizador, em), ...rest }, contato: 'servico', http: undefined },
  ]
  for (const luz of ['vermelho', 'amarelo'] as const) {
    const at = luzes.indexOf(luz)
    if (at >= 0)
      return made({
        resultado: 'indisponivel',
        motivo: `${nome} mostra "${quoteOf(colunas[at] ?? '')}" em ${luz}.`,
      })
  }
  return luzes.every((luz) => luz === 'verde') ? made({ resultado: 'disponivel', motivo: '' }) : []
}
