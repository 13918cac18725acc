import * as lexico from './rules-lexico.ts'
import { type Palavra, type Trecho, wordsOf } from './rules-palavras.ts'

/** The value of a label: there are debts, there are none, or it decides nothing (a count of zero). */
type Valor = 'ha' | 'nao-ha' | 'nada-diz'

const LONGEST_LABEL = 12
const LONGEST_VALUE = 60

const NUMERO = String.raw`\d[\d.]*(?:,\d+)?(?![\d,]|\.\d| ?[/:-] ?\d)`
const REAIS = String.raw`(?:R ?\$ ?)`
const MARCA = String.raw`(?:[:?=]|\.{2,}|\.:) ?`

const zero = new RegExp(String.raw`^[ $)]*(?:${MARCA})?\(?${REAIS}?(?=0[0.,]*(?!\d))${NUMERO}`)
/** `Não` denies at the end of a value or before a verb: `Débitos: não tributários` denies nothing. */
const naoHa =
  /^[ $)]*[:?=-] ?(?:NAO\b(?= ?(?:$|[.,;)]|(?:HA|TEM|FOI|FORAM)\b|CONST|EXIST|POSSU|ENCONTR|LOCALIZ|IDENTIF|APRESENT))|NADA\b|NENHUMA?\b|INEXIST|SEM (?:DEBITO|PENDENCIA|REGISTRO|OCORRENCIA))/
const naoPago = /^[ $)]*[:?=-] ?NAO (?:QUIT|PAG|REGUL|RECOLH|ADIMPL|GARANT)/
const naoSolto = /^[ $)]*[:?] ?NAO\b(?! (?:INSCR|TRIBUT|DECLAR|SUSPEN))/

const dito = /^[ $)]*[:?=-] ?(?:SIM(?!PLES|ILAR|UL)|CONSTAM?(?!N)|HA\b|EXISTE|POSSUI|PENDENTE|VENCID)/
const verbo = /^ (?:CONSTAM|EXISTEM)\b/
const quantia = new RegExp(
  String.raw`^[ $)]*(?:${MARCA}${REAIS}?${NUMERO}|(?:D[EO] )?(?:${MARCA})?${REAIS}${NUMERO}|${NUMERO}(?<=,\d\d)|\(? ?${NUMERO} ?\))`,
)

/** `Débitos de ICMS: constam`, `Total de débitos: 3`, `Possui débito(s)? NÃO`. */
function valorOf(folded: string, palavras: readonly Palavra[], i: number): Valor | undefined {
  let last = i
  while (last - i < LONGEST_LABEL && lexico.ROTULO.has(palavras[last + 1]?.texto ?? '')) last++
  const from = palavras[last]?.fim ?? folded.length
  const value = folded.slice(from, from + LONGEST_VALUE)
  if (naoHa.test(value)) return 'nao-ha'
  if (dito.test(value) || naoPago.test(value)) return 'ha'
  if (naoSolto.test(value)) return 'nada-diz'
  if (isOfName(palavras, i)) return undefined
  if (zero.test(value)) return 'nada-diz'
  const isSaid = verbo.test(value) && !lexico.EVENTUAL.has(palavras[i - 1]?.texto ?? '')
  return isSaid || quantia.test(value) ? 'ha' : undefined
}

/**
 * Whether the debts are part of a name: in `Certidão Negativa de Débitos 123` the number is the
 * certificate's.
 */
function isOfName(palavras: readonly Palavra[], i: number): boolean {
  for (let at = i - 1; i - at < LONGEST_LABEL; at--) {
    const word = palavras[at]?.texto ?? '.'
    if (/^(?:CERTIDAO|CND|CPD|CPEN)$/.test(word)) return lexico.EVENTUAL.has(palavras[i - 1]?.texto ?? '')
    if (lexico.FIM.has(word) || word === ':' || lexico.CONTA.has(word)) return false
  }
  return false
}

export type Dividas = { deve?: Trecho; nadaDeve?: Trecho }

type Verbo = {
  em: number
  alcance: number
  negado: boolean
  suposto: boolean
  /** What followed a denied verb: nothing, "em nome de …", another object, or a missing payment. */
  objeto: 'nenhum' | 'adverbio' | 'outro' | 'falta'
  negouDivida: boolean
}

