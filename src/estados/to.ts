import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Campos } from '../portal/campos.ts'
import type { Entrega } from '../portal/certidao.ts'
import type { Certidao } from '../portal/cnd-certidao.ts'
import type { RotaCnd, RotaIe } from '../portal/estado.ts'
import { parseJson } from '../portal/json.ts'
import { mensagemDe, readCertificado } from '../portal/mensagem.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type DaCertidao, type PortalOptions, portalCnd, portalIe, writeDocumento } from '../portal/rota.ts'
import { destinoOf, eventOf, hasGxState, readGxState, recaptchaOf, sendEvent, textIn } from './genexus.ts'

export type GenexusEventosIeOptions = PortalOptions &
  ResultadoOptions & {
    /** The field of each document. `documentos` has the event of each. */
    campos: Record<TipoDocumento, string>
  }

/**
 * GeneXus over AJAX, with its state in a hidden field: the page with the key of its reCAPTCHA, then the
 * document's event.
 */
export function genexusEventosIe(uf: Uf, options: GenexusEventosIeOptions): RotaIe {
  const { url, documentos, campos } = options
  const resultado = resultadoOf(options)
  return portalIe('genexus', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const { tipo, documento } = pergunta
    const answer = await sendEvent(portal, pagina, documentos[tipo] ?? '', {
      estado: await recaptchaOf(portal, pagina),
      campos: { [campos[tipo]]: documento },
    })
    // The answer to an event is the page itself, or commands, one of which leads to the page.
    const destino = parseJson(answer) === undefined ? undefined : destinoOf(portal, answer)
    const result = destino ? await portal.get(destino) : answer
    return readResultado(portal, pergunta, result, resultado)
  })
}

export type GenexusEventosCndOptions = PortalOptions &
  DaCertidao &
  Required<Entrega> & {
    campos: { cpf: string; cnpj: string }
    /** The list (id) of purposes of a certificate, and the words of the one that we choose. */
    finalidade: { campo: string; opcao: string }
    /** The buttons (ids) that ask for the certificate and print it. */
    emitir: string
    imprimir: string
  }

/**
 * GeneXus over AJAX for certificates. One event makes the certificate and tells its number, or why there is
 * none; another opens its print.
 */
export function genexusEventosCnd(uf: Uf, options: GenexusEventosCndOptions): RotaCnd {
  const { url, campos, emitir, imprimir, layout, mensagem } = options
  return portalCnd('genexus', uf, options, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const finalidade = finalidadeOf(portal, pagina, options)
    const evento = eventOf(portal, pagina, emitir)
    const document = { [campos[pergunta.tipo]]: writeDocumento(pergunta, 'mascara') }
    const made = await sendEvent(portal, pagina, evento, {
      estado: await recaptchaOf(portal, pagina),
      campos: { ...document, ...finalidade },
    })
    if (mensagemDe(portal, made, mensagem) || !hasGxState(made))
      return readCertificado(portal, pergunta, made, { layout, mensagem })
    const numero = numeroOf(portal, made)
    const printed = await sendEvent(portal, made, eventOf(portal, made, imprimir), {
      campos: { ...document, ...finalidade },
    })
    const opened = destinoOf(portal, printed)
    const paper = opened ? await portal.get(new URL(opened, printed.url).href) : printed
    return withNumero(await readCertificado(portal, pergunta, paper, { layout, mensagem }), numero)
  })
}

/** The page tells the number even if the certificate's own is not read. */
const withNumero = (certidao: Certidao, numero: string): Certidao => ({
  ...certidao,
  protocolo: certidao.protocolo || numero,
})

/** The number and its check digit. Throws SourceError `parse` if the state has an error. */
function numeroOf(portal: Portal, made: Pagina): string {
  const state = readGxState(portal, made)
  const [error, number, digit] = ['vERROCOD', 'vCNDNUM', 'vDV'].map((name) => textIn(state, name))
  if (error !== '0' || !number)
    throw portal.failure('parse', `não emitiu a certidão nem disse por quê (vERROCOD ${error || 'ausente'})`)
  return digit ? `${number}-${digit}` : number
}

function finalidadeOf(
  portal: Portal,
  pagina: Pagina,
  { finalidade: { campo, opcao } }: GenexusEventosCndOptions,
): Campos {
  const $ = pagina.html()
  const list = $(`#${campo}`).first()
  const [found] = list
    .find('option')
    .toArray()
    .filter((one) => normalize($(one).text()) === normalize(opcao))
  if (!found) throw portal.failure('parse', `mudou de página: falta a finalidade "${opcao}"`)
  return { [list.attr('name') ?? campo]: $(found).attr('value') ?? $(found).text().trim() }
}
