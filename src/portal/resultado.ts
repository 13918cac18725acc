import type { Espera, Pergunta } from './estado.ts'
import {
  type Campo,
  camposDe,
  type Legenda,
  type Lidos,
  labelOf,
  legendaOf,
  type Rotulos,
  toInscricao,
} from './inscricao.ts'
import { isCutShort, type Pagina, type TextoDaPagina, textosOf, trechosOf } from './pagina.ts'
import type { Leitor } from './rota.ts'
import type { Inscricao } from './rules-inscricao.ts'
import { type Frase, failUnknown, findFrase, type Portal } from './visita.ts'

/** No value is longer. A longer text would take the expressions that read values too much time. */
const LONGEST = 500

/** In doubt if it may be the value of the label before: a firm may be called `CEP: 01000-000`. */
type Par = { label: string; campo: Campo; value: string; duvida?: boolean }

/** If the number's label repeats, the first label with as many repetitions begins each registration. */
function readRegistros(textos: readonly string[], legenda: Legenda): Lidos[] {
  const pares = readPares(textos, legenda)
  const numero = pares.find(({ campo }) => campo === 'inscricao_estadual')
  if (!numero) return []
  const placesOf = (label: string): number[] => pares.flatMap((par, at) => (par.label === label ? [at] : []))
  const many = placesOf(numero.label).length
  const labels = [...new Set(pares.map(({ label }) => label))]
  const [first = 0, ...rest] =
    many === 1 ? [] : (labels.map(placesOf).find(({ length }) => length === many) ?? [])
  const ends = [...rest, pares.length]
  return dropEchoes(
    [many === 1 ? 0 : first, ...rest].map((begin, at) => lidosOf(pares.slice(begin, ends[at]))),
  )
}

/** Reads the value after each label. The first value of a field counts. */
export const readRotulos = (textos: readonly string[], legenda: Legenda): Lidos =>
  lidosOf(readPares(textos, legenda))

const countValores = (textos: readonly string[], legenda: Legenda): number =>
  readPares(textos, legenda).filter(({ campo, value }) => campo !== 'ignorado' && value).length

function lidosOf(pares: readonly Par[]): Lidos {
  const lidos: Lidos = {}
  const certos = pares.filter(({ duvida }) => !duvida)
  for (const { campo, value } of [...certos, ...pares]) lidos[campo] ??= value.slice(0, LONGEST)
  return lidos
}

/** Drops the labels of a search form, and a number that a heading of the page repeats. */
function dropEchoes(all: readonly Lidos[]): Lidos[] {
  const numbers = new Set(
    all.filter(({ razao_social }) => razao_social).map((one) => one.inscricao_estadual ?? ''),
  )
  return all.filter(
    ({ inscricao_estadual, razao_social }) =>
      razao_social || (inscricao_estadual && !numbers.has(inscricao_estadual)),
  )
}

/** Headings after which the page speaks of another person or address, until the next registration begins. */
const ALHEIO =
  /^(?:ENDERECO (?:DE|PARA) CORRESPONDENCIA|(?:(?:DADOS|INFORMACOES|IDENTIFICACAO) D[AEO]S? )?(?:CONTADOR|CONTABILISTA|REPRESENTANTE|RESPONSAVE(?:L|IS)|SOCIOS?|ADMINISTRADORES)\b|QUADRO (?:DE |SOCI))/

const DE_ALGUEM: ReadonlySet<Campo> = new Set([
  'cpf_cnpj',
  'razao_social',
  'nome_fantasia',
  'logradouro',
  'numero',
  'complemento',
  'bairro',
  'municipio',
  'municipio_uf',
  'endereco',
  'cep',
] as const)

function readPares(textos: readonly string[], legenda: Legenda): Par[] {
  const pares: Par[] = []
  let [alheio, vazio] = [false, -1]
  for (let at = 0; at < textos.length; at++) {
    const text = textos[at] ?? ''
    const par = readPar(text, textos[at + 1], legenda)
    if (!par) {
      alheio ||= ALHEIO.test(labelOf(text))
      continue
    }
    const isInline = par.label !== labelOf(text)
    const duvida = isInline && vazio === at - 1
    if (!par.value) vazio = at
    if (par.value && !isInline) at++
    if (par.campo === 'inscricao_estadual' || par.label === pares[0]?.label) alheio = false
    if (!alheio || !DE_ALGUEM.has(par.campo)) pares.push({ ...par, duvida })
  }
  return pares
}

