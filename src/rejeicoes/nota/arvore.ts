/** What is told of an XML while it is read, in its order. */
type Ouvinte = {
  /** An opening tag: its name as written, its attributes, and where it begins. */
  aoAbrir: (nome: string, atributos: Readonly<Record<string, string>>, inicio: number) => void
  /** A text, or a part of one, decoded. */
  aoTexto: (texto: string) => void
  /** The end of an element: where what follows it begins. */
  aoFechar: (fim: number) => void
  /** Each attribute, before its element opens. */
  aoAtributo: (nome: string) => void
}

const ESPACO = 32
const EXCLAMACAO = 33
const BARRA = 47
const MAIOR = 62
const INTERROGACAO = 63

// A tag may end with a blank, and the text behind it is no attribute.
const ATRIBUTO = /\s+([^\s=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** Most elements have none, so they share this one. */
const SEM_ATRIBUTOS: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/**
 * Reads the tags of a text that the parser took for well formed. A general parser looks at each character; a
 * note is mostly short texts between tags, which `indexOf` finds ten times as fast.
 */
export function lerEtiquetas(xml: string, { aoAbrir, aoTexto, aoFechar, aoAtributo }: Ouvinte): void {
  let onde = 0

  /** Where what begins at a tag and ends with a mark is over. */
  const depoisDe = (marca: string, inicio: number): number => {
    const achado = xml.indexOf(marca, inicio)
    return achado < 0 ? xml.length : achado + marca.length
  }

  /** A comment, a text that is not decoded, or a declaration. */
  function lerDeclaracao(inicio: number): number {
    if (xml.startsWith('<!--', inicio)) return depoisDe('-->', inicio + 4)
    if (!xml.startsWith('<![CDATA[', inicio)) return depoisDe('>', inicio)
    const fim = depoisDe(']]>', inicio + 9)
    aoTexto(xml.slice(inicio + 9, fim - 3))
    return fim
  }

  /** Leaves `onde` behind the last. */
  function lerAtributos(): Readonly<Record<string, string>> {
    let seus: Record<string, string> | undefined
    ATRIBUTO.lastIndex = onde
    for (let achado = ATRIBUTO.exec(xml); achado; achado = ATRIBUTO.exec(xml)) {
      const [, nome = '', entreAspas, entreApostrofos = ''] = achado
      aoAtributo(nome)
      // Attributes may have any name, such as `__proto__`.
      seus ??= Object.create(null) as Record<string, string>
      seus[nome] ??= decodificar(entreAspas ?? entreApostrofos)
      onde = ATRIBUTO.lastIndex
    }
    return seus ?? SEM_ATRIBUTOS
  }

  function lerAbertura(inicio: number): number {
    let fimDoNome = inicio + 1
    let sinal = xml.charCodeAt(fimDoNome)
    while (sinal > ESPACO && sinal !== MAIOR && sinal !== BARRA) sinal = xml.charCodeAt(++fimDoNome)
    onde = fimDoNome
    const atributos = sinal <= ESPACO ? lerAtributos() : SEM_ATRIBUTOS
    aoAbrir(xml.slice(inicio + 1, fimDoNome), atributos, inicio)
    const fim = depoisDe('>', onde)
    if (xml.charCodeAt(fim - 2) === BARRA) aoFechar(fim)
    return fim
  }

  for (let inicio = xml.indexOf('<'); inicio >= 0; inicio = xml.indexOf('<', onde)) {
    if (inicio > onde) aoTexto(decodificar(xml.slice(onde, inicio)))
    const sinal = xml.charCodeAt(inicio + 1)
    if (sinal === EXCLAMACAO) onde = lerDeclaracao(inicio)
    else if (sinal === INTERROGACAO) onde = depoisDe('?>', inicio)
    else if (sinal !== BARRA) onde = lerAbertura(inicio)
    else {
      onde = depoisDe('>', inicio)
      aoFechar(onde)
    }
  }
}

const NOMEADOS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodificar = (texto: string): string =>
  texto.includes('&')
    ? texto.replace(/&(?:#x([\da-fA-F]+)|#(\d+)|(amp|lt|gt|quot|apos));/g, (_tudo, hexa, decimal, nome) =>
        nome
          ? (NOMEADOS[nome] ?? '')
          : String.fromCodePoint(hexa ? Number.parseInt(hexa, 16) : Number(decimal)),
      )
    : texto

/** A value as it stands between tags, or in the quotes of an attribute. */
export const escapar = (valor: string): string =>
  valor.replace(
    /[&<>"']/g,
    (sinal) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[sinal] ?? sinal,
  )