type Leitor = {
  folded: string
  palavras: readonly Palavra[]
  found: Dividas
  verbo: Verbo | undefined
  condicao: number
  ressalva: number
}

const FAR = 40
const NEAR = 8
const NEAREST = 3

/** A condition ("se existem débitos") says nothing, and neither does a debt that may come later. */
export function readDividas(folded: string): Dividas {
  const leitor: Leitor = {
    folded,
    palavras: wordsOf(folded),
    found: {},
    verbo: undefined,
    condicao: -FAR,
    ressalva: -FAR,
  }
  for (let i = 0; i < leitor.palavras.length; i++) readWord(leitor, i)
  return leitor.found
}

const wordAt = ({ palavras }: Leitor, i: number): string => palavras[i]?.texto ?? ''

function say({ palavras, found }: Leitor, what: keyof Dividas, from: number, to: number): void {
  found[what] ??= { inicio: palavras[Math.max(0, from)]?.inicio ?? 0, fim: palavras[to]?.fim ?? 0 }
}

function readWord(leitor: Leitor, i: number): void {
  const word = wordAt(leitor, i)
  if (lexico.FIM.has(word) || lexico.ADVERSATIVA.has(word)) endClause(leitor, i)
  else if (word === ':') leitor.verbo = leitor.verbo?.negado ? undefined : leitor.verbo
  else if (isCondition(leitor, i)) leitor.condicao = i
  else if (isVerb(leitor, i)) leitor.verbo = verbAt(leitor, i)
  else if (isCause(leitor, i)) leitor.verbo = { ...verbAt(leitor, i), alcance: NEAR, negado: false }
  else if (isDivida(leitor, i)) readDivida(leitor, i)
  else if (word === 'DIVIDA') readRotulo(leitor, i)
  else if (lexico.DEVEDOR.has(word) || lexico.IRREGULAR.has(word)) readDevedor(leitor, i)
  else if (lexico.REGULAR.has(word) || (word === 'DIA' && wordAt(leitor, i - 1) === 'EM'))
    readRegular(leitor, i)
  else if (word === 'REGULARIDADE' && isRefused(leitor, i)) say(leitor, 'deve', i, i + 2)
  else if (word === 'DEVE' && wordAt(leitor, i - 1) === 'NADA') say(leitor, 'nadaDeve', i - 1, i)
  else if (lexico.EXCECAO.has(word)) readExcecao(leitor, i)
  else if (leitor.verbo) leitor.verbo = follow(leitor.verbo, word)
}

function endClause(leitor: Leitor, i: number): void {
  if (lexico.ADVERSATIVA.has(wordAt(leitor, i)) && leitor.verbo?.negouDivida) leitor.ressalva = i
  leitor.verbo = undefined
}

function isCondition(leitor: Leitor, i: number): boolean {
  const [before, word, next] = [wordAt(leitor, i - 1), wordAt(leitor, i), wordAt(leitor, i + 1)]
  if (lexico.CONDICAO.has(word)) return true
  if (word !== 'SE' || before === '-' || before === 'NAO') return false
  const verb = next === 'NAO' ? wordAt(leitor, i + 2) : next
  const opens = before === '' || before === ',' || before === ':' || lexico.FIM.has(before)
  return lexico.SE_E_CONDICAO.has(verb) || (opens && !lexico.ESTAR.has(verb))
}

/** A participle is one after `foram`, or just before the debt; "acima identificado" is not. */
function isVerb(leitor: Leitor, i: number): boolean {
  if (lexico.TER.has(wordAt(leitor, i))) return true
  if (!lexico.ACHADO.has(wordAt(leitor, i))) return false
  return lexico.AUXILIAR.has(wordAt(leitor, i - 1)) || isDivida(leitor, i + 1)
}

/** Whether a word gives a reason. `Razão social` is none; `por` is one only just before the debt. */
function isCause(leitor: Leitor, i: number): boolean {
  const [word, next] = [wordAt(leitor, i), wordAt(leitor, i + 1)]
  if (word === 'POR') return isDivida(leitor, i + 1)
  return lexico.CAUSA.has(word) && next !== 'SOCIAL'
}

