import { setTimeout } from 'node:timers/promises'
import type { CheerioAPI } from 'cheerio/slim'
import { dataBrasileira } from '../documento/dia.ts'
import type { Uf } from '../documento/uf.ts'
import { formatDia } from '../platform/wire/certificado.ts'
import type { Certidao } from '../portal/cnd-certidao.ts'
import type { PerguntaCnd, RotaCnd } from '../portal/estado.ts'
import { textosOf } from '../portal/html.ts'
import { readCertificado, readMensagem } from '../portal/mensagem.ts'
import { normalize } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { type DaCertidao, portalCnd } from '../portal/rota.ts'
import {
  type Aba,
  type AbaAberta,
  type AbasOptions,
  openAbas,
  type RespostaParcial,
} from './primefaces-abas.ts'

export type PrimeFacesPedidoOptions = AbasOptions &
  DaCertidao & {
    /** The tabs of the grid and of the request. */
    consulta: Aba
    solicitacao: Aba
    /** The end of the id of the grid's body, and the place of the status in its cells, from 0. */
    grade: { corpo: string; situacao: number }
    /** The words of the state for a request that it took. */
    registrada: string
    /** The words of the grid for a request that is not ready. */
    processando: string
    /** Milliseconds between two looks at the grid. */
    intervaloMs: number
  }

/**
 * PrimeFaces that takes requests, and gives the certificates later in a grid. A valid certificate there is
 * used; otherwise one is requested, and the grid is read until the time is over.
 */
export function primeFacesPedido(uf: Uf, options: PrimeFacesPedidoOptions): RotaCnd {
  const { intervaloMs, consulta, solicitacao } = options
  return portalCnd('primefaces', uf, options, async (portal, pergunta) => {
    const open = await openAbas(portal, pergunta, options)
    const refusals = new Set<string>()
    const grade = await open(consulta)
    const look = (isOld = (refusal: string) => refusals.has(refusal)) =>
      lookInGrade({ portal, pergunta, options, grade }, isOld)
    let found = await look((refusal) => refusals.add(refusal).has(refusal))
    if (found === 'nada') {
      const refusal = await solicitar(portal, pergunta, await (await open(solicitacao)).press(), options)
      if (refusal) return refusal
      found = await look()
    }
    while (typeof found === 'string') {
      if (portal.leftMs() <= intervaloMs) throw portal.fail('processando')
      await setTimeout(intervaloMs)
      found = await look()
    }
    return found
  })
}

/** The state's refusal to take the request. Undefined if it took it. */
async function solicitar(
  portal: Portal,
  pergunta: PerguntaCnd,
  { answer, html }: RespostaParcial,
  { mensagem, registrada }: PrimeFacesPedidoOptions,
): Promise<Certidao | undefined> {
  const said = textosOf(html(mensagem)).join(' ')
  if (normalize(said).includes(normalize(registrada))) return undefined
  if (!said) throw portal.failure('parse', 'mudou de página: não diz o que foi feito da solicitação')
  return readMensagem(portal, pergunta, answer, said)
}

type Visita = { portal: Portal; pergunta: PerguntaCnd; options: PrimeFacesPedidoOptions; grade: AbaAberta }

/**
 * Reads the grid: a certificate, a refusal, `processando` while one is made, or `nada`. An old refusal
 * (`isOld`) does not count, unless it is of today.
 */
async function lookInGrade(
  { portal, pergunta, options, grade }: Visita,
  isOld: (refusal: string) => boolean,
): Promise<Certidao | 'processando' | 'nada'> {
  const { answer, html } = await grade.press()
  const { layout, mensagem, processando } = options
  const said = textosOf(html(mensagem)).join(' ')
  if (said) return readMensagem(portal, pergunta, answer, said)
  const rows = readGrade(portal, html, options.grade)
  const today = formatDia(portal.meios.now())
  const holds = (date: string): boolean => date === '' || sortable(date) >= sortable(today)
  const ready = rows.find(({ baixar, validade }) => baixar && holds(validade))
  if (ready?.baixar) {
    const pdf = await grade.download(ready.baixar)
    const certidao = await readCertificado(portal, pergunta, pdf, { layout, mensagem })
    if (holds(dataBrasileira(certidao.validade))) return certidao
  }
  if (rows.some(({ situacao }) => normalize(situacao).includes(normalize(processando)))) return 'processando'
  const refused = rows.find(
    ({ baixar, chave, pedida }) => !baixar && (!isOld(chave) || pedida.startsWith(today)),
  )
  return refused ? readMensagem(portal, pergunta, answer, refused.situacao) : 'nada'
}

/** Writes 31/12/2026 as 20261231. */
const sortable = (date: string): string => date.split('/').reverse().join('')

/**
 * One row of the grid. `baixar` is sent by its button or link once the certificate is ready; `chave`
 * identifies the row.
 */
type Linha = {
  chave: string
  pedida: string
  situacao: string
  validade: string
  baixar: [name: string, value: string] | undefined
}

/** Reads the rows of the grid. The status is known by its place, and the dates by the words above them. */
function readGrade(
  portal: Portal,
  $: CheerioAPI,
  { corpo, situacao }: PrimeFacesPedidoOptions['grade'],
): Linha[] {
  const body = $(`[id$="${corpo}"]`).last()
  if (body.length === 0) throw portal.failure('parse', 'mudou de página: falta a grade de certidões')
  const textOf = (cell: Parameters<CheerioAPI>[0]): string => textosOf($(cell)).join(' ')
  const heads = body
    .closest('table')
    .find('th')
    .toArray()
    .map((head) => normalize(textOf(head)))
  const under = (cells: readonly string[], word: string): string =>
    cells[heads.findIndex((head) => head.includes(word))] ?? ''
  return body
    .find('tr[data-ri]')
    .toArray()
    .map((row) => {
      const cells = $(row).find('td').toArray().map(textOf)
      const button = $(row).find('button[name], input[type=submit][name], a[id][onclick]').first()
      const { name, id } = button.attr() ?? {}
      const baixar: Linha['baixar'] = name ? [name, ''] : id ? [id, id] : undefined
      const validade = /\d{2}\/\d{2}\/\d{4}/.exec(under(cells, 'VALIDADE'))?.[0] ?? ''
      const pedida = under(cells, 'SOLICITA')
      return { chave: cells.join(' '), pedida, situacao: cells[situacao] ?? '', validade, baixar }
    })
}
