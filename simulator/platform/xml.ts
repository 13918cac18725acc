/** An element as it stands in the text, with where it and its content begin and end there. */
export type Elemento = {
  nome: string
  prefixo: string
  namespace: string
  atributos: Record<string, string>
  filhos: Elemento[]
  texto: string
  inicio: number
  fim: number
  conteudo: { inicio: number; fim: number }
  /** Namespaces in force by prefix; '' is the default one. */
  espacos: Record<string, string>
}

/** A mark that is never closed goes on to the end: to look for its end at each mark would take minutes. */
const MARCA =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|(<!\[CDATA\[|<!--|<\?)[\s\S]*$|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g
const ATRIBUTO = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** No message nests its elements this deep. */
const PROFUNDIDADE = 100
const ENTIDADES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

/** Undefined when it is not well formed. Parsers do not keep the text that rules 404, 587 and 588 judge. */
export function readXml(xml: string): Elemento | undefined {
  const topo = createElemento('', '', {}, 0, 0)
  const pilha = [topo]
  let lido = 0
  for (const marca of xml.matchAll(MARCA)) {
    const [tudo, cdata = '', semFim, fecha, nome, atributos = '', vazio] = marca
    const aberto = pilha.at(-1)
    if (semFim || pilha.length > PROFUNDIDADE || isErrada(tudo, marca.index, atributos)) return undefined
    if (!aberto || !append(aberto, xml.slice(lido, marca.index))) return undefined
    aberto.texto += cdata
    lido = marca.index + tudo.length
    if (nome === undefined) continue
    if (fecha) {
      if (aberto === topo || nomeInteiro(aberto) !== nome) return undefined
      aberto.conteudo.fim = marca.index
      aberto.fim = lido
      pilha.pop()
    } else {
      const filho = createElemento(nome, atributos, aberto.espacos, marca.index, lido)
      aberto.filhos.push(filho)
      if (!vazio) pilha.push(filho)
    }
  }
  const inteiro = pilha.length === 1 && append(topo, xml.slice(lido)) && topo.texto.trim() === ''
  return inteiro && topo.filhos.length === 1 ? topo.filhos[0] : undefined
}

/** A late XML declaration, or an attribute twice (XML 1.0, 2.8 and 3.1). */
function isErrada(marca: string, indice: number, atributos: string): boolean {
  const nomes = Array.from(atributos.matchAll(ATRIBUTO), ([, nome]) => nome)
  return (indice > 0 && /^<\?xml\s/i.test(marca)) || new Set(nomes).size < nomes.length
}

export const walk = (elemento: Elemento): Elemento[] => [elemento, ...elemento.filhos.flatMap(walk)]

export const escapeXml = (texto: string): string =>
  texto.replace(/[&<>"]/g, (letra) => `&#${letra.charCodeAt(0)};`)

/** A copy of the text. As V8 slices strings, keeping a piece of a document would keep the whole document. */
export const detach = (texto: string): string => Buffer.from(texto).toString()

function createElemento(
  inteiro: string,
  texto: string,
  herdados: Record<string, string>,
  inicio: number,
  fim: number,
): Elemento {
  const atributos: Record<string, string> = {}
  const espacos = { ...herdados }
  for (const [, nome = '', aspas, apostrofos = ''] of texto.matchAll(ATRIBUTO)) {
    const valor = solve(aspas ?? apostrofos) ?? ''
    atributos[nome] = valor
    if (nome === 'xmlns' || nome.startsWith('xmlns:')) espacos[nome.slice(6)] = valor
  }
  const [nome = '', prefixo = ''] = inteiro.split(':').reverse()
  const namespace = espacos[prefixo] ?? ''
  const conteudo = { inicio: fim, fim }
  return { nome, prefixo, namespace, atributos, filhos: [], texto: '', inicio, fim, conteudo, espacos }
}

const nomeInteiro = ({ prefixo, nome }: Elemento): string => (prefixo ? `${prefixo}:${nome}` : nome)

/** Adds text to an element; false when it holds what only markup or an entity may. */
function append(elemento: Elemento, texto: string): boolean {
  const resolvido = texto.includes('<') ? undefined : solve(texto)
  elemento.texto += resolvido ?? ''
  return resolvido !== undefined
}

function solve(texto: string): string | undefined {
  let valido = true
  const resolvido = texto.replace(/&([^;&\s]*;?)/g, (_, entidade: string) => {
    const letra = solveEntidade(entidade)
    valido &&= letra !== undefined
    return letra ?? ''
  })
  return valido ? resolvido : undefined
}

function solveEntidade(entidade: string): string | undefined {
  const [, hexa, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}));$/i.exec(entidade) ?? []
  if (hexa === undefined && decimal === undefined) return ENTIDADES.get(entidade.slice(0, -1))
  const codigo = hexa === undefined ? Number(decimal) : Number.parseInt(hexa, 16)
  return codigo > 0 && codigo <= 0x10ffff ? String.fromCodePoint(codigo) : undefined
}

/** An element with a text or elements in it; none when undefined. The name may carry attributes. */
export type Campo = readonly [nome: string, valor: string | Campos | undefined]

export type Campos = readonly Campo[] | { readonly [nome: string]: string | Campos | undefined }

/** The namespace of everything about an NF-e. */
export const NFE = 'http://www.portalfiscal.inf.br/nfe'

const isLista = (campos: Campos): campos is readonly Campo[] => Array.isArray(campos)

/** Elements as Canonical XML writes them: no white space between tags, no short form (C14N 1.0, 1.1). */
export const writeCampos = (campos: Campos): string =>
  (isLista(campos) ? campos : Object.entries(campos)).map(writeCampo).join('')

function writeCampo([nome, valor]: Campo): string {
  if (valor === undefined) return ''
  const conteudo = typeof valor === 'string' ? escapeTexto(valor) : writeCampos(valor)
  return `<${nome}>${conteudo}</${nome.split(' ')[0]}>`
}

const escapeTexto = (texto: string): string =>
  texto.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
