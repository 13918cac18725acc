import { setTimeout } from 'node:timers/promises'
import type { CheerioAPI } from 'cheerio/slim'
import type { Certidao } from '../../domain/certidao.ts'
import { formatDia } from '../../domain/certificado.ts'
import type { Uf } from '../../domain/uf.ts'
import type { PerguntaCnd, RotaCnd } from '../estado.ts'
import type { Entrega } from '../portal/certidao.ts'
import { findComando, type Parcial, readParcial, VIEW_STATE } from '../portal/faces.ts'
import { actionOf, type Campos, harvest } from '../portal/form.ts'
import { readCertificado, readMensagem } from '../portal/mensagem.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { type PortalOptions, portalCnd } from '../portal/rota.ts'
import { textosOf } from '../portal/textos.ts'
import type { Portal } from '../portal.ts'

export type PrimeFacesPedidoOptions = PortalOptions &
  Pick<RotaCnd, 'naoContribuinte'> &
  Required<Entrega> & {
    /** The fields of both forms, request and search. */
    campos: { tipo: string; documento: string }
    /** What the request's form has besides; goes empty. */
    vazios: readonly string[]
    /** How the grid names the certificate that is wanted, among others. */
    certidao: string
    /** What the state says of a request that it took. */
    registrada: string
    /** What the grid says of one that it is at work on. */
    processando: string
    /** How long to wait before looking in the grid again, in milliseconds. */
    intervaloMs: number
  }

/**
 * PrimeFaces that takes requests now and gives certificates later, in a grid. Who has one there that still holds gets that;
 * otherwise one is requested, and the grid looked at until the time is over.
 */
export function primeFacesPedido(uf: Uf, options: PrimeFacesPedidoOptions): RotaCnd {
  const { url, intervaloMs } = options
  return portalCnd('primefaces', uf, options, async (portal, pergunta) => {
    const inicio = await portal.get(url)
    const refusals = new Set<string>()
    const isOld = (refusal: string): boolean => refusals.has(refusal)
    const look = (old = isOld) => lookInGrade(portal, pergunta, inicio, options, old)
    let found = await look((refusal) => refusals.add(refusal).has(refusal))
    if (found === 'nada') {
      const refusal = await solicitar(portal, pergunta, inicio, options)
      if (refusal) return refusal
      found = await look()
    }
    while (typeof found === 'string') {
      if (portal.leftMs() <= intervaloMs) throw stillAtWork(portal)
      await setTimeout(intervaloMs)
      found = await look()
    }
    return found
  })
}

const stillAtWork = ({ failure }: Portal) =>
  failure('timeout', 'ainda está emitindo a certidão; consulte de novo em alguns minutos', {
    codigo: 'em-processamento',
    unavailable: false,
  })

/** The state's refusal to take the request; undefined when it took it. */
async function solicitar(
  portal: Portal,
  pergunta: PerguntaCnd,
  inicio: Pagina,
  options: PrimeFacesPedidoOptions,
): Promise<Certidao | undefined> {
  const { answer, parcial } = await press(portal, pergunta, inicio, options, 'Solicitar', options.vazios)
  const said = textosOf(parcial.html(options.mensagem)).join(' ')
  if (normalize(said).includes(normalize(options.registrada))) return undefined
  if (!said) throw portal.failure('parse', 'mudou de página: não diz o que foi feito da solicitação')
  return readMensagem(portal, pergunta, answer, said)
}

/**
 * A certificate of the grid or its refusal; `processando` when it is being made; `nada` when nothing there is of use. A refusal
 * that was there before (`isOld`) says nothing of this day, unless it is of this day.
 */
async function lookInGrade(
  portal: Portal,
  pergunta: PerguntaCnd,
  inicio: Pagina,
  options: PrimeFacesPedidoOptions,
  isOld: (refusal: string) => boolean,
): Promise<Certidao | 'processando' | 'nada'> {
  const { answer, parcial, form, fields } = await press(portal, pergunta, inicio, options, 'Consultar', [])
  const { layout, mensagem, processando } = options
  const said = textosOf(parcial.html(mensagem)).join(' ')
  if (said) return readMensagem(portal, pergunta, answer, said)
  const rows = readGrade(portal, parcial.html, options.certidao)
  const today = formatDia(portal.meios.now())
  const holds = (date: string): boolean => date === '' || sortable(date) >= sortable(today)
  const ready = rows.find(({ baixar, validade }) => baixar && holds(validade))
  if (ready) {
    const pdf = await portal.post(form, { ...fields, [VIEW_STATE]: parcial.viewState, [ready.baixar]: '' })
    const certidao = await readCertificado(portal, pergunta, pdf, { layout, mensagem })
    if (holds(certidao.validade.split('-').reverse().join('/'))) return certidao
  }
  if (rows.some(({ situacao }) => normalize(situacao).includes(normalize(processando)))) return 'processando'
  const refused = rows.find(
    ({ baixar, numero, pedida }) => !baixar && (!isOld(`${numero} ${pedida}`) || pedida.startsWith(today)),
  )
  return refused ? readMensagem(portal, pergunta, answer, refused.situacao) : 'nada'
}