function readPar(text: string, next: string | undefined, legenda: Legenda): Par | undefined {
  const label = labelOf(text)
  const campo = legenda.get(label)
  if (campo) return { label, campo, value: next === undefined || isLabel(next, legenda) ? '' : next }
  return inlineOf(text, legenda)
}

const isLabel = (text: string, legenda: Legenda): boolean =>
  text.endsWith(':') || legenda.has(labelOf(text)) || inlineOf(text, legenda) !== undefined

function inlineOf(text: string, legenda: Legenda): Par | undefined {
  const [, before = '', value = ''] = /^([^:]{2,60}):\s*(\S.*)$/.exec(text) ?? []
  const label = labelOf(before)
  const campo = legenda.get(label)
  return campo && { label, campo, value }
}

const LABEL = /^\p{L}[\p{L} ./()º°ª'-]{2,58}\s*:?$/u

/** Fields whose labels a search form has too. Alone they do not make a page of results. */
const DA_BUSCA: ReadonlySet<Campo> = new Set(['cpf_cnpj', 'inscricao_estadual'] as const)

/** Reports unknown labels. The legend it gives has them, so that none of them is read as a value. */
function noteRotulos(portal: Portal, pagina: Pagina, legenda: Legenda): Legenda {
  const novos = findNovos(trechosOf(pagina.html().root()), legenda)
  const novidades = new Set(novos.length > 0 ? portal.novidades(pagina) : [])
  const told = novos.filter((label) => novidades.has(label)).map((label) => label.replace(/\s*:$/, ''))
  portal.meios.relato?.rotulos(told)
  if (told.length === 0) return legenda
  return new Map([...told.map((label) => [labelOf(label), 'ignorado'] as const), ...legenda])
}

function findNovos(trechos: readonly TextoDaPagina[], legenda: Legenda): string[] {
  const campoOf = ({ texto }: TextoDaPagina): Campo | undefined => legenda.get(labelOf(texto))
  const known = trechos.flatMap((trecho, at) => (campoOf(trecho) ? [at] : []))
  const campos = new Set(known.flatMap((at) => campoOf(trechos[at] ?? { texto: '', lugar: '' }) ?? []))
  const [first, last] = [known.at(0), known.at(-1)]
  const results = [...campos].filter((campo) => !DA_BUSCA.has(campo))
  if (first === undefined || last === undefined || results.length < 2) return []
  const places = placesOf(trechos, known, legenda)
  const shouts = known.every((at) => isLoud(trechos[at]?.texto ?? ''))
  return trechos
    .slice(Math.max(0, first - 2), last + 3)
    .filter((trecho) => !campoOf(trecho) && LABEL.test(trecho.texto))
    .filter(({ texto, lugar }) => texto.endsWith(':') || (places.has(lugar) && (shouts || !isLoud(texto))))
    .map(({ texto }) => texto)
}

/** So many unknown labels may follow empty ones. A registration has more values than this. */
const MOST_RENAMED = 2

function placesOf(
  trechos: readonly TextoDaPagina[],
  known: readonly number[],
  legenda: Legenda,
): Set<string> {
  const places = new Set(known.map((at) => trechos[at]?.lugar ?? ''))
  const values = new Map<string, number>()
  for (const at of known) {
    const next = trechos[at + 1]
    if (next && !legenda.has(labelOf(next.texto))) values.set(next.lugar, (values.get(next.lugar) ?? 0) + 1)
  }
  for (const [place, many] of values) if (many > MOST_RENAMED) places.delete(place)
  return places
}

const isLoud = (text: string): boolean => text === text.toUpperCase()

export type FormaDoResultado = {
  legenda: Legenda
  frases?: readonly Frase[] | undefined
  /** On a page with a list: the links (CSS) to the page of each registration. */
  lista?: string | undefined
}

/** What a state's file says of its registrations besides the page. */
export type InscricoesOptions = { espera: Espera; rotulos?: Rotulos } & Partial<
  Pick<FormaDoResultado, 'frases' | 'lista'>
>

/** A route is asked for registrations. */
export function inscricoes({
  espera,
  rotulos,
  frases,
  lista,
}: InscricoesOptions): Leitor<Pergunta, Inscricao[]> {
  const resultado = { legenda: legendaOf(rotulos), frases, lista }
  return {
    servico: 'ie',
    dados: { espera },
    read: (portal, pergunta, pagina) => readResultado(portal, pergunta, pagina, resultado),
  }
}

/** Nobody has more registrations in a state. A longer list is a failure. */
const MOST_PAGES = 60

/** Of a page, or of the pages it links to. Throws SourceError `parse` for an unknown page. */
async function readResultado(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  resultado: FormaDoResultado,
): Promise<Inscricao[]> {
  const links = resultado.lista ? linksOf(pagina, resultado.lista) : []
  if (links.length > MOST_PAGES) throw portal.failure('parse', `listou ${links.length} inscrições`)
  if (links.length === 0)
    return readShown(portal, pergunta, pagina, resultado) ?? readEmpty(portal, pergunta, pagina, resultado)
  const found: Inscricao[] = []
  // One page after the other, as a person would: they share a session.
  for (const link of links) {
    const detalhe = await portal.get(link)
    const shown = readShown(portal, pergunta, detalhe, resultado)
    found.push(...(shown ?? failNotShown(portal, pergunta, detalhe, resultado)))
  }
  return found
}

function readShown(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  resultado: FormaDoResultado,
): Inscricao[] | undefined {
  const legenda = noteRotulos(portal, pagina, resultado.legenda)
  const found = readRegistros(textosOf(pagina.html().root()), legenda)
  if (!found.some(({ inscricao_estadual, razao_social }) => inscricao_estadual && razao_social))
    return undefined
  if (isCutShort(pagina)) throw portal.fail('cortada')
  for (const lidos of found) portal.meios.relato?.campos(camposDe(lidos))
  return found.map((lidos) => toInscricao(lidos, portal, pergunta))
}

/** A form that is shown again may repeat what was asked. More values are of a registration. */
const MOST_OF_A_FORM = 4

/** A firm may be called `Nenhum resultado encontrado`: not believed beside the fields of one. */
function readEmpty(portal: Portal, pergunta: Pergunta, pagina: Pagina, resultado: FormaDoResultado): [] {
  const none = readNone(portal, pergunta, pagina, resultado)
  if (countValores(textosOf(pagina.html().root()), resultado.legenda) > MOST_OF_A_FORM)
    failUnknown(portal, pagina, 'falta a inscrição', pergunta.tipo)
  return none
}

/** Reads a page without registrations: it gives none if the page says so. Throws the reason otherwise. */
export function readNone(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { frases }: Pick<FormaDoResultado, 'frases'>,
): [] {
  const frase = findFrase(portal, pagina, frases)
  if (!frase && isCutShort(pagina)) throw portal.fail('cortada')
  if (!frase) failUnknown(portal, pagina, 'falta a inscrição', pergunta.tipo)
  if (frase.desfecho !== 'nao-encontrado') throw portal.fail(frase.desfecho, pergunta.tipo)
  return []
}

function failNotShown(...page: Parameters<typeof readNone>): never {
  readNone(...page)
  throw page[0].failure('parse', 'listou uma inscrição e não a mostrou')
}

function linksOf(pagina: Pagina, lista: string): string[] {
  const $ = pagina.html()
  const links = $(lista)
    .map((_, link): string[] => [$(link).attr('href') ?? ''])
    .get()
    .filter((href) => !/^(?:$|#|javascript:|mailto:)/i.test(href) && URL.canParse(href, pagina.url))
    .map((href) => new URL(href, pagina.url).href)
  return [...new Set(links)]
}
