import { type Element, isTag } from 'domhandler'
import { lerTexto } from './lugar.ts'

/** A line of a fragment of XML, told from others by its place. */
type Linha = { texto: string; nivel: number; no: Element; chave: string }

const MAXIMO = 40

/**
 * The lines in which two notes differ, each within its elements and beside the fields that the check reads
 * together; `…` stands for what is left out. Both are short: for a page, not for a machine.
 */
export function mostrarTrecho(
  certo: string,
  errado: string,
  campos: readonly string[],
  escopo: string | undefined,
): { certo: string; errado: string } {
  const [a, b] = [linhasDe(certo), linhasDe(errado)]
  const [noA, noB] = [new Set(a.map(textoLocal)), new Set(b.map(textoLocal))]
  const mudadas = [...a.filter((l) => !noB.has(textoLocal(l))), ...b.filter((l) => !noA.has(textoLocal(l)))]
  const lidos = campos.map((campo) => campo.replace(/^\.\//, escopo ? `${escopo}/` : ''))
  const proprias = mudadas.filter(({ chave }) => !isDaChave(chave) || lidos.some((lido) => casa(lido, chave)))
  const vistas = (proprias.length > 0 ? proprias : mudadas).map(({ chave }) => chave)
  const diferem = new Set([...vistas, ...vistas.map(paiDe)])
  const itens = new Set(vistas.map(itemDe))
  const isParte = ({ chave, no }: Linha): boolean =>
    diferem.has(chave) ||
    (!no.children.some(isTag) &&
      itens.has(itemDe(chave)) &&
      lidos.slice(0, 10).some((lido) => casa(lido, chave)))
  const isRaizLida = vistas.includes('@Id') || lidos.some((lido) => lido.startsWith('@'))
  const [certas, erradas] = [a, b].map((linhas) =>
    linhas.map((linha) => (linha.chave === '@Id' && !isRaizLida ? { ...linha, texto: '<infNFe>' } : linha)),
  )
  return { certo: imprimir(certas ?? [], isParte), errado: imprimir(erradas ?? [], isParte) }
}

/** What follows from a change of the key's fields, and is shown only where the check is about it. */
const isDaChave = (chave: string): boolean => chave === '@Id' || chave === 'ide[1]/cDV[1]'

const itemDe = (chave: string): string => /^det\[\d+\]/.exec(chave)?.[0] ?? ''

const paiDe = (chave: string): string => chave.slice(0, Math.max(chave.lastIndexOf('/'), 0)) || '@Id'

const textoLocal = ({ chave, texto }: Linha): string => `${chave} ${texto}`

/** Whether a path of a check names the place, positions aside. */
function casa(lido: string, chave: string): boolean {
  const [passos, lugar] = [lido.split('/'), chave.replace(/\[\d+\]/g, '').split('/')]
  return passos.length === lugar.length && passos.every((passo, i) => passo === '*' || passo === lugar[i])
}

/** The elements of `infNFe` in their order, each with its own line; signature and namespaces are left out. */
function linhasDe(xml: string): Linha[] {
  const linhas: Linha[] = []
  const descer = (pai: Element, nivel: number, caminho: string): void => {
    const vezes = new Map<string, number>()
    for (const no of pai.children.filter(isTag)) {
      const vez = (vezes.get(no.name) ?? 0) + 1
      vezes.set(no.name, vez)
      const chave = `${caminho ? `${caminho}/` : ''}${no.name}[${vez}]`
      linhas.push({ texto: cabeca(no), nivel, no, chave })
      descer(no, nivel + 1, chave)
    }
  }
  const raiz = acharNFe(lerTexto(xml).children.filter(isTag))
  for (const no of raiz?.children.filter(isTag) ?? [])
    if (no.name === 'infNFe') {
      linhas.push({ texto: cabeca(no), nivel: 0, no, chave: '@Id' })
      descer(no, 1, '')
    } else if (no.name === 'infNFeSupl') {
      linhas.push({ texto: cabeca(no), nivel: 0, no, chave: 'infNFeSupl' })
      descer(no, 1, 'infNFeSupl')
    }
  return linhas
}

function acharNFe(nos: readonly Element[]): Element | undefined {
  for (const no of nos) {
    const achado = no.name === 'NFe' ? no : acharNFe(no.children.filter(isTag))
    if (achado) return achado
  }
  return undefined
}

/** The element on a line: with its text where it has no child elements. */
function cabeca(no: Element): string {
  const atributos = Object.entries(no.attribs)
    .filter(([nome]) => !nome.startsWith('xmlns'))
    .map(([nome, valor]) => ` ${nome}="${valor}"`)
    .join('')
  if (no.children.some(isTag)) return `<${no.name}${atributos}>`
  const texto = no.children.map((filho) => ('data' in filho ? String(filho.data) : '')).join('')
  return `<${no.name}${atributos}>${escapar(texto)}</${no.name}>`
}

const escapar = (texto: string): string =>
  texto.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Prints the chosen lines with the elements around them. */
function imprimir(linhas: readonly Linha[], isParte: (linha: Linha) => boolean): string {
  const mostrados = new Set<Element['parent']>()
  for (const linha of linhas.filter(isParte).slice(0, MAXIMO))
    for (let no: Element['parent'] = linha.no; no && 'name' in no && no.name !== 'NFe'; no = no.parent)
      mostrados.add(no)
  const saida: string[] = []
  const abertos: Linha[] = []
  const fechar = (nivel: number): void => {
    for (let aberto = abertos.at(-1); aberto && aberto.nivel >= nivel; aberto = abertos.at(-1)) {
      abertos.pop()
      saida.push(`${'  '.repeat(aberto.nivel)}</${aberto.no.name}>`)
    }
  }
  for (const linha of linhas) {
    fechar(linha.nivel)
    const recuo = '  '.repeat(linha.nivel)
    if (mostrados.has(linha.no)) {
      saida.push(`${recuo}${linha.texto}`)
      if (linha.no.children.some(isTag)) abertos.push(linha)
    } else if (mostrados.has(linha.no.parent) && saida.at(-1) !== `${recuo}…`) saida.push(`${recuo}…`)
  }
  fechar(0)
  return saida.join('\n')
}
