import { type Entrega, readEntrega } from './certidao.ts'
import { readCertidaoPage } from './certidao-pagina.ts'
import type { Certidao } from './cnd-certidao.ts'
import type { PerguntaCnd } from './estado.ts'
import { isPdf, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/** Gives the words in the elements (CSS) in which an engine shows messages. Empty if there are none. */
export const mensagemDe = (portal: Portal, pagina: Pagina, seletor: string): string =>
  portal.novidades(pagina, seletor).join(' ')

/** Reads a message that came in the place of a certificate. Throws as readCertidaoPage does. */
export const readMensagem = (
  { source }: Portal,
  { documento }: PerguntaCnd,
  { elapsedMs }: Pagina,
  said: string,
): Certidao => readCertidaoPage(said, { source, documento, elapsedMs })

/**
 * Reads the certificate of a page, or its message, for an engine with a place for messages. Throws as
 * readEntrega does, and SourceError `parse` if a page without that message seems to say that there is no
 * certificate: it changed.
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
