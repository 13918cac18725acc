import type { Certidao } from '../../domain/cnd/certidao.ts'
import type { PerguntaCnd } from '../estado.ts'
import { isPdf, type Pagina } from '../pagina/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { type Entrega, readEntrega } from './entrega.ts'
import { readCertidaoPage } from './pagina.ts'

/** What a page says in the elements (CSS) that its engine puts messages in; empty where it has none. */
export const mensagemDe = (portal: Portal, pagina: Pagina, seletor: string): string =>
  portal.novidades(pagina, seletor).join(' ')

/** A message that came in the place of a certificate. Throws what readCertidaoPage throws. */
export const readMensagem = (
  { source }: Portal,
  { documento }: PerguntaCnd,
  { elapsedMs }: Pagina,
  said: string,
): Certidao => readCertidaoPage(said, { source, documento, elapsedMs })

/**
 * The certificate that a page brings, or its message, of an engine that has a place for messages. That there is none is
 * believed only from that place: a page without it has changed. Throws as readEntrega does.
 */
export async function readCertificado(
  portal: Portal,
  pergunta: PerguntaCnd,
  pagina: Pagina,
  entrega: Required<Entrega>,
): Promise<Certidao> {
  const said = isPdf(pagina) ? '' : mensagemDe(portal, pagina, entrega.mensagem)
  if (said) return readMensagem(portal, pergunta, pagina, said)
  const certidao = await readEntrega(portal, pergunta, pagina, entrega)
  if (certidao.status === 'sem_certidao')
    throw portal.failure('parse', 'mudou de página: faltam a certidão e o motivo')
  return certidao
}
