/** What the validator says is wrong, read from its English message. */
export type Queixa =
  | { tipo: 'padrao'; padrao: string }
  | { tipo: 'tamanho'; faceta: 'length' | 'minLength' | 'maxLength'; limite: string }
  | { tipo: 'lista'; valores: string[] }
  | { tipo: 'casas'; faceta: 'totalDigits' | 'fractionDigits'; limite: string }
  | { tipo: 'limite'; faceta: string; limite: string }
  | { tipo: 'tipo'; qual: string }
  | { tipo: 'fixo'; valor: string }
  | { tipo: 'inesperado'; esperados: string[] }
  | { tipo: 'faltam'; esperados: string[] }
  | { tipo: 'falta-atributo'; nome: string }
  | { tipo: 'atributo-desconhecido'; nome: string }
  | { tipo: 'texto-solto' }
  | { tipo: 'filhos-em-campo' }
  | { tipo: 'repetido' }
  | { tipo: 'sem-declaracao' }
  | { tipo: 'outra' }

/** Whom a message is about, and the facet that it names. */
const CABECA =
  /^Element '(?:\{[^}]*\})?[^']*'(?:, attribute '((?:\{[^}]*\})?[^']*)')?: (?:\[facet '(\w+)'\] )?/

/** The attribute that a message is about. Undefined if it is about the element. */
export const atributoDe = (mensagem: string): string | undefined =>
  CABECA.exec(mensagem)?.[1]?.replace(/^\{[^}]*\}/, '')

/** Messages of libxml2's xmlschemas.c that quote no value, whole. */
const frases: readonly (readonly [RegExp, (parte: string) => Queixa])[] = [
  [
    /^This element is not expected\.(?: Expected is (.*)\.)?$/s,
    (nomes) => ({ tipo: 'inesperado', esperados: lerNomes(nomes) }),
  ],
  [
    /^Missing child element\(s\)\. Expected is (.*)\.$/s,
    (nomes) => ({ tipo: 'faltam', esperados: lerNomes(nomes) }),
  ],
  [/^The attribute '([^']*)' is required but missing\.$/, (nome) => ({ tipo: 'falta-atributo', nome })],
  [/^The attribute '([^']*)' is not allowed\.$/, (nome) => ({ tipo: 'atributo-desconhecido', nome })],
  [/^Character content (?:other than whitespace )?is not allowed/, () => ({ tipo: 'texto-solto' })],
  [/^Element content is not allowed/, () => ({ tipo: 'filhos-em-campo' })],
  [/^Duplicate (?:key-sequence|ID) /, () => ({ tipo: 'repetido' })],
  [/^No matching global (?:element )?declaration/, () => ({ tipo: 'sem-declaracao' })],
]

/** What stands between a mark and the end of a message. */
type Marca = { marca: string; fim: string; ler: (dentro: string, faceta: string) => Queixa }

/** Messages that quote a value, which may hold any text: what is said of it stands behind the last mark. */
const marcas: readonly Marca[] = [
  { marca: " is not accepted by the pattern '", fim: "'.", ler: (padrao) => ({ tipo: 'padrao', padrao }) },
  {
    marca: " length of '",
    fim: "'.",
    ler: (limite, faceta) => ({
      tipo: 'tamanho',
      faceta: faceta === 'length' || faceta === 'minLength' ? faceta : 'maxLength',
      limite,
    }),
  },
  {
    marca: ' is not an element of the set {',
    fim: '}.',
    ler: (conjunto) => ({
      tipo: 'lista',
      valores: conjunto.split(', ').map((valor) => valor.replace(/^'|'$/g, '')),
    }),
  },
  {
    marca: " digits than are allowed ('",
    fim: "').",
    ler: (limite, faceta) => ({
      tipo: 'casas',
      faceta: faceta === 'totalDigits' ? faceta : 'fractionDigits',
      limite,
    }),
  },
  {
    marca: " value allowed ('",
    fim: "').",
    ler: (limite, faceta) => ({ tipo: 'limite', faceta, limite }),
  },
  {
    marca: ' is not a valid value of the ',
    fim: '.',
    ler: (tipo) => ({
      tipo: 'tipo',
      qual: /^[a-z ]+ type '(?:xs:|\{[^}]*\})?([^']*)'$/.exec(tipo)?.[1] ?? '',
    }),
  },
  {
    marca: " does not match the fixed value constraint '",
    fim: "'.",
    ler: (valor) => ({ tipo: 'fixo', valor }),
  },
]

/**
 * Reads a message of the validator, whose patterns are told as the official schema writes them. It walks
 * over the message a fixed number of times, whatever the value in it holds.
 */
export function lerQueixa(mensagem: string, padraoOficial: (padrao: string) => string): Queixa {
  const [cabeca = '', , faceta = ''] = CABECA.exec(mensagem) ?? []
  const corpo = mensagem.slice(cabeca.length).trimEnd()
  for (const [forma, ler] of frases) {
    const achado = forma.exec(corpo)
    if (achado) return ler(achado[1] ?? '')
  }
  const queixa = lerDoValor(corpo, faceta)
  return queixa.tipo === 'padrao' ? { ...queixa, padrao: padraoOficial(queixa.padrao) } : queixa
}

function lerDoValor(corpo: string, faceta: string): Queixa {
  const achadas = marcas.map((uma) => ({ ...uma, onde: corpo.lastIndexOf(uma.marca) }))
  const ultima = achadas.reduce((maior, uma) => (uma.onde > maior.onde ? uma : maior))
  if (ultima.onde < 0 || !corpo.endsWith(ultima.fim)) return { tipo: 'outra' }
  return ultima.ler(corpo.slice(ultima.onde + ultima.marca.length, -ultima.fim.length), faceta)
}

/** The local names of `( {ns}a, {ns}b )`. */
const lerNomes = (texto: string): string[] => {
  const nomes = texto
    .replace(/^one of /, '')
    .replace(/^\(\s*|\s*\)$/g, '')
    .split(', ')
  return nomes.map((nome) => nome.replace(/^.*\}/, '').trim()).filter((nome) => nome !== '')
}
