import type { PecaDaAmostra, PedidoDaAmostra } from '../platform/pages/amostras.ts'

type Palavra = readonly PecaDaAmostra[]

/** What a shell puts in the place of these: a variable, a file in base64, a new UUID. */
const LIDOS: readonly (readonly [RegExp, (name: string) => PecaDaAmostra])[] = [
  [/^\$(\w+)$/, (variavel) => ({ variavel })],
  [/^\$\(base64 < ([\w.-]+) \| tr -d '\\n'\)$/, (base64) => ({ base64 })],
  [/^\$\(uuidgen\)$/, () => ({ novo: 'uuid' })],
]

type Leitura = { comandos: Palavra[][]; palavra: Palavra | undefined; isQuoted: boolean }

/**
 * The words of each command of a line of commands, as a shell reads them. Undefined for what is more than
 * texts, variables and pipes.
 */
function readComandos(linha: string): Palavra[][] | undefined {
  let leitura: Leitura | undefined = { comandos: [[]], palavra: undefined, isQuoted: false }
  let rest = `${linha.trim().replace(/\\\n/g, ' ')}\n`
  while (leitura && rest !== '') {
    const { isQuoted }: Leitura = leitura
    const [whole = ''] = (isQuoted ? NAS_ASPAS : FORA).exec(rest) ?? []
    leitura = readPiece(whole, leitura)
    rest = rest.slice(whole.length)
  }
  return leitura?.isQuoted ? undefined : leitura?.comandos.filter((comando) => comando.length > 0)
}

const LIDA = String.raw`\$\w+|\$\([^)]*\)`
const NAS_ASPAS = new RegExp(`^(?:"|${LIDA}|\\\\[\\\\"$\`]|[^"$\`])`, 's')
const FORA = new RegExp(`^(?:\\s+|'[^']*'|"|\\||${LIDA}|\\\\.|[^$\`;&<>()'"|\\s])`, 's')

/** Reads on by one piece; undefined for one that is not known. */
function readPiece(piece: string, { comandos, palavra, isQuoted }: Leitura): Leitura | undefined {
  if (piece === '') return undefined
  if (piece === '"') return { comandos, palavra: palavra ?? [], isQuoted: !isQuoted }
  const ended = palavra ? [...comandos.slice(0, -1), [...(comandos.at(-1) ?? []), palavra]] : comandos
  if (!isQuoted && piece.trim() === '') return { comandos: ended, palavra: undefined, isQuoted }
  if (!isQuoted && piece === '|') return { comandos: [...ended, []], palavra: undefined, isQuoted }
  if (piece.startsWith('$')) {
    const made = LIDOS.flatMap(([padrao, make]) => {
      const found = padrao.exec(piece)
      return found ? [make(found[1] ?? '')] : []
    })
    return made.length > 0 ? { comandos, palavra: [...(palavra ?? []), ...made], isQuoted } : undefined
  }
  const isPlain = !isQuoted && piece.startsWith("'")
  const text = isPlain ? piece.slice(1, -1) : piece.replace(/^\\(?=.)/s, '')
  return { comandos, palavra: add(palavra, text), isQuoted }
}

/** A text joins the one before it. */
function add(palavra: readonly PecaDaAmostra[] = [], texto: string): PecaDaAmostra[] {
  const last = palavra.at(-1)
  return typeof last === 'string' ? [...palavra.slice(0, -1), last + texto] : [...palavra, texto]
}

const textoDe = (palavra: Palavra): string | undefined =>
  palavra.every((peca) => typeof peca === 'string') ? palavra.join('') : undefined

/** The call that a curl of the guide makes; undefined where it does more, as to count what comes. */
export function readCurl(codigo: string): PedidoDaAmostra | undefined {
  const comandos = readComandos(codigo)
  const [first, second] = comandos ?? []
  if (!first || comandos === undefined || comandos.length > 2) return undefined
  const [printed, curl] = second ? [first, second] : [undefined, first]
  if (textoDe(curl[0] ?? []) !== 'curl') return undefined
  let endereco = ''
  let data: string | undefined
  const cabecalhos: [string, Palavra][] = []
  for (let at = 1; at < curl.length; at++) {
    const option = textoDe(curl[at] ?? []) ?? ''
    if (option === '-s') continue
    if (option === '-H') cabecalhos.push(readCabecalho(curl[++at] ?? []))
    else if (option === '-d' || option === '--data-binary') data = textoDe(curl[++at] ?? [])
    else if (/^https?:/.test(option)) endereco = option
    else return undefined
  }
  const pedido = { endereco, cabecalhos: cabecalhos.filter(([nome]) => nome !== 'Content-Type') }
  if (data === undefined) return printed ? undefined : pedido
  const corpo = readCorpo(data, printed)
  return corpo && { ...pedido, corpo }
}

function readCabecalho([first = '', ...rest]: Palavra): [string, Palavra] {
  const [, nome = '', value = ''] = /^([^:]+): *(.*)$/s.exec(String(first)) ?? []
  return [nome, value === '' ? rest : [value, ...rest]]
}

function readCorpo(data: string, printed: readonly Palavra[] | undefined): PedidoDaAmostra['corpo'] {
  if (!printed) return data.startsWith('@') ? { arquivo: data.slice(1) } : readMembros(data, [])
  const [command, format, ...values] = printed
  if (data !== '@-' || textoDe(command ?? []) !== 'printf') return undefined
  return readMembros(textoDe(format ?? []) ?? '', values)
}

/** The members of a JSON text, in which each `%s` of a format is the next of these values. */
function readMembros(text: string, values: readonly Palavra[]): PedidoDaAmostra['corpo'] {
  const left = [...values]
  const isFormat = values.length > 0
  const json = isFormat ? text.replaceAll('\\\\', '\\').replaceAll('%%', '\\u0025') : text
  return Object.entries<unknown>(JSON.parse(json)).map(([nome, valor]) => {
    if (typeof valor === 'boolean') return [nome, valor]
    const [first = '', ...others] = isFormat ? String(valor).split('%s') : [String(valor)]
    const pieces = [first, ...others.flatMap((after): Palavra => [...(left.shift() ?? []), after])]
    const said = pieces.filter((piece) => piece !== '')
    return [nome, said.length > 0 ? said : ['']]
  })
}
