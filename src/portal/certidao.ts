import type { LayoutCertidao } from './certidao-campos.ts'
import {
  type LeituraCertidao,
  readCertidaoHtml,
  readCertidaoPage,
  readCertidaoPdf,
  saysNothing,
} from './certidao-resposta.ts'
import type { Espera, PerguntaCnd, RotaCnd } from './estado.ts'
import { alertasOf, TEXTO } from './form.ts'
import { isCutShort, isPdf, linhasOf, type Pagina } from './pagina.ts'
import type { LeitorDaRota } from './rota.ts'
import type { Certidao } from './rules-certidao.ts'
import { type Inscricao, isAtiva } from './rules-inscricao.ts'
import { type Frase, failUnknown, findFrase, type Portal } from './visita.ts'

/** How a state answers the question for a certificate. */
export type Entrega = Pick<RotaCnd, 'emHtml'> & {
  layout?: LayoutCertidao
  /** The element (CSS) with the state's message. Otherwise a dialog is read, else the whole page. */
  mensagem?: string
  /** Marks of its own, in words that no other state uses. */
  frases?: readonly Frase[]
}

/** What a state's file says of its certificate besides the page. */
export type CertidaoOptions = Entrega &
  Pick<RotaCnd, 'naoContribuinte' | 'abrange'> & { espera: Espera & Required<Pick<Espera, 'partes'>> }

type DaRota = Pick<RotaCnd, 'naoContribuinte' | 'abrange' | 'layout' | 'emHtml'>

export type LeitorDeCertidao = LeitorDaRota<PerguntaCnd, Certidao, DaRota>

/** A route is asked for a certificate. */
export function certidao(options: CertidaoOptions): LeitorDeCertidao {
  const { espera, abrange, naoContribuinte, layout, emHtml } = options
  return {
    servico: 'cnd',
    dados: { espera, abrange, naoContribuinte, ...(layout && { layout }), ...(emHtml && { emHtml }) },
    read: (portal, pergunta, pagina) => readEntrega(portal, pergunta, pagina, options),
  }
}

/** Reads a PDF or, in some states, a page; else the message, or what the state's own marks mean. */
async function readEntrega(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  { layout = {}, mensagem, frases = [], emHtml }: Entrega,
): Promise<Certidao> {
  if (isPdf(pagina)) return readPdf(portal, pergunta, pagina.body, layout, pagina.elapsedMs)
  const frase = frases.length === 0 ? undefined : findFrase(portal, pagina, frases)
  if (frase && frase.desfecho !== 'nao-encontrado') throw portal.fail(frase.desfecho, pergunta.tipo)
  if (isCutShort(pagina)) throw portal.fail('cortada')
  const shown = emHtml && (await readHtml(portal, pergunta, pagina, layout))
  if (shown) return shown
  const { elapsedMs } = pagina
  const leitura = { source: portal.source, documento: pergunta.documento, elapsedMs }
  const element = mensagem && portal.novidades(pagina, mensagem).join(' ')
  const said = element || alertasOf(portal, pagina).join(' ')
  if (said) return readCertidaoPage(said, leitura)
  const words = portal.novidades(pagina).join(' ')
  if (saysNothing(words)) failUnknown(portal, pagina, 'faltam a certidão e o motivo', pergunta.tipo)
  return readCertidaoPage(words, leitura)
}

/** Reads a certificate from its bytes. Throws as readCertidaoPdf does. */
export const readPdf = (
  portal: Portal,
  pergunta: PerguntaCnd,
  pdf: Buffer,
  layout: LayoutCertidao,
  elapsedMs: number,
): Promise<Certidao> => readCertidaoPdf(pdf, leituraOf(portal, pergunta, layout, elapsedMs))

/** Undefined if the page has fields to fill in: a certificate has none. */
async function readHtml(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  layout: LayoutCertidao,
): Promise<Certidao | undefined> {
  const $ = pagina.html()
  if ($(`${TEXTO}:not([readonly], [disabled])`).length > 0) return undefined
  const { url, elapsedMs } = pagina
  const leitura = { ...leituraOf(portal, pergunta, layout, elapsedMs), url, now: portal.meios.now() }
  return readCertidaoHtml(linhasOf($.root()), leitura)
}

function leituraOf(
  { source, uf, meios }: Portal,
  { documento, inscricoes }: PerguntaCnd,
  layout: LayoutCertidao,
  elapsedMs: number,
): LeituraCertidao {
  const numeros = inscricoes?.map(({ inscricao_estadual }) => inscricao_estadual)
  return {
    source,
    uf,
    documento,
    elapsedMs,
    layout,
    ...(meios.relato && { relato: meios.relato }),
    ...(numeros && { inscricoes: numeros }),
  }
}

/** The registration by which a state is asked for a certificate: the first active one, else the first. */
export const inscricaoDe = ({ inscricoes = [] }: PerguntaCnd): Inscricao | undefined =>
  inscricoes.find(isAtiva) ?? inscricoes[0]

/** The words in the elements (CSS) in which an engine shows messages, or ''. */
export const mensagemDe = (portal: Portal, pagina: Pagina, seletor: string): string =>
  portal.novidades(pagina, seletor).join(' ')

/** Reads a message that came in the place of a certificate. Throws as readCertidaoPage does. */
export const readMensagem = (
  { source }: Portal,
  { documento }: PerguntaCnd,
  { elapsedMs }: Pagina,
  said: string,
): Certidao => readCertidaoPage(said, { source, documento, elapsedMs })

/** For an engine with a place for messages: a page without a message nor a certificate changed. */
export async function readCertificado(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  entrega: Entrega & { mensagem: string },
): Promise<Certidao> {
  const said = isPdf(pagina) ? '' : mensagemDe(portal, pagina, entrega.mensagem)
  if (said) return readMensagem(portal, pergunta, pagina, said)
  const certidao = await readEntrega(portal, pergunta, pagina, entrega)
  if (certidao.status === 'sem_certidao')
    throw portal.failure('parse', 'mudou de página: faltam a certidão e o motivo')
  return certidao
}
