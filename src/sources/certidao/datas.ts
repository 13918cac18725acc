import {
  type DataAchada,
  endOfPrazo,
  listDatas,
  listPrazos,
  type Prazo,
} from '../../domain/texto/data-por-extenso.ts'

/** The day of issue and the last day of a certificate, AAAA-MM-DD. Empty if they are not read for certain. */
export type DatasDaCertidao = { emissao: string; validade: string }

/** The labels of a state that the usual ones do not cover. */
export type RotulosDeData = { emissao?: RegExp; validade?: RegExp }

type Parte = keyof DatasDaCertidao

/** A label of a date: its end, and the date that belongs to it alone. Without one it waits for a value. */
type Rotulo = { parte: Parte; inicio: number; fim: number; data?: string }

/** The longest distance between a label and its date. */
const NEAR = 80

/** No certificate of a state is valid for longer, so a date that is older than this is a law's or a birth. */
const LONGEST_DAYS = 366
const DAY_MS = 86_400_000

/**
 * Reads the dates of a certificate from its text on one line, as `fold` gives it. Extraction from a PDF may put
 * values before their labels, or after all of them: what no label proves is told by the order of time, if no
 * other date can be meant.
 */
export function readDatas(text: string, proprios: RotulosDeData = {}): DatasDaCertidao {
  const achadas = listDatas(text).filter(({ inicio }) => !isOfOther(text, inicio))
  const rotulos = listRotulos(text, achadas, proprios)
  const dias = [...new Set(recentOf(achadas).map(({ data }) => data))].sort()
  const emissao = claimed(rotulos, 'emissao')
  const validade = claimed(rotulos, 'validade')
  const prazo = emissao === '' && dias.length > 1 ? undefined : prazoOf(text)
  if (emissao !== '' && validade !== '') return { emissao, validade }
  const waits = (parte: Parte): boolean =>
    rotulos.some((one) => one.parte === parte && one.data === undefined)
  const [first = '', last = '', ...others] = dias
  if (others.length > 0 || first === '') return { emissao, validade }
  if (last !== '') return inOrder({ emissao, validade }, { first, last, waits })
  return alone({ emissao, validade }, { dia: first, prazo, waits, hasHour: hasHour(text, achadas) })
}

type Espera = (parte: Parte) => boolean

/** Two days: the earlier one is of issue, if each has a label that proves it or waits for it. */
function inOrder(
  { emissao, validade }: DatasDaCertidao,
  { first, last, waits }: { first: string; last: string; waits: Espera },
): DatasDaCertidao {
  // Each value stands before its label, or the paper contradicts itself.
  if ((emissao === last && waits('validade')) || (validade === first && waits('emissao')))
    return { emissao: '', validade: '' }
  const isEmissao = emissao === first || waits('emissao')
  const isValidade = validade === last || waits('validade')
  if (isEmissao && isValidade) return { emissao: first, validade: last }
  return { emissao, validade }
}

/** One day: it is of issue if the paper tells a term, or nothing else waits for it. */
function alone(
  { emissao, validade }: DatasDaCertidao,
  { dia, prazo, waits, hasHour }: { dia: string; prazo: Prazo | undefined; waits: Espera; hasHour: boolean },
): DatasDaCertidao {
  if (validade !== '') return { emissao, validade }
  const isIssue =
    emissao !== '' || (waits('emissao') && (prazo !== undefined || hasHour || !waits('validade')))
  const issued = emissao || dia
  if (isIssue) return { emissao: issued, validade: prazo ? endOfPrazo(issued, prazo) : '' }
  return { emissao: '', validade: waits('validade') && !waits('emissao') ? dia : '' }
}

/** The one day that the labels of a part have. Empty if they have none, or several. */
function claimed(rotulos: readonly Rotulo[], parte: Parte): string {
  const dias = new Set(rotulos.flatMap((one) => (one.parte === parte && one.data ? [one.data] : [])))
  const [dia = ''] = dias
  return dias.size === 1 ? dia : ''
}

/** A value may be glued to the label after it (PE), so a label may begin after a digit. */
const usuais: Readonly<Record<Parte, readonly RegExp[]>> = {
  emissao: [
    /(?<![A-Z])DATA (?:E HORA )?D[AE] (?:EMISSAO|EXPEDICAO)\b ?:?/,
    /(?<!HORA D[AE] )(?<!DATA D[AE] )(?<![A-Z])EMISSAO ?:/,
    /(?<![A-Z])(?:EMITID|EXPEDID)[AO]\b(?: EM\b ?:?)?/,
    /(?<![A-Z])LOCAL E DATA ?:/,
  ],
  validade: [
    /(?<![A-Z])VALID[AO] ATE\b ?:?/,
    /(?<![A-Z])(?:DATA D[AE] )?VALIDADE\b(?: D(?:A|ESTA|ESTE|O)? (?:CERTIDAO|DOCUMENTO))?/,
  ],
}

