import { isUtf8 } from 'node:buffer'
import { SourceError } from '../platform/wire/fonte.ts'
import { controleOf, pressOf } from '../portal/form.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { failUnknown, throwRecusa } from '../portal/portal.ts'
import { postBack } from '../portal/webforms.ts'
import { recusaDoCertificado } from './certificado-recusado.ts'
import type { RespostaDoPortal } from './nfe.ts'
import { dizeresDe, findFrase, hasResumo, refuseErro } from './portal-pagina.ts'
import { readNfeProc } from './source.ts'

const BAIXAR = '[name$="btnDownload"], [id$="btnDownload"]'

/** The address of a file: `downloadNFe.aspx?tipoConsulta=resumo&a=<of the note>&tipoConteudo=...&lp=...`. */
const ARQUIVO = /downloadNFe\.aspx\?(.*)/i

/** "O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento." */
const NEGADA = /NAO (?:ESTA |E |FOI )?AUTORIZAD|INEXISTENTE/

/**
 * Downloads the note of a summary, at the address that the page names or by its button; the portal asks for
 * the certificate on the way. Throws SourceError: `blocked` and no outage if it refuses the certificate,
 * `parse` if the file is not the note.
 */
export async function downloadNota(portal: Portal, resumo: Pagina, chave: string): Promise<RespostaDoPortal> {
  const answer = await request(portal, resumo).catch((error) => {
    // A failure with a code is no refusal of the certificate: the portal's firewall answers 403 too.
    const own = error instanceof SourceError && error.codigo === undefined
    throw own ? (recusaDoCertificado(error, portal.source) ?? error) : error
  })
  if (!isArquivo(answer)) return { tipo: 'negada', texto: readNegada(portal, answer) }
  const xml = readArquivo(answer)
  const lido = readNfeProc(xml, chave)
  if (!lido.ok) throw portal.failure('parse', `enviou um arquivo que não é a nota: ${lido.defeito}`)
  return { tipo: 'xml', xml }
}

async function request(portal: Portal, resumo: Pagina): Promise<Pagina> {
  const named = enderecoIn(resumo)
  if (named) return portal.get(named, { isArquivo })
  const botao = pressOf(controleOf(portal, resumo, BAIXAR)) ?? {}
  const answer = await postBack(portal, resumo, botao, { isArquivo })
  // Some pages name the address only after the button was pressed.
  const then = isArquivo(answer) || isDownload(answer) ? undefined : enderecoIn(answer)
  return then ? portal.get(then, { isArquivo }) : answer
}

const isDownload = ({ url }: Pagina): boolean => /\/downloadNFe\.aspx$/i.test(new URL(url).pathname)

/** Finds the full address of the file in a link, a button or a script of the page. */
function enderecoIn(pagina: Pagina): string | undefined {
  const $ = pagina.html()
  const attributes = $('[href], [onclick]').toArray()
  const written = attributes.flatMap(({ attribs }) => [attribs.href ?? '', attribs.onclick ?? ''])
  // The text is split first: one pattern over a script without blanks takes the cube of its length.
  return [...written, $('script').text()].flatMap((text) => text.split(/[\s'"()]+/)).find(isEndereco)
}

const isEndereco = (text: string): boolean => /(?:^|&)a=[^&]/.test(ARQUIVO.exec(text)?.[1] ?? '')

/** Whether an answer is a file. The portal sends it as XML or as octets. */
function isArquivo({ body, media, status }: Pagina): boolean {
  if (status >= 300) return false
  const head = body.subarray(0, 1024).toString('latin1')
  if (/<(?:!doctype html|html|body)\b/i.test(head)) return false
  return head.includes('<nfeProc') || (/xml|octet-stream/.test(media) && !media.includes('html'))
}

/**
 * Reads the file as UTF-8 (MOC 7.0, rule 402), in which the note is signed, whatever charset the server
 * declares.
 */
const readArquivo = ({ body, text }: Pagina): string => (isUtf8(body) ? body.toString() : text())

/**
 * Gives the portal's words why there is no file. Throws if they are about the portal itself, or there are
 * none.
 */
function readNegada(portal: Portal, pagina: Pagina): string {
  refuseErro(portal, pagina)
  const negada = findFrase(portal, pagina, NEGADA)
  if (negada) return negada
  throwRecusa(portal, pagina)
  const said = hasResumo(pagina) ? '' : dizeresDe(portal, pagina)
  return said || failUnknown(portal, pagina, 'falta o arquivo da nota')
}
