/** The label of a holder's name, as certificates print it. BA's has no colon, so it opens its line. */
const ROTULO =
  /(?:\b(?:NOME|RAZAO ?SOCIAL|IDENTIFICACAO)(?: ?[/(] ?(?:NOME ?EMPRESARIAL|RAZAO ?SOCIAL) ?\)?)? ?:|(?:^|(?<=\d ))RAZAO ?SOCIAL(?! ?[/:(]))[^\S\n]*/gm

const SEGUE =
  /(?:CNPJ|CPF)[/A-Z ]{0,12} ?(?:: ?$|:? ?(?:[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}|(?=[\dA-Z*./]*\d)[\dA-Z*]{2,3}[.\d*]))|\bCPF\/CNPJ NAO|INSCRICAO ?ESTADUAL|\bESTABELECIMENTO INSCRITO|\bCACEAL ?:|R\.G\. ?:|\bDESPACHO ?[:(]|\bRESSALVADO O|\bE? ?CERTIFICADO QUE|\bCERTIFIC(?:A|O|AMOS) ?QUE|\bCERTIFICAMOS\b|\bCERTIFICA ?- ?SE\b/

/** No name is longer. A longer stretch may hold words of the authority. */
const LONGEST = 170

const SENTENCE = /[A-Z]{3}[.;!?](?=\s|$)/

/** Full from the first length, or where the next word would pass the second. A4 has some 64 capitals. */
const [FULL, WIDEST] = [55, 58]
const isFull = (length: number, nextWord: string): boolean =>
  length >= FULL || length + 1 + nextWord.length > WIDEST
const goesOn = /^\n[^\S\n]*([A-Z0-9][^\s:.;!?]*)[^\n:.;!?]{0,100}(?=\n)/

/** Writes X for the holder's name: a firm may be called `Nada Consta`. A name without an end stays. */
export const withoutNome = (folded: string): string =>
  withX(folded, ROTULO, (text, from, at) => (from < at ? at : endOfNome(text, from)))

function withX(
  folded: string,
  labels: RegExp,
  endOf: (text: string, from: number, at: number) => number,
): string {
  const text = folded.replace(/[^\S\n]+/g, ' ')
  let [masked, at] = ['', 0]
  for (const { index, 0: label } of text.matchAll(labels)) {
    const from = Math.max(at, index + label.length)
    const to = Math.max(from, endOf(text, index + label.length, at))
    masked += text.slice(at, from) + text.slice(from, to).replace(/\S/g, 'X')
    at = to
  }
  return masked + text.slice(at)
}

function endOfNome(text: string, from: number): number {
  const rest = text.slice(from, from + 2 * LONGEST)
  const line = /^[^\n]*/.exec(rest)?.[0] ?? ''
  const next = SEGUE.exec(line)?.index
  const isWhole = next !== undefined || rest.length > line.length
  const nome = line.slice(0, next)
  if (!isWhole || nome.length > LONGEST || SENTENCE.test(nome)) return from
  return next === undefined ? endOfLines(text, from, from + line.length) : from + nome.length
}

function endOfLines(text: string, from: number, at: number): number {
  const length = at - Math.max(from, text.lastIndexOf('\n', at - 1) + 1)
  const [more = '', word = ''] = goesOn.exec(text.slice(at, at + LONGEST)) ?? []
  const isName =
    more !== '' && isFull(length, word) && at + more.length - from <= LONGEST && !SEGUE.test(more)
  return isName ? endOfLines(text, from, at + more.length) : at
}

/** What a name may stand after: its label, or the document that opens its line (MT). */
const ANTES = new RegExp(`${ROTULO.source}|\\b(?:CNPJ|CPF)[/A-Z ]{0,12}: ?[0-9A-Z*./-]{11,20}(?= )`, 'gm')

const LINES = 4

/** Writes X for all that may be of a name. It only proves which words stand in no name. */
export function withoutDuvida(folded: string): string {
  // Labels of one line share its end, which is looked for once.
  let lineEnd = -1
  return withX(folded, ANTES, (text, from) => {
    if (lineEnd < from) {
      const next = text.indexOf('\n', from)
      lineEnd = next < 0 ? text.length : next
    }
    return endOfDuvida(text, from, lineEnd)
  })
}

/** In a line too long for a name, the last words that may follow one. */
function endOfDuvida(text: string, from: number, lineEnd: number): number {
  const line = text.slice(from, Math.min(lineEnd, from + 2 * LONGEST))
  const segue = lastSegue(line)
  if (line.length > LONGEST) return segue === undefined ? lineEnd : from + segue
  let [to, last] = [lineEnd, segue === undefined ? line : '']
  const next = text.slice(lineEnd + 1, lineEnd + 1 + LINES * LONGEST).split('\n')
  for (const more of next.slice(0, LINES - 1)) {
    const [word = ''] = /\S+/.exec(more) ?? []
    if (last === '' || !isFull(last.length, word) || more.length > LONGEST) break
    if (lastSegue(more) !== undefined) break
    to += 1 + more.length
    last = more
  }
  return to
}

/** Words may come glued, so these stand anywhere. */
const SEGUE_COLADO = new RegExp(SEGUE.source.replaceAll('\\b', ''), 'g')
const lastSegue = (text: string): number | undefined => [...text.matchAll(SEGUE_COLADO)].at(-1)?.index

/** A CNPJ with letters, and a control code of the Receita Federal. Their letters may spell words (`HA8`). */
const CODIGO =
  /(?<![0-9A-Z])[0-9A-F]{4}(?:\.[0-9A-F]{4}){3}(?![0-9A-F])|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d\d|(?<=CNPJ ?: ?)(?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}|[0-9A-Z]{12}\d\d)/g

export const withoutLetras = (text: string): string =>
  text.replace(CODIGO, (codigo) => codigo.replace(/[A-Z]/g, '0'))
