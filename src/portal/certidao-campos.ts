import { type DataAchada, endOfPrazo, listDatas, listPrazos, type Prazo } from './datas.ts'
import type { MolduraDaCertidao } from './rules-certidao.ts'

/** The day of issue and the last day of a certificate, AAAA-MM-DD. Empty if they are not read for certain. */
export type DatasDaCertidao = { emissao: string; validade: string }

type RotulosDeData = { emissao?: RegExp; validade?: RegExp }

type Parte = keyof DatasDaCertidao

type Rotulo = { parte: Parte; inicio: number; fim: number; data?: string }

const NEAR = 80

const MOST_DATAS = 60

/** No certificate of a state is valid for longer, so a date that is older than this is a law's or a birth. */
const LONGEST_DAYS = 366
const DAY_MS = 86_400_000

/** A PDF may give values before their labels: what no label proves is told by the order of time. */
function readDatas(text: string, proprios: RotulosDeData = {}): DatasDaCertidao {
  const listed = listDatas(text)
  if (listed.length > MOST_DATAS) return { emissao: '', validade: '' }
  const all = listed.filter(({ inicio }) => !isOfNorma(text, inicio))
  const achadas = all.filter(({ inicio }) => !isOfOther(text, inicio))
  const rotulos = listRotulos(text, achadas, proprios)
  const recent = recentOf(all)
  const dias = [...new Set(recent.filter((one) => achadas.includes(one)).map(({ data }) => data))].sort()
  const emissao = claimed(rotulos, 'emissao')
  const validade = claimed(rotulos, 'validade')
  const prazo = emissao === '' && dias.length > 1 ? undefined : prazoOf(text)
  if (emissao !== '' && validade !== '') return { emissao, validade }
  // A holder may be called NASCIMENTO, so a date that looks like another's may be the paper's own.
  if (recent.some(({ data }) => !dias.includes(data))) return { emissao, validade }
  const waits = (parte: Parte): boolean =>
    rotulos.some((one) => one.parte === parte && one.data === undefined)
  const [first = '', last = '', ...others] = dias
  if (others.length > 0 || first === '') return { emissao, validade }
  if (last !== '') return inOrder({ emissao, validade }, { first, last, waits })
  return alone(
    { emissao, validade },
    {
      dia: first,
      prazo,
      waits,
      hasHour: hasHour(text, achadas),
      names: (parte) => names(text, parte, proprios),
    },
  )
}

type Espera = (parte: Parte) => boolean

/** Two days: the earlier one is of issue, if each has a label that proves it or waits for it. */
function inOrder(
  { emissao, validade }: DatasDaCertidao,
  { first, last, waits }: { first: string; last: string; waits: Espera },
): DatasDaCertidao {
  if ((emissao === last && waits('validade')) || (validade === first && waits('emissao')))
    return { emissao: '', validade: '' }
  const isEmissao = emissao === first || waits('emissao')
  const isValidade = validade === last || waits('validade')
  if (isEmissao && isValidade) return { emissao: first, validade: last }
  return { emissao, validade }
}

/** One day: it is of issue if an hour stands beside it, or nothing else waits for it. */
function alone(
  { emissao, validade }: DatasDaCertidao,
  {
    dia,
    prazo,
    waits,
    hasHour,
    names,
  }: { dia: string; prazo: Prazo | undefined; waits: Espera; hasHour: boolean; names: Espera },
): DatasDaCertidao {
  if (validade !== '') return { emissao, validade }
  const isIssue = emissao !== '' || (waits('emissao') && (hasHour || !names('validade')))
  const issued = emissao || dia
  if (isIssue) return { emissao: issued, validade: prazo ? endOfPrazo(issued, prazo) : '' }
  return { emissao: '', validade: waits('validade') && !names('emissao') && !hasHour ? dia : '' }
}

const names = (text: string, parte: Parte, proprios: RotulosDeData): boolean =>
  proprios[parte] !== undefined ||
  (parte === 'emissao' ? /(?<![RD])EMISSAO|EMITID|EXPEDI/ : /(?<!IN)VALID(?:ADE|[AO]ATE)/).test(
    text.replaceAll(' ', ''),
  )

