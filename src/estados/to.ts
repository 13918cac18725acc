import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { solveToken } from '../portal/captcha-resposta.ts'
import { type CertidaoOptions, certidao, mensagemDe, readCertificado } from '../portal/certidao.ts'
import type { Estado, RotaCnd, RotaIe } from '../portal/estado.ts'
import { actionOf, harvest, janelaOf, saltoOf } from '../portal/form.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { isPdf, normalize, type Pagina, parseJson, textAt } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { type PortalOptions, rota, writeDocumento } from '../portal/rota.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import type { Campos, Portal } from '../portal/visita.ts'

/** A GeneXus page keeps its state as JSON in a hidden field, and sends it with each event. */
type GxState = Readonly<Record<string, unknown>>

const FORM = 'form'
const FIELD = 'GXState'

const hasGxState = (pagina: Pagina): boolean => pagina.html()(`input[name="${FIELD}"]`).length > 0

function readGxState(portal: Portal, pagina: Pagina): GxState {
  const text = pagina.html()(`input[name="${FIELD}"]`).first().attr('value') ?? ''
  try {
    const state: unknown = JSON.parse(text)
    if (typeof state === 'object' && state !== null) return { ...state }
  } catch {
    // The failure below covers both: no text, or no JSON.
  }
  throw portal.failure('parse', 'mudou de página: falta o estado da página (GXState)')
}

function textIn(state: GxState, name: string): string {
  const value = state[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function sendEvent(
  portal: Portal,
  pagina: Pagina,
  evento: string,
  { estado = {}, campos = {} }: { estado?: Campos; campos?: Campos },
): Promise<Pagina> {
  const state = { ...readGxState(portal, pagina), ...estado, _EventName: evento }
  const fields = { ...harvest(portal, pagina, FORM), ...campos, [FIELD]: JSON.stringify(state) }
  // GeneXus' own script sends the second header.
  const headers = { 'x-requested-with': 'XMLHttpRequest', gxajaxrequest: '1' }
  return portal.post(actionOf(pagina, FORM), fields, { headers })
}

/** By a command of its JSON or by its scripts. Undefined if the answer is the page itself. */
function destinoOf(portal: Portal, pagina: Pagina): string | undefined {
  if (isPdf(pagina)) return undefined
  const json = parseJson(pagina)
  if (json === undefined) return janelaOf(portal, pagina) ?? saltoOf(portal, pagina)
  const paths = ['redirect.url', 'redirect', 'popup.url', 'popup.0', 'popup'].map(
    (end) => `gxCommands.0.${end}`,
  )
  return paths.map((path) => textAt(json, path)).find(Boolean)
}

/** The event that a control (by id) sends: gx.evt.execEvt('',false,"E'CNPJ'.",this). */
function eventOf(portal: Portal, pagina: Pagina, id: string): string {
  const script = pagina.html()(`#${id}`).first().attr('onclick') ?? ''
  const event = /"(E[^"]+\.)"/.exec(script)?.[1]
  if (!event) throw portal.failure('parse', `mudou de página: falta o botão ${id}`)
  return event
}

const captcha = { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'GPXRECAPTCHA1_Response' } as const

/** Solves the reCAPTCHA whose key is in the state, and gives the field for the answer. */
async function recaptchaOf(portal: Portal, pagina: Pagina): Promise<Campos> {
  const key = textIn(readGxState(portal, pagina), 'GPXRECAPTCHA1_Sitekey')
  const token = await solveToken(portal, pagina, 'recaptcha-v2', key)
  return { [captcha.campo]: token }
}

type GenexusEventosIeOptions = PortalOptions & InscricoesOptions & { campos: Record<TipoDocumento, string> }

