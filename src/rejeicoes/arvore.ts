import { DiagnosticoRecusado } from './rules-laudo.ts'
import { lugarDe } from './verificacoes/campos.ts'

type Ouvinte = {
  onAbertura: (nome: string, atributos: Readonly<Record<string, string>>, inicio: number) => void
  onTexto: (texto: string) => void
  /** The end of an element: where what follows it begins. */
  onFecho: (fim: number) => void
  /** Each attribute, before its element opens. */
  onAtributo: (nome: string) => void
}

const ESPACO = 32
const EXCLAMACAO = 33
const BARRA = 47
const MAIOR = 62
const INTERROGACAO = 63

// A tag may end with a blank, and the text behind it is no attribute.
const ATRIBUTO = /\s+([^\s=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

const SEM_ATRIBUTOS: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** `indexOf` finds the short texts of a note ten times as fast as a parser that looks at each character. */
function readEtiquetas(xml: string, { onAbertura, onTexto, onFecho, onAtributo }: Ouvinte): void {
  let onde = 0

  const depoisDe = (marca: string, inicio: number): number => {
    const achado = xml.indexOf(marca, inicio)
    return achado < 0 ? xml.length : achado + marca.length
  }

  function readDeclaracao(inicio: number): number {
    if (xml.startsWith('<!--', inicio)) return depoisDe('-->', inicio + 4)
    if (!xml.startsWith('<![CDATA[', inicio)) return depoisDe('>', inicio)
    const fim = depoisDe(']]>', inicio + 9)
    onTexto(xml.slice(inicio + 9, fim - 3))
    return fim
  }

  /** Leaves `onde` behind the last. */
  function readAtributos(): Readonly<Record<string, string>> {
    let seus: Record<string, string> | undefined
    ATRIBUTO.lastIndex = onde
    for (let achado = ATRIBUTO.exec(xml); achado; achado = ATRIBUTO.exec(xml)) {
      const [, nome = '', entreAspas, entreApostrofos = ''] = achado
      onAtributo(nome)
      // Attributes may have any name, such as `__proto__`.
      seus ??= Object.create(null) as Record<string, string>
      seus[nome] ??= decode(entreAspas ?? entreApostrofos)
      onde = ATRIBUTO.lastIndex
    }
    return seus ?? SEM_ATRIBUTOS
  }

  function readAbertura(inicio: number): number {
    let fimDoNome = inicio + 1
    let sinal = xml.charCodeAt(fimDoNome)
    while (sinal > ESPACO && sinal !== MAIOR && sinal !== BARRA) sinal = xml.charCodeAt(++fimDoNome)
    onde = fimDoNome
    const atributos = sinal <= ESPACO ? readAtributos() : SEM_ATRIBUTOS
    onAbertura(xml.slice(inicio + 1, fimDoNome), atributos, inicio)
    const fim = depoisDe('>', onde)
    if (xml.charCodeAt(fim - 2) === BARRA) onFecho(fim)
    return fim
  }

  for (let inicio = xml.indexOf('<'); inicio >= 0; inicio = xml.indexOf('<', onde)) {
    if (inicio > onde) onTexto(decode(xml.slice(onde, inicio)))
    const sinal = xml.charCodeAt(inicio + 1)
    if (sinal === EXCLAMACAO) onde = readDeclaracao(inicio)
    else if (sinal === INTERROGACAO) onde = depoisDe('?>', inicio)
    else if (sinal !== BARRA) onde = readAbertura(inicio)
    else {
      onde = depoisDe('>', inicio)
      onFecho(onde)
    }
  }
}

const NOMEADOS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (texto: string): string =>
  texto.includes('&')
    ? texto.replace(/&(?:#x([\da-fA-F]+)|#(\d+)|(amp|lt|gt|quot|apos));/g, (_tudo, hexa, decimal, nome) =>
        nome
          ? (NOMEADOS[nome] ?? '')
          : String.fromCodePoint(hexa ? Number.parseInt(hexa, 16) : Number(decimal)),
      )
    : texto

export const escapeXml = (valor: string): string =>
  valor.replace(
    /[&<>"']/g,
    (sinal) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[sinal] ?? sinal,
  )

export type Elemento = {
  nome: string
  prefixo: string
  atributos: Readonly<Record<string, string>>
  filhos: Elemento[]
  texto: string
  pai: Elemento | undefined
  inicio: number
  fim: number
}

/** A note of 990 items has some 60,000. */
const MAIS_ELEMENTOS = 200_000

const MAIS_FUNDO = 40

/** Of one element. Writing a signature's text sorts them one by one. */
const MAIS_ATRIBUTOS = 50

/** Of one place, with a prefix. Each element that is written walks over those of its place. */
const MAIS_NAMESPACES = 50

/** Characters of a name. Every place and message below an element tells it. */
const MAIOR_NOME = 100

/** Reads a well-formed XML. Throws DiagnosticoRecusado where it is deeper or larger than a note may be. */
export function readArvore(xml: string, maisFundo = MAIS_FUNDO): Elemento {
  const raiz = newElemento('', '', {}, undefined, 0)
  const nomeDe = createNomes()
  let atual = raiz
  let quantos = 0
  let atributos = 0
  let declarados = 0
  /** The namespaces with a prefix that are declared at each level, from the root down. */
  const emCadaNivel: number[] = []
  let emEscopo = 0
  const refuseIf = (passa: boolean): void => {
    if (passa) throw new DiagnosticoRecusado('nao-e-nfe')
  }
  readEtiquetas(xml, {
    onAtributo: (nome) => {
      refuseIf(++atributos > MAIS_ATRIBUTOS || nome.length > MAIOR_NOME)
      if (nome.startsWith('xmlns:')) declarados++
    },
    onAbertura: (inteiro, seus, inicio) => {
      emEscopo += declarados
      emCadaNivel.push(declarados)
      refuseIf(++quantos > MAIS_ELEMENTOS || emCadaNivel.length > maisFundo)
      refuseIf(inteiro.length > MAIOR_NOME || emEscopo > MAIS_NAMESPACES)
      const { nome, prefixo } = nomeDe(inteiro)
      const elemento = newElemento(nome, prefixo, seus, atual, inicio)
      atributos = 0
      declarados = 0
      atual.filhos.push(elemento)
      atual = elemento
    },
    onTexto: (texto) => {
      // What stands between children is no text of the element.
      if (atual.filhos.length === 0) atual.texto += texto
    },
    onFecho: (fim) => {
      emEscopo -= emCadaNivel.pop() ?? 0
      atual.fim = fim
      if (atual.filhos.length > 0) atual.texto = ''
      atual = atual.pai ?? raiz
    },
  })
  return raiz
}

type Nome = Pick<Elemento, 'nome' | 'prefixo'>

/** Splits names. Equal ones are one text, which is compared at once with another. */
function createNomes(): (inteiro: string) => Nome {
  const lidos = new Map<string, Nome>()
  return (inteiro) => {
    const lido = lidos.get(inteiro)
    if (lido) return lido
    const corte = inteiro.indexOf(':')
    const nome = { nome: inteiro.slice(corte + 1), prefixo: inteiro.slice(0, Math.max(corte, 0)) }
    lidos.set(inteiro, nome)
    return nome
  }
}

const newElemento = (
  nome: string,
  prefixo: string,
  atributos: Elemento['atributos'],
  pai: Elemento | undefined,
  inicio: number,
): Elemento => ({ nome, prefixo, atributos, filhos: [], texto: '', pai, inicio, fim: inicio })

/** The first child of a name at each step of a path. */
export const descend = (elemento: Elemento | undefined, caminho: string): Elemento | undefined =>
  caminho
    .split('/')
    .reduce<Elemento | undefined>((pai, nome) => pai?.filhos.find((filho) => filho.nome === nome), elemento)

/** The 44 characters of the key in `Id`; null if there are not so many. */
export const chaveDe = ({ atributos }: Elemento): string | null =>
  /^NFe([0-9A-Z]{44})$/.exec(atributos.Id ?? '')?.[1] ?? null

export const caminhoDe = (elemento: Elemento, atributo: string | undefined): string =>
  [lugarDe(elemento), atributo && `@${atributo}`].filter(Boolean).join('/')

/** The element at a place of the note, as `det[5]/prod/NCM`; an attribute's element for `det[5]/@nItem`. */
export function findLugar(nfe: Elemento, caminho: string): Elemento | undefined {
  const passos = caminho.split('/').filter((passo) => passo !== '' && !passo.startsWith('@'))
  const infNFe = nfe.filhos.find(({ nome }) => nome === 'infNFe')
  const [primeiro = ''] = passos
  const inicio = primeiro === 'Signature' || primeiro === 'infNFeSupl' ? nfe : infNFe
  return passos.reduce<Elemento | undefined>((pai, passo) => {
    const [, nome = '', posicao = '1'] = /^([^[]+)(?:\[(\d+)\])?$/.exec(passo) ?? []
    return pai?.filhos.filter((filho) => filho.nome === nome)[Number(posicao) - 1]
  }, inicio)
}