function claimed(rotulos: readonly Rotulo[], parte: Parte): string {
  const dias = new Set(rotulos.flatMap((one) => (one.parte === parte && one.data ? [one.data] : [])))
  const [dia = ''] = dias
  return dias.size === 1 ? dia : ''
}

/** A value or a word may be glued to the label (PE), so a label may begin after any character. */
const usuais: Readonly<Record<Parte, readonly RegExp[]>> = {
  emissao: [
    /DATA ?(?:E ?HORA ?)?D[AE] ?(?:EMISSAO|EXPEDICAO)\b ?:?/,
    /(?<!\bD[AE] ?)(?<![RD])EMISSAO ?:/,
    /(?<!R)(?:EMITID|EXPEDID)[AO](?: ?EM\b ?:?|\b)/,
    /LOCAL ?E ?DATA ?:/,
  ],
  validade: [
    /(?<!IN)VALID[AO] ?ATE\b ?:?/,
    /(?<!IN)(?:DATA ?D[AE] ?)?VALIDADE\b(?: D(?:A|ESTA|ESTE|O)? (?:CERTIDAO|DOCUMENTO))?/,
  ],
}

/** A verb has a date near, or says nothing of one ("emitida gratuitamente"). A label waits for its date. */
const isVerb = /(?:EMITID|EXPEDID)[AO]$|VALIDADE/

/** "A contar da data da emissão" has no date. */
const contado = /\b(?:CONT(?:AR|AD[AO]S?)|PARTIR|APOS|DESDE)(?: D[AE]S?)?(?: SUA)? ?$/

type Achado = { parte: Parte; inicio: number; fim: number; words: string }

function listRotulos(text: string, datas: readonly DataAchada[], proprios: RotulosDeData): Rotulo[] {
  const all = (['emissao', 'validade'] as const)
    .flatMap((parte) =>
      [...(proprios[parte] ? [proprios[parte]] : []), ...usuais[parte]].flatMap((label) =>
        [...text.matchAll(new RegExp(label.source, 'g'))].map(
          ({ index, 0: words }): Achado => ({ parte, inicio: index, fim: index + words.length, words }),
        ),
      ),
    )
    .filter(({ inicio }) => !contado.test(text.slice(Math.max(0, inicio - 30), inicio)))
    .toSorted((a, b) => a.inicio - b.inicio)
  return all.flatMap(({ words, ...rotulo }, at): Rotulo[] => {
    const { parte, fim } = rotulo
    const next = datas.find((data) => data.inicio >= fim)
    const between = next && text.slice(fim, next.inicio)
    const isOfIssue = next !== undefined && hasHour(text, [next])
    const isOwn =
      between !== undefined &&
      between.length <= NEAR &&
      fits[parte](between) &&
      !(parte === 'validade' && isOfIssue) &&
      !isInRun(text, rotulo, all.slice(Math.max(0, at - MOST_IN_RUN), at), datas) &&
      !hasValueBefore(text, rotulo, all.slice(Math.max(0, at - MOST_IN_RUN), at), datas)
    if (next && isOwn) return [{ ...rotulo, data: next.data }]
    return isVerb.test(words) && !/:/.test(words) && !waitsBare(text, fim, words) ? [] : [{ ...rotulo }]
  })
}

/** `Validade` may head a column. It waits unless a term follows ("90 (noventa) dias:", MA). */
const waitsBare = (text: string, fim: number, words: string): boolean =>
  words.startsWith('VALIDADE') &&
  listPrazos(text.slice(fim, fim + NEAR)).every((prazo) =>
    text
      .slice(fim + prazo.fim)
      .trimStart()
      .startsWith(':'),
  )

/** A sentence ends, or another label has its place, before the date. `DIAS: 08/10/2026` (MA) is no label. */
const cut = /[A-Z]{2}[.;!?] |(?<!\b(?:DIAS|MESES|AS|EM|DATA|HORAS?))(?<=[A-Z)]{2}) ?:/