/** The page with the key of its reCAPTCHA, then the document's event. */
function genexusEventosIe(uf: Uf, options: GenexusEventosIeOptions): RotaIe {
  const { url, documentos, campos } = options
  const leitor = inscricoes(options)
  return rota('genexus', uf, { ...options, leitor }, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const { tipo, documento } = pergunta
    const answer = await sendEvent(portal, pagina, documentos[tipo] ?? '', {
      estado: await recaptchaOf(portal, pagina),
      campos: { [campos[tipo]]: documento },
    })
    // The answer to an event is the page itself, or commands, one of which leads to the page.
    const destino = parseJson(answer) === undefined ? undefined : destinoOf(portal, answer)
    const result = destino ? await portal.get(destino) : answer
    return leitor.read(portal, pergunta, result)
  })
}

type GenexusEventosCndOptions = PortalOptions &
  CertidaoOptions & {
    mensagem: string
    campos: { cpf: string; cnpj: string }
    /** The list (id) of purposes of a certificate, and the words of the one that we choose. */
    finalidade: { campo: string; opcao: string }
    emitir: string
    print: string
  }

/** One event makes the certificate and tells its number, or why there is none; another opens its print. */
function genexusEventosCnd(uf: Uf, options: GenexusEventosCndOptions): RotaCnd {
  const { url, campos, emitir, print, mensagem } = options
  return rota('genexus', uf, { ...options, leitor: certidao(options) }, async (portal, pergunta) => {
    const pagina = await portal.get(url)
    const finalidade = finalidadeOf(portal, pagina, options)
    const evento = eventOf(portal, pagina, emitir)
    const document = { [campos[pergunta.tipo]]: writeDocumento(pergunta, 'mascara') }
    const made = await sendEvent(portal, pagina, evento, {
      estado: await recaptchaOf(portal, pagina),
      campos: { ...document, ...finalidade },
    })
    if (mensagemDe(portal, made, mensagem) || !hasGxState(made))
      return readCertificado(portal, pergunta, made, options)
    const numero = numeroOf(portal, made)
    const printed = await sendEvent(portal, made, eventOf(portal, made, print), {
      campos: { ...document, ...finalidade },
    })
    const opened = destinoOf(portal, printed)
    const paper = opened ? await portal.get(new URL(opened, printed.url).href) : printed
    return withNumero(await readCertificado(portal, pergunta, paper, options), numero)
  })
}

/** The page tells the number even if the certificate's own is not read. */
const withNumero = (certidao: Certidao, numero: string): Certidao => ({
  ...certidao,
  protocolo: certidao.protocolo || numero,
})

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

export const estado = {
  uf: 'TO',
  exemplo: '99002516000132',
  ie: [
    genexusEventosIe('TO', {
      url: 'https://sintegra.sefaz.to.gov.br/sintegra/servlet/wpsico01',
      documentos: { cnpj: "E'CNPJ'.", cpf: "E'CPF'.", ie: "E'IE'." },
      captcha,
      campos: { cnpj: 'vCNPJ', cpf: 'vCPF', ie: 'vIE' },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 330,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem; endereço em lista de links',
      em: '2026-09',
      nota: 'O evento do CNPJ é conhecido; os de CPF e de IE seguem o nome dele. A resposta pode ser a página ou comandos (JSON) que levam a ela, como em outras páginas do GeneXus.',
    }),
  ],
  cnd: [
    genexusEventosCnd('TO', {
      url: 'https://www.sefaz.to.gov.br/cnd/com.cnd.hecwbcnd01',
      documentos: { cnpj: '', cpf: '' },
      captcha,
      campos: { cnpj: 'vNUM_CNPJ', cpf: 'vNUM_CPF' },
      finalidade: { campo: 'vFINALIDADE1', opcao: 'CADASTRO' },
      emitir: 'BUTTON3',
      print: 'BUTTON6',
      mensagem: '.gx_ev .ErrorViewerBullet',
      layout: {},
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'código aberto de emissão de certidões e lista de links, sem data',
      em: '2026-11',
      espera: { marca: 'Certidão', minimo: 150, partes: ['protocolo', 'emissao', 'validade'] },
      nota: 'A certidão é pedida com a finalidade CADASTRO. A impressão abre outra página (arecrpcnd), que é o PDF; como a resposta do evento leva a ela não foi visto.',
    }),
  ],
} satisfies Estado
