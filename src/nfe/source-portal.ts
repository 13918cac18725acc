import { isUtf8 } from 'node:buffer'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Captcha, CaptchaSolver } from '../portal/captcha.ts'
import { solveToken } from '../portal/captcha-resposta.ts'
import { controleOf, nameOf, pressOf } from '../portal/form.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { failUnknown, type Portal, throwRecusa, visit } from '../portal/visita.ts'
import { postBack } from '../portal/webforms.ts'
import type { RespostaDoPortal } from './rules.ts'
import { fontesNfe, type MeiosNfe, recusaDoCertificado } from './source.ts'
import { readNfeProc } from './source-documento.ts'

const RESUMO = '.XSLTNFeResumida, [name$="btnDownload"]'

const hasResumo = (pagina: Pagina): boolean => pagina.html()(RESUMO).length > 0

const LONGEST = 300

/** New: no page before the question had it. */
const findFrase = (portal: Portal, pagina: Pagina, pattern: RegExp): string | undefined =>
  portal
    .novidades(pagina)
    .find((frase) => pattern.test(normalize(frase)))
    ?.slice(0, LONGEST)

const dizeresDe = (portal: Portal, pagina: Pagina): string =>
  portal.novidades(pagina).join(' ').slice(0, LONGEST)

export function refuseErro(portal: Portal, { url }: Pagina): void {
  if (/\/erro\.aspx$/i.test(new URL(url).pathname))
    throw portal.failure('http', 'levou à sua página de erro', { codigo: 'erro.aspx', unavailable: true })
}

const BAIXAR = '[name$="btnDownload"], [id$="btnDownload"]'

/** The address of a file: `downloadNFe.aspx?tipoConsulta=resumo&a=<of the note>&tipoConteudo=...&lp=...`. */
const ARQUIVO = /downloadNFe\.aspx\?(.*)/i

/** "O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento." */
const DOWNLOAD_NEGADO = /NAO (?:ESTA |E |FOI )?AUTORIZAD|INEXISTENTE/

/** Throws SourceError: `blocked` and no outage if the portal refuses the certificate. */
async function downloadNota(portal: Portal, resumo: Pagina, chave: string): Promise<RespostaDoPortal> {
  const answer = await request(portal, resumo).catch((error) => {
    // A failure with a code is no refusal of the certificate: the portal's firewall answers 403 too.
    const own = error instanceof SourceError && error.codigo === undefined
    throw own ? (recusaDoCertificado(error, portal.source) ?? error) : error
  })
  if (!isArquivo(answer)) return { tipo: 'negada', texto: readDownloadNegado(portal, answer) }
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

/** The note is signed in UTF-8 (MOC 7.0, rule 402), whatever charset the server declares. */
const readArquivo = ({ body, text }: Pagina): string => (isUtf8(body) ? body.toString() : text())

/** Throws if the words are about the portal itself, or there are none. */
function readDownloadNegado(portal: Portal, pagina: Pagina): string {
  refuseErro(portal, pagina)
  const negada = findFrase(portal, pagina, DOWNLOAD_NEGADO)
  if (negada) return negada
  throwRecusa(portal, pagina)
  const said = hasResumo(pagina) ? '' : dizeresDe(portal, pagina)
  return said || failUnknown(portal, pagina, 'falta o arquivo da nota')
}

export const captchaDoPortal = { tipo: 'hcaptcha', quando: 'sempre' } as const satisfies Captcha

const { source, enderecos } = fontesNfe.portal

const CONSULTA = 'consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=7PhJ+gAVw2g='
const CHAVE = '[name$="txtChaveAcessoResumo"]'
const CONTINUAR = '[name$="btnConsultarHCaptcha"]'

/** "NF-e INEXISTENTE na base nacional, favor consultar esta NF-e no site da SEFAZ de origem." */
const NEGADA = /INEXISTENTE|CHAVE DE ACESSO INVALIDA/
/** "Falha na validação do Captcha", or "Código da Imagem inválido" for the image of old. */
const CAPTCHA = /CAPTCHA|CODIGO DA IMAGEM/

/** Open clients name the controls and words (2012 to 2026). Throws RotaNaoAtende without a solver. */
export async function downloadAtPortal(
  meios: MeiosNfe & { captcha: CaptchaSolver },
  { chave }: { chave: string },
): Promise<RespostaDoPortal> {
  const { tipo } = captchaDoPortal
  if (!meios.captcha.takes('BR', tipo))
    throw new RotaNaoAtende(
      `${source.nome} pede um captcha (${tipo}) a cada consulta, e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS).`,
      { codigo: 'captcha' },
    )
  const url = enderecos[meios.ambiente] + CONSULTA
  return visit({ uf: 'BR', source, url, captcha: captchaDoPortal }, meios, async (portal) => {
    const resumo = await submitChave(portal, await portal.get(url), chave)
    if (hasResumo(resumo)) return downloadNota(portal, resumo, chave)
    return { tipo: 'negada', texto: readNegada(portal, resumo) }
  })
}

async function submitChave(portal: Portal, pagina: Pagina, chave: string): Promise<Pagina> {
  refuseErro(portal, pagina)
  const campo = nameOf(portal, pagina, CHAVE)
  const botao = pressOf(controleOf(portal, pagina, CONTINUAR))
  const token = await solveToken(portal, pagina, captchaDoPortal.tipo)
  // The widget writes its answer under both names.
  const resposta = { 'h-captcha-response': token, 'g-recaptcha-response': token }
  return postBack(portal, pagina, { [campo]: chave, ...resposta, ...botao })
}

/** Gives the portal's words why there is no summary. Throws unless they say that there is no such note. */
function readNegada(portal: Portal, pagina: Pagina): string {
  refuseErro(portal, pagina)
  const negada = findFrase(portal, pagina, NEGADA)
  if (negada) return negada
  if (CAPTCHA.test(normalize(portal.novidades(pagina).join(' ')))) throw portal.fail('captcha-errado')
  throwRecusa(portal, pagina)
  return failUnknown(portal, pagina, 'falta o resumo da nota')
}