/** Another value stands before the date: an hour is of issue, a longer number is of neither. */
const value = /\d{4}|\d[./-]\d/
const horario = /\d ?: ?\d/

const fits: Readonly<Record<Parte, (between: string) => boolean>> = {
  emissao: (between) => !/\bVALID/.test(between) && !cut.test(between) && !value.test(between),
  validade: (between) =>
    !value.test(between) &&
    !horario.test(between) &&
    !/EMI[ST]|CONTA[DR]|EXPEDI/.test(between) &&
    !cut.test(between.replace(/\(.*?\) ?:/g, '')),
}

const ends = /[A-Z)]{2}[.;!?] /

const MOST_IN_RUN = 4

/** Labels that follow each other without values: the value after the last one may be of any. */
function isInRun(
  text: string,
  { parte, inicio }: Omit<Achado, 'words'>,
  before: readonly Achado[],
  datas: readonly DataAchada[],
): boolean {
  if (
    /[A-Z)] ?: ?(?:CERTIDAO )?$|(?:VALIDA ?ATE|EMISSAO|VALIDADE|CERTIDAO Nº) ?$/.test(
      text.slice(Math.max(0, inicio - 40), inicio),
    )
  )
    return true
  return before.some(
    (other) =>
      other.parte !== parte &&
      other.fim <= inicio &&
      inicio - other.fim <= NEAR &&
      !ends.test(text.slice(other.fim, inicio)) &&
      !datas.some((data) => data.inicio >= other.fim && data.fim <= inicio),
  )
}

/** A date or an hour right before a label, which no label before it has, may be this label's value. */
function hasValueBefore(
  text: string,
  { inicio }: Omit<Achado, 'words'>,
  before: readonly Achado[],
  datas: readonly DataAchada[],
): boolean {
  const from = Math.max(0, inicio - 40)
  const glued = text.slice(from, inicio)
  const word = /[A-Z ]{0,12}$/.exec(glued)?.index ?? glued.length
  const hora = /(?:AS? ?)?\d{2}:\d{2}(?::\d{2})? ?$/.exec(glued.slice(0, word))
  const end = from + (hora?.index ?? word)
  const last = datas.findLast(({ fim }) => fim <= end)
  const isBeside = last !== undefined && /^[ ,-]*$/.test(text.slice(last.fim, end))
  if (!isBeside && !hora) return false
  const value = isBeside ? last.inicio : end
  const former = datas.findLast(({ fim }) => fim <= value)
  return !before.some(
    ({ fim }) =>
      fim <= value && fim >= Math.max(former?.fim ?? 0, value - NEAR) && !ends.test(text.slice(fim, value)),
  )
}

const deNorma =
  /\b(?:LEIS?|DECRETOS?|PORTARIAS?|RESOLUC(?:AO|OES)|INSTRUC(?:AO|OES)|NORMATIVAS?|CONVENIOS?|AJUSTES?|CODIGO TRIBUTARIO|CONFORME)\b(?:(?!\b(?:EMITID|EXPEDID|VALID|EMISSAO))[^:;()!?]){0,60}$/
const deOutroPrazo =
  /\b(?:NASCID[AO]S?|NASCIMENTO|ABERTURA|INSCRICAO|CADASTRO|CADASTRAMENTO|INICIO|SITUACAO|REFERENCIA|VENCIMENTO|PROTESTO|PROTOCOLO|CONSULTA|REQUERIMENTO|SOLICITACAO|PEDIDO|ATUALIZACAO|BAIXA|CONSTITUICAO)(?: [A-Z]+){0,3} ?:? ?(?:EM |NO DIA |AOS? )?$/
const deAlgo = /(?<!\b(?:DATA|DIA|PARTIR|VALIDADE|EMISSAO|EXPEDICAO) )\bDE ?$/

function isOfNorma(text: string, inicio: number): boolean {
  const norma = deNorma.exec(text.slice(Math.max(0, inicio - 100), inicio))
  return norma !== null && listDatas(norma[0]).length === 0
}