/** A verb has a date near, or says nothing of one ("emitida gratuitamente"). A label waits for its date. */
const isVerb = /(?:EMITID|EXPEDID)[AO]$|VALIDADE/

/** "A contar da data da emissão" has no date. */
const contado = /\b(?:CONT(?:AR|AD[AO]S?)|PARTIR|APOS|DESDE)(?: D[AE]S?)?(?: SUA)? ?$/

function listRotulos(text: string, datas: readonly DataAchada[], proprios: RotulosDeData): Rotulo[] {
  return (['emissao', 'validade'] as const).flatMap((parte) =>
    [...(proprios[parte] ? [proprios[parte]] : []), ...usuais[parte]].flatMap((label) =>
      [...text.matchAll(new RegExp(label.source, 'g'))].flatMap(({ index, 0: words }): Rotulo[] => {
        if (contado.test(text.slice(Math.max(0, index - 30), index))) return []
        const [inicio, fim] = [index, index + words.length]
        const next = datas.find((data) => data.inicio >= fim)
        const between = next && text.slice(fim, next.inicio)
        const isOwn =
          between !== undefined && between.length <= NEAR && fits[parte](between) && !isInRun(text, inicio)
        if (next && isOwn) return [{ parte, inicio, fim, data: next.data }]
        return isVerb.test(words) && !/:/.test(words) && !waitsBare(text, fim, words)
          ? []
          : [{ parte, inicio, fim }]
      }),
    ),
  )
}

/** `Validade` alone may be a heading of a column. It waits for a value unless a term follows it. */
const waitsBare = (text: string, fim: number, words: string): boolean =>
  words.startsWith('VALIDADE') && listPrazos(text.slice(fim, fim + NEAR)).length === 0

/** A sentence ends, or another label has its place, before the date. `DIAS: 08/10/2026` (MA) is no label. */
const cut = /[A-Z]{2}[.;!?] |(?<!\b(?:DIAS|MESES|AS|EM|DATA|HORAS?))(?<=[A-Z)]{2}) ?:/

const fits: Readonly<Record<Parte, (between: string) => boolean>> = {
  emissao: (between) => !/\bVALID/.test(between) && !cut.test(between),
  validade: (between) =>
    !/EMI[ST]|CONTA[DR]|EXPEDI/.test(between) && !cut.test(between.replace(/\(.*?\) ?:/g, '')),
}

/** Labels that follow each other without values: the value after the last one may be of any. */
const isInRun = (text: string, inicio: number): boolean =>
  /[A-Z)] ?: ?$|\b(?:VALIDA ATE|EMISSAO|VALIDADE|CERTIDAO Nº) ?$/.test(text.slice(0, inicio))

/** The date of a norm, of a birth or of something else that the paper names. */
const deNorma =
  /\b(?:LEIS?|DECRETOS?|PORTARIAS?|RESOLUC(?:AO|OES)|INSTRUC(?:AO|OES)|NORMATIVAS?|CONVENIOS?|AJUSTES?|CODIGO TRIBUTARIO|CONFORME)\b(?:(?!\b(?:EMITID|EXPEDID|VALID|EMISSAO))[^:;()!?]){0,60}$/
const deOutro =
  /\b(?:NASCID[AO]S?|NASCIMENTO|ABERTURA|INSCRICAO|CADASTRO|CADASTRAMENTO|INICIO|SITUACAO|REFERENCIA|VENCIMENTO|PROTESTO|PROTOCOLO|CONSULTA|REQUERIMENTO|SOLICITACAO|PEDIDO|ATUALIZACAO|BAIXA|CONSTITUICAO)(?: [A-Z]+){0,3} ?:? ?(?:EM |NO DIA |AOS? )?$/
const deAlgo = /(?<!\b(?:DATA|DIA|PARTIR|VALIDADE|EMISSAO|EXPEDICAO) )\bDE ?$/

function isOfOther(text: string, inicio: number): boolean {
  const before = text.slice(Math.max(0, inicio - 100), inicio)
  const norma = deNorma.exec(before)
  // The first date after a norm is the norm's. The next one is not.
  if (norma && listDatas(norma[0]).length === 0) return true
  return deOutro.test(before) || deAlgo.test(before)
}

/** Leaves out what is too old to be of a certificate that ends with the latest date. */
function recentOf(datas: readonly DataAchada[]): DataAchada[] {
  const latest = Math.max(...datas.map(({ data }) => Date.parse(data)))
  return datas.filter(({ data }) => latest - Date.parse(data) <= LONGEST_DAYS * DAY_MS)
}

/** An hour beside its date is of issue: no certificate ends at an hour. */
const hasHour = (text: string, datas: readonly DataAchada[]): boolean =>
  datas.some(({ fim }) => /^(?: ?-| AS| A S)? ?\d{1,2}:\d{2}/.test(text.slice(fim, fim + 12)))

/**
 * The term that counts from the day of issue: "Válida por 60 dias", or one that says so of itself. Undefined if
 * there is none, if there are several, or if the paper has a last day ("válida até").
 */
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
