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

/** The attribute that a message is about. Undefined if it is about the element. */
export const atributoDe = (mensagem: string): string | undefined =>
  /^Element '[^']*', attribute '([^']*)'/.exec(mensagem)?.[1]?.replace(/^\{[^}]*\}/, '')

type Leitura = readonly [RegExp, (partes: readonly string[]) => Queixa]

/** Messages of libxml2's xmlschemas.c. A value may hold any text, so each is matched by its end. */
const leituras: readonly Leitura[] = [
  [
    /This element is not expected\.(?: Expected is (.*)\.)?\s*$/s,
    ([nomes = '']) => ({ tipo: 'inesperado', esperados: lerNomes(nomes) }),
  ],
  [
    /Missing child element\(s\)\. Expected is (.*)\.\s*$/s,
    ([nomes = '']) => ({ tipo: 'faltam', esperados: lerNomes(nomes) }),
  ],
  [
    /\[facet 'pattern'\].* is not accepted by the pattern '(.*)'\.\s*$/s,
    ([padrao = '']) => ({ tipo: 'padrao', padrao }),
  ],
  [
    /\[facet '(length|minLength|maxLength)'\].* (?:minimum |maximum )?length of '(\d+)'\.\s*$/s,
    ([faceta = '', limite = '']) => ({
      tipo: 'tamanho',
      faceta: faceta === 'length' || faceta === 'minLength' ? faceta : 'maxLength',
      limite,
    }),
  ],
  [
    /\[facet 'enumeration'\].* is not an element of the set \{(.*)\}\.\s*$/s,
    ([conjunto = '']) => ({
      tipo: 'lista',
      valores: conjunto.split(', ').map((valor) => valor.replace(/^'|'$/g, '')),
    }),
  ],
  [
    /\[facet '(totalDigits|fractionDigits)'\].* '(\d+)'\.\s*$/s,
    ([faceta = '', limite = '']) => ({
      tipo: 'casas',
      faceta: faceta === 'totalDigits' ? faceta : 'fractionDigits',
      limite,
    }),
  ],
  [
    /\[facet '((?:min|max)(?:In|Ex)clusive)'\].*\('?([^')]*)'?\)\.\s*$/s,
    ([faceta = '', limite = '']) => ({ tipo: 'limite', faceta, limite }),
  ],
  [
    /is not a valid value of the (?:atomic|local atomic|list|union) type(?: '(?:xs:|\{[^}]*\})?([^']*)')?\.\s*$/s,
    ([qual = '']) => ({ tipo: 'tipo', qual }),
  ],
  [/does not match the fixed value constraint '(.*)'\.\s*$/s, ([valor = '']) => ({ tipo: 'fixo', valor })],
  [
    /The attribute '([^']*)' is required but missing\.\s*$/s,
    ([nome = '']) => ({ tipo: 'falta-atributo', nome }),
  ],
  [
    /The attribute '([^']*)' is not allowed\.\s*$/s,
    ([nome = '']) => ({ tipo: 'atributo-desconhecido', nome }),
  ],
  [/Character content (?:other than whitespace )?is not allowed.*$/s, () => ({ tipo: 'texto-solto' })],
  [/Element content is not allowed.*$/s, () => ({ tipo: 'filhos-em-campo' })],
  [/Duplicate key-sequence .*$|Duplicate ID .*$/s, () => ({ tipo: 'repetido' })],
  [/No matching global (?:element )?declaration.*$/s, () => ({ tipo: 'sem-declaracao' })],
]

/** Reads a message of the validator, whose patterns are told as the official schema writes them. */
export function lerQueixa(mensagem: string, padraoOficial: (padrao: string) => string): Queixa {
  for (const [forma, ler] of leituras) {
    const achado = forma.exec(mensagem)
    if (!achado) continue
    const queixa = ler(achado.slice(1))
    return queixa.tipo === 'padrao' ? { ...queixa, padrao: padraoOficial(queixa.padrao) } : queixa
  }
  return { tipo: 'outra' }
}

/** The local names of `( {ns}a, {ns}b )`. */
const lerNomes = (texto: string): string[] => {
  const nomes = texto
    .replace(/^one of /, '')
    .replace(/^\(\s*|\s*\)$/g, '')
    .split(', ')
  return nomes.map((nome) => nome.replace(/^.*\}/, '').trim()).filter((nome) => nome !== '')
}