function isOfOther(text: string, inicio: number): boolean {
  const before = text.slice(Math.max(0, inicio - 100), inicio)
  return deOutroPrazo.test(before) || deAlgo.test(before)
}

function recentOf(datas: readonly DataAchada[]): DataAchada[] {
  const latest = Math.max(...datas.map(({ data }) => Date.parse(data)))
  return datas.filter(({ data }) => latest - Date.parse(data) <= LONGEST_DAYS * DAY_MS)
}

/** An hour beside its date is of issue: no certificate ends at an hour. */
const hasHour = (text: string, datas: readonly DataAchada[]): boolean =>
  datas.some(({ fim }) => /^(?: ?-| AS| A S)? ?\d{1,2}:\d{2}/.test(text.slice(fim, fim + 12)))

/** "Válida por 60 dias". Undefined if there are several, or a last day ("válida até"). */
function prazoOf(text: string): Prazo | undefined {
  if (usuais.validade[0]?.test(text)) return undefined
  const prazos = listPrazos(text).filter(
    ({ inicio, fim }) =>
      /\bVALID(?:A|O|ADE)\b[^.;]*$/.test(text.slice(Math.max(0, inicio - NEAR), inicio)) ||
      /^,? ?(?:CONTAD[AO]S?|A CONTAR|A PARTIR)\b/.test(text.slice(fim, fim + 20)),
  )
  const [first, ...others] = prazos
  const isSame = others.every(({ prazo }) => JSON.stringify(prazo) === JSON.stringify(first?.prazo))
  return isSame ? first?.prazo : undefined
}

/** Compared with one line of capitals without accents: `º` is every ordinal sign, `-` every dash. */
export type LayoutCertidao = MolduraDaCertidao & {
  /** The label of the number, and the number as its first group. */
  numero?: RegExp
  /** The form of the number, where one was seen. A text of this form is the number wherever it stands. */
  forma?: RegExp
  /** Its first group is the authenticity code. Only MT's answers have a field for it. */
  codigo?: RegExp
  /** The label before the date of issue. The date may have any form. */
  emissao?: RegExp
  validade?: RegExp
  verificacao?: string
}

/** `CERTIDÃO NEGATIVA DE DÉBITOS`, and not of the inscribed debts alone. */
const deDebitos =
  /CERTIDAO [^.:;]{0,90}?DE ?(?:DEBITOS?(?!S)|TRIBUTOS)(?! ?INSCRITOS? ?(?:EM|NA) ?DIVIDA)(?! ?(?:RELATIVOS? ?)?(?:A|AO|DE|DO) ?(?:IPVA|ITCM?D)\b)(?! (?:(?!E )[A-Z]+ ){0,3}D[AE] DIVIDA ATIVA)/

const deOutraCoisa =
  /CERTIDAO [^.:;]{0,60}?(?:D[AE]|(?<!NAO ?)INSCRIT[AO]S? ?(?:EM|NA)) ?DIVIDA ?ATIVA|NATUREZA ?NAO ?TRIBUTARIA|CERTIDAO ?(?:NEGATIVA ?)?(?:DE ?)?(?:BAIXA|DISTRIBUICAO|INSCRICAO|CADASTRO|PROTESTO)\b|DEBITOS? ?(?:RELATIVOS? ?)?(?:A|AO|DE|DO) ?(?:IPVA|ITCM?D)\b/

/** PI's attorney has a paper of the same look for inscribed debts alone (2026-04-08). */
export const isDeDebitos = (text: string, { titulo }: LayoutCertidao): boolean =>
  titulo?.test(text) || deDebitos.test(text) || !deOutraCoisa.test(text)

export type CamposDaCertidao = { numero: string; codigo: string; emissao: string; validade: string }

/** From one line, as `fold` gives it. `alheios` are the holder's numbers, never the certificate's. */
export const readCampos = (
  text: string,
  layout: LayoutCertidao,
  alheios: readonly string[] = [],
): CamposDaCertidao => ({
  numero: readNumero(text, layout, alheios),
  codigo: only(
    layout.codigo ? [...text.matchAll(everywhere(layout.codigo))].map(([, code = '']) => code) : [],
  ),
  ...readDatas(text, layout),
})