function verbAt(leitor: Leitor, i: number): Verbo {
  const negation = denialOf(leitor, i)
  const isNothing = wordAt(leitor, negation) === 'NADA'
  if (isNothing) say(leitor, 'nadaDeve', negation, i)
  const suposto = lexico.SUPOSTO.has(wordAt(leitor, i)) || i - leitor.condicao <= NEAR
  // "Não constam débitos de ICMS, mas constam de IPVA."
  if (negation < 0 && !suposto && i - leitor.ressalva <= NEAREST) say(leitor, 'deve', i, i)
  leitor.condicao = -FAR
  return { em: i, alcance: FAR, negado: negation >= 0, suposto, objeto: 'nenhum', negouDivida: isNothing }
}

function denialOf(leitor: Leitor, i: number): number {
  let at = i - 1
  while (i - at < 5 && lexico.ENTRE_NAO.has(wordAt(leitor, at))) at--
  return lexico.NEGA_VERBO.has(wordAt(leitor, at)) ? at : -1
}

function follow(verbo: Verbo, word: string): Verbo | undefined {
  if (word === 'CERTIDAO') return undefined
  if (!verbo.negado || verbo.objeto === 'outro') return verbo
  if (lexico.FALTA.has(word)) return { ...verbo, objeto: 'falta' }
  if (verbo.objeto !== 'nenhum' || lexico.QUANTIFICA.has(word) || lexico.DETERMINA.has(word)) return verbo
  return { ...verbo, objeto: lexico.ABRE_ADVERBIO.has(word) ? 'adverbio' : 'outro' }
}

function isDivida(leitor: Leitor, i: number): boolean {
  const [word, next, after] = [wordAt(leitor, i), wordAt(leitor, i + 1), wordAt(leitor, i + 2)]
  if (!lexico.DIVIDA.has(word)) return false
  if (word === 'SALDO') return lexico.DEVEDOR.has(next)
  if (/^(?:PENDENCIA|IRREGULARIDADE)/.test(word))
    return !lexico.OUTRA_PENDENCIA.test(lexico.QUANTIFICA.has(next) || /^D[AO]S?$/.test(next) ? after : next)
  // "Dívida ativa" is a register too. Only what is inscribed there is a debt.
  if (next === 'ATIVA') return [3, 2, 1].some((back) => lexico.INSCRITO.has(wordAt(leitor, i - back)))
  return !next.startsWith('AUTOMATIC') && !(next === 'EM' && after === 'CONTA')
}

function readDivida(leitor: Leitor, i: number): void {
  if (!readRotulo(leitor, i)) readSentence(leitor, i)
}

/** Reads a label: `Débitos: constam`, `Dívida ativa: R$ 10,00`. True if it is one. */
function readRotulo(leitor: Leitor, i: number): boolean {
  const valor = valorOf(leitor.folded, leitor.palavras, i)
  if (valor === 'ha' || valor === 'nao-ha') say(leitor, valor === 'ha' ? 'deve' : 'nadaDeve', i, i + 1)
  return valor !== undefined
}

function readSentence(leitor: Leitor, i: number): void {
  const { verbo } = leitor
  let at = i - 1
  while (i - at < 4 && lexico.QUANTIFICA.has(wordAt(leitor, at))) at--
  const before = wordAt(leitor, at)
  const isLacking = lexico.INEXISTE.has(before)
  if (isLacking || lexico.NEGA_NOME.has(before)) {
    const isDouble = verbo?.negado && at - verbo.em < 3 && (isLacking || before === 'SEM')
    say(leitor, isDouble ? 'deve' : 'nadaDeve', at, i)
  } else if (verbo && i - verbo.em <= verbo.alcance && verbo.objeto !== 'outro') readObject(leitor, verbo, i)
  else if (before === 'COM' || (wordAt(leitor, i - 1) === 'EM' && wordAt(leitor, i) === 'DEBITO'))
    say(leitor, isDenied(leitor, at) ? 'nadaDeve' : 'deve', at, i)
  else readFound(leitor, i)
}

