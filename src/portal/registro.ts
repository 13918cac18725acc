import { type Campo, type Legenda, type Lidos, labelOf } from './inscricao-rotulo.ts'

/** No value is longer. A longer text would take the expressions that read values too much time. */
const LONGEST = 500

/**
 * A label of a page with its value, which may be empty. It is in doubt if it may be the value of the label
 * before it: a firm may be called `CEP: 01000-000`.
 */
type Par = { label: string; campo: Campo; value: string; duvida?: boolean }

/**
 * Reads each registration of a page; a label right after a label means that the first has no value. If the
 * number's label repeats, the first label with as many repetitions begins each registration.
 */
export function readRegistros(textos: readonly string[], legenda: Legenda): Lidos[] {
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

/** How many fields of registrations have a value on a page. */
export const countValores = (textos: readonly string[], legenda: Legenda): number =>
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

/** Fields that an accountant, a partner or another address has too. */
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
    // The value is not read as a label, whatever it says.
    const isInline = par.label !== labelOf(text)
    const duvida = isInline && vazio === at - 1
    if (!par.value) vazio = at
    if (par.value && !isInline) at++
    if (par.campo === 'inscricao_estadual' || par.label === pares[0]?.label) alheio = false
    if (!alheio || !DE_ALGUEM.has(par.campo)) pares.push({ ...par, duvida })
  }
  return pares
}

/** Reads a label with the text after it, or a label and its value in one text. */
function readPar(text: string, next: string | undefined, legenda: Legenda): Par | undefined {
  const label = labelOf(text)
  const campo = legenda.get(label)
  if (campo) return { label, campo, value: next === undefined || isLabel(next, legenda) ? '' : next }
  return inlineOf(text, legenda)
}

/** Whether a text is a label. An unknown one is known by its colon. */
const isLabel = (text: string, legenda: Legenda): boolean =>
  text.endsWith(':') || legenda.has(labelOf(text)) || inlineOf(text, legenda) !== undefined

function inlineOf(text: string, legenda: Legenda): Par | undefined {
  const [, before = '', value = ''] = /^([^:]{2,60}):\s*(\S.*)$/.exec(text) ?? []
  const label = labelOf(before)
  const campo = legenda.get(label)
  return campo && { label, campo, value }
}