const everywhere = (wanted: RegExp): RegExp => new RegExp(wanted.source, 'g')

/** The value, if all are the same. Of two, one is another's. */
const only = (values: readonly string[]): string => (new Set(values).size === 1 ? (values[0] ?? '') : '')

const VALOR = String.raw` ?:? ?(\d[\d./-]*)`

/** The labels of a number, from those that name the certificate to those that may name anything. */
const rotulos = [
  new RegExp(String.raw`\bN(?:UMERO|R|º|O)?\.? ?(?:D[AE] )?CERTIDAO ?:? ?(?:Nº)?${VALOR}`),
  new RegExp(String.raw`\b(?:CERTIDAO|CND|CPEND|CPEN|CPN|CPD|CRF|CDT) ?(?:Nº|N\.º?|NO|NR\.?|NUMERO)${VALOR}`),
  new RegExp(String.raw`\b(?:NUMERO|Nº)${VALOR}`),
]

function readNumero(text: string, layout: LayoutCertidao, alheios: readonly string[]): string {
  const { numero, forma } = layout
  if (forma) {
    const found = [
      ...text.matchAll(new RegExp(String.raw`(?<![\dA-Z./-])(?:${forma.source})(?![\d/]|[.-]\d)`, 'g')),
    ]
    return only(found.map(([value]) => value).filter((value) => !alheios.includes(digitsOf(value))))
  }
  for (const label of numero ? [numero] : rotulos) {
    const found = [...text.matchAll(everywhere(label))].flatMap((match) => valueAt(text, match, alheios))
    if (found.length > 0) return only(found)
  }
  return ''
}

const digitsOf = (value: string): string => value.replace(/\D/g, '')

/** A number has at least so many digits. Fewer are of a term, an hour, a page or a process of the text. */
const SHORTEST = 4

function valueAt(text: string, match: RegExpExecArray, alheios: readonly string[]): string[] {
  const { index, 0: words, 1: written = '' } = match
  const value = written.replace(/[./-]+$/, '')
  const before = text.slice(Math.max(0, index - 60), index)
  const after = text.slice(index + words.length, index + words.length + 12)
  const isOther = deOutro.test(before) || isBeforeOther.test(after) || outraForma.test(value)
  const isShort = !/[A-Z]/.test(value) && digitsOf(value).length < SHORTEST
  return isOther || isShort || alheios.includes(digitsOf(value)) ? [] : [value]
}

const deOutro =
  /(?:\b(?:LEIS?|ART(?:IGO)?S?\.?|AUTOS?|LIVRO|FOLHAS?|CODIGO)|DECRETOS?|PORTARIAS?|RESOLUC(?:AO|OES)|INSTRUC(?:AO|OES)|NORMATIVAS?|CONJUNTA|PROCESSOS?|PROTOCOLO)[A-Z/]{0,20}(?: [A-Z/]{1,20}){0,3} ?$|[A-Z)] ?: ?$|\b(?:INSCRICAO ESTADUAL|CNPJ|CPF|CNPJ\/CPF|CEP|TELEFONE|NOME|RAZAO SOCIAL|EMISSAO|VALIDADE|AUTENTICIDADE|CODIGO) ?$/

/** What shows that the digits are of an hour, a term, a day in words, or of a longer text (`A N Z V`). */
const isBeforeOther =
  /^(?:[A-Z(:]| [A-Z\d](?: [A-Z\d])+(?![A-Z\d])| ?(?:\(|DIAS?\b|MES|DE ?\d|DE [A-Z]{4,9} |(?:JANEIRO|FEVEREIRO|MARCO|ABRIL|MAIO|JUNHO|JULHO|AGOSTO|SETEMBRO|OUTUBRO|NOVEMBRO|DEZEMBRO)))/

const outraForma =
  /\d{1,2}\/\d{1,2}\/\d{4}$|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$|\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{5}-\d{3}$/