function readObject(leitor: Leitor, verbo: Verbo, i: number): void {
  const next = wordAt(leitor, i + 1)
  const depends = next === 'SE' || lexico.CONDICAO.has(next)
  if (verbo.suposto || depends) return
  const isDenial = verbo.negado && verbo.objeto !== 'falta'
  if (isDenial) leitor.verbo = { ...verbo, negouDivida: true }
  say(leitor, isDenial ? 'nadaDeve' : 'deve', isDenial ? denialOf(leitor, verbo.em) : verbo.em, i)
}

function readFound(leitor: Leitor, i: number): void {
  let at = i + 1
  while (at - i < 4 && lexico.PULA.has(wordAt(leitor, at))) at++
  const [found, isDenied] = [wordAt(leitor, at), wordAt(leitor, i + 1) === 'NAO']
  const isFound = lexico.ACHADO.has(found)
  if (isDenied && isFound) say(leitor, 'nadaDeve', i, at)
  const isThere = isFound || lexico.EM_ABERTO.has(found)
  if (!isDenied && isThere && !lexico.EVENTUAL.has(wordAt(leitor, i - 1))) say(leitor, 'deve', i, at)
}

function copulaBefore(leitor: Leitor, i: number): number {
  for (let at = i - 1; i - at < 6; at--) {
    const word = wordAt(leitor, at)
    if (lexico.FIM.has(word) || word === ':' || word === ',') return -1
    if (lexico.ESTAR.has(word) || lexico.TER.has(word)) return at
  }
  return -1
}

function isDenied(leitor: Leitor, i: number): boolean {
  const copula = copulaBefore(leitor, i)
  return wordAt(leitor, i - 1) === 'NAO' || (copula >= 0 && denialOf(leitor, copula) >= 0)
}

function readDevedor(leitor: Leitor, i: number): void {
  const before = wordAt(leitor, i - 1)
  const isDevedor = lexico.DEVEDOR.has(wordAt(leitor, i))
  if (i - leitor.condicao <= NEAR || wordAt(leitor, i + 1) === ':') return
  const isNamed = lexico.NOMEIA.has(before) && i - copulaBefore(leitor, i) !== 2
  const isCredor = before === 'E' && lexico.NOMEIA.has(wordAt(leitor, i - 2))
  if (!isDenied(leitor, i)) {
    if (!isNamed && !isCredor) say(leitor, 'deve', before === 'E' ? i - 1 : i, i)
  } else if (isDevedor) say(leitor, 'nadaDeve', i - 2, i)
}

/** `Não regular`, `não está em dia` mean debts. `Regular perante a Fazenda` means none. */
function readRegular(leitor: Leitor, i: number): void {
  const at = wordAt(leitor, i) === 'DIA' ? i - 1 : i
  const isOfTaxes = [1, 2, 3].some((ahead) => /^(?:PERANTE|JUNTO|COM)$/.test(wordAt(leitor, i + ahead)))
  if (isDenied(leitor, at) || isRefused(leitor, i)) say(leitor, 'deve', at - 1, i)
  else if (isOfTaxes && isSaid(leitor, at)) say(leitor, 'nadaDeve', at - 1, i)
}

/** Reads `Quite: NÃO`, and not `Regularidade: NÃO CONSTAM débitos`. */
const isRefused = (leitor: Leitor, i: number): boolean =>
  /[:?]/.test(wordAt(leitor, i + 1)) &&
  wordAt(leitor, i + 2) === 'NAO' &&
  !lexico.TER.has(wordAt(leitor, i + 3))

function isSaid(leitor: Leitor, i: number): boolean {
  const copula = copulaBefore(leitor, i)
  if (copula < 0 || i - leitor.condicao <= NEAR) return false
  return !lexico.DE_NINGUEM.has(wordAt(leitor, copula)) && wordAt(leitor, copula - 1) !== 'QUEM'
}

/** "Não constam débitos, salvo os parcelados" means debts. Every paper has "salvo o direito de cobrar". */
function readExcecao(leitor: Leitor, i: number): void {
  if (leitor.verbo?.negouDivida && wordAt(leitor, i + 2) !== 'DIREITO') say(leitor, 'deve', i, i)
}