/** 31/12/2026 as 20261231. */
const sortable = (date: string): string => date.split('/').reverse().join('')

/** One row of the grid; `baixar` is the button's name, empty until the certificate is ready. */
type Linha = { numero: string; pedida: string; situacao: string; validade: string; baixar: string }

/** The rows of the certificate that is wanted: number, day of the request, certificate, status, last day, button. */
function readGrade(portal: Portal, $: CheerioAPI, certidao: string): Linha[] {
  const grid = $('[id$="resultsDataTable"]')
  if (grid.length === 0) throw portal.failure('parse', 'mudou de página: falta a grade de certidões')
  return grid
    .find('tr[data-ri]')
    .toArray()
    .map((row) => {
      const cells = $(row)
        .find('td')
        .toArray()
        .map((cell) => textosOf({ toArray: () => [cell] }).join(' '))
      const [numero = '', pedida = '', kind = '', situacao = '', last = ''] = cells
      const validade = /^\d{2}\/\d{2}\/\d{4}/.exec(last)?.[0] ?? ''
      const baixar = $(row).find('button[name],input[type=submit][name]').first().attr('name') ?? ''
      return { kind, numero, pedida, situacao, validade, baixar }
    })
    .filter(({ kind }) => normalize(kind).includes(normalize(certidao)))
}

/** Opens the page that the menu calls so, fills its form and presses its button of the same name, over AJAX. */
async function press(
  portal: Portal,
  pergunta: PerguntaCnd,
  inicio: Pagina,
  { documentos, campos, layout, mensagem }: PrimeFacesPedidoOptions,
  nome: string,
  vazios: readonly string[],
): Promise<{ answer: Pagina; parcial: Parcial; form: string; fields: Campos }> {
  const pagina = await portal.get(linkOf(portal, inicio, nome))
  const form = actionOf(pagina, 'form')
  const fields = {
    ...harvest(portal, pagina, 'form'),
    [campos.tipo]: documentos[pergunta.tipo] ?? '',
    [campos.documento]: pergunta.documento,
    ...Object.fromEntries(vazios.map((campo) => [campo, ''])),
  }
  const answer = await portal.post(form, { ...fields, ...clickOf(portal, pagina, nome) }, ajax)
  // A whole page in its place says that the portal is closed, or out of order.
  if (!answer.text().includes('<partial-response'))
    await readCertificado(portal, pergunta, answer, { layout, mensagem })
  return { answer, parcial: readParcial(portal, answer), form, fields }
}

function linkOf(portal: Portal, pagina: Pagina, palavras: string): string {
  const $ = pagina.html()
  const [link] = $('a[href]')
    .toArray()
    .filter((one) => normalize($(one).text()) === normalize(palavras))
  if (!link?.attribs.href) throw portal.failure('parse', `mudou de página: falta o menu "${palavras}"`)
  return new URL(link.attribs.href, pagina.url).href
}

const ajax = { headers: { 'faces-request': 'partial/ajax', 'x-requested-with': 'XMLHttpRequest' } }

/** What PrimeFaces sends at a click, by the button's script: PrimeFaces.ab({s:"source",u:"what to draw again"}). */
function clickOf(portal: Portal, pagina: Pagina, palavras: string): Campos {
  const { nome, onclick } = findComando(portal, pagina, palavras)
  const source = /\b(?:s|source)\s*:\s*["']([^"']+)["']/.exec(onclick)?.[1] ?? nome
  const update = /\b(?:u|update)\s*:\s*["']([^"']+)["']/.exec(onclick)?.[1]
  return {
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': source,
    'javax.faces.partial.execute': '@all',
    ...(update && { 'javax.faces.partial.render': update }),
    [source]: source,
  }
}
