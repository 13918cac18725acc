import { readFileSync, writeFileSync } from 'node:fs'
import { type Element, isTag } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { escreverLinhas, lerTabela, PASTA } from './tabelas.ts'

/** The package of official schemas whose annotations give the labels. */
const XSD = new URL('../../data/xsd/PL_010b_V1.30/', import.meta.url)

const lerXsd = (nome: string): Element[] =>
  filhos(parseDocument(readFileSync(new URL(nome, XSD), 'utf8'), { xmlMode: true }).children)

const filhos = (nos: readonly unknown[]): Element[] => nos.filter((no): no is Element => isElemento(no))

const isElemento = (no: unknown): no is Element =>
  typeof no === 'object' && no !== null && 'type' in no && no.type === 'tag'

/** Words that the annotations of the schema misspell. */
const GRAFIAS: readonly [RegExp, string][] = [
  [/(?<=\b[Aa])liquota/g, 'líquota'],
  [/Base de Calculo/g, 'base de cálculo'],
  [/(?<=Tribut)ção/g, 'ação'],
  [/substituicao tributaria/g, 'substituição tributária'],
  [/(?<=\bC)odigo/g, 'ódigo'],
  [/(?<=\bN)umero/g, 'úmero'],
  [/suspenção/g, 'suspensão'],
]

/** The label of a field: the first words of its annotation, without formats and lists of values. */
export function encurtar(anotacao: string): string {
  const [inicio = ''] = GRAFIAS.reduce((texto, [errada, certa]) => texto.replace(errada, certa), anotacao)
    .replace(/\s+/g, ' ')
    .trim()
    .split(
      /[.;:(,]| - | – |\bno formato\b|\bObs\b|\bUtilizar\b|\bInformar\b|\bPreencher\b|\bex\.|\b\d\s?[-=–]/,
    )
  const curto = inicio.trim().replace(/[\s\-–=]+$/, '')
  return curto.length > 90 ? '' : curto.charAt(0).toUpperCase() + curto.slice(1)
}

const textoDe = (elemento: Element): string =>
  elemento.children.map((no) => (isTag(no) ? textoDe(no) : 'data' in no ? String(no.data) : '')).join('')

const anotacaoDe = (elemento: Element): string =>
  filhos(elemento.children)
    .filter(({ name }) => name === 'xs:annotation')
    .map(textoDe)
    .join(' ')

/** Walks the layout from `infNFe` and tells each path with its label. */
function percorrer(tipos: ReadonlyMap<string, Element>): Map<string, string> {
  const rotulos = new Map<string, string>()
  const descer = (no: Element, caminho: string): void => {
    for (const filho of filhos(no.children)) {
      const { name, type } = filho.attribs
      if (filho.name === 'xs:element' || filho.name === 'xs:attribute') {
        const passo = filho.name === 'xs:attribute' ? `@${name}` : name
        const onde = caminho ? `${caminho}/${passo}` : `${passo}`
        if (name) rotulos.set(onde, rotulos.get(onde) || encurtar(anotacaoDe(filho)))
        const tipo = tipos.get(type ?? '')
        if (tipo) descer(tipo, onde)
        descer(filho, onde)
      } else if (filho.name === 'xs:extension') {
        const base = tipos.get(filho.attribs.base ?? '')
        if (base) descer(base, caminho)
        descer(filho, caminho)
      } else if (filho.name !== 'xs:annotation') descer(filho, caminho)
    }
  }
  const raiz = tipos.get('TNFe')
  if (raiz) descer(raiz, '')
  return rotulos
}

/** Groups of which a note holds one: `*` stands for it. */
const ESCOLHAS = /^det\/imposto\/(ICMS|PIS|COFINS)\/\w+(?=\/)/

/**
 * The table `campos.csv`: every field of the NF-e layout by its path from `infNFe`. Labels come from the
 * annotations of the schema; those of `rotulos.csv`, written by hand, go before them and add other documents.
 */
export function fazerCampos(): string {
  const elementos = ['leiauteNFe_v4.00.xsd', 'DFeTiposBasicos_v1.00.xsd'].flatMap(lerXsd)
  const tipos = new Map(
    elementos
      .flatMap((raiz) => filhos(raiz.children))
      .filter(({ name }) => name === 'xs:complexType')
      .map((tipo) => [tipo.attribs.name ?? '', tipo]),
  )
  const rotulos = new Map<string, string>()
  for (const [inteiro, rotulo] of percorrer(tipos)) {
    const caminho = inteiro.replace(/^infNFe\//, '')
    rotulos.set(caminho, rotulo)
    const qualquer = caminho.replace(ESCOLHAS, 'det/imposto/$1/*')
    if (!rotulos.get(qualquer)) rotulos.set(qualquer, rotulo)
  }
  for (const { caminho, rotulo } of lerTabela('rotulos.csv', ['caminho', 'rotulo']))
    rotulos.set(caminho, rotulo)
  const linhas = [...rotulos].sort(([a], [b]) => (a < b ? -1 : 1))
  return escreverLinhas([
    ['caminho', 'rotulo'],
    ...linhas.map(([caminho, rotulo]) => [caminho, rotulo || (caminho.split('/').at(-1) ?? '')]),
  ])
}

if (import.meta.main) writeFileSync(new URL('campos.csv', PASTA), fazerCampos())
