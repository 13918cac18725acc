import { type XmlDocument, XmlValidateError } from 'libxml2-wasm'
import type { Elemento } from '../arvore.ts'
import { createCopia, type Defeito, judge, type LugarErrado } from './estrutura.ts'
import type { Pacote } from './pacote.ts'

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

const CABECA =
  /^Element '(?:\{[^}]*\})?[^']*'(?:, attribute '((?:\{[^}]*\})?[^']*)')?: (?:\[facet '(\w+)'\] )?/

const atributoDe = (mensagem: string): string | undefined =>
  CABECA.exec(mensagem)?.[1]?.replace(/^\{[^}]*\}/, '')

/** Messages of libxml2's xmlschemas.c that quote no value, whole. */
const frases: readonly (readonly [RegExp, (parte: string) => Queixa])[] = [
  [
    /^This element is not expected\.(?: Expected is (.*)\.)?$/s,
    (nomes) => ({ tipo: 'inesperado', esperados: readNomes(nomes) }),
  ],
  [
    /^Missing child element\(s\)\. Expected is (.*)\.$/s,
    (nomes) => ({ tipo: 'faltam', esperados: readNomes(nomes) }),
  ],
  [/^The attribute '([^']*)' is required but missing\.$/, (nome) => ({ tipo: 'falta-atributo', nome })],
  [/^The attribute '([^']*)' is not allowed\.$/, (nome) => ({ tipo: 'atributo-desconhecido', nome })],
  [/^Character content (?:other than whitespace )?is not allowed/, () => ({ tipo: 'texto-solto' })],
  [/^Element content is not allowed/, () => ({ tipo: 'filhos-em-campo' })],
  [/^Duplicate (?:key-sequence|ID) /, () => ({ tipo: 'repetido' })],
  [/^No matching global (?:element )?declaration/, () => ({ tipo: 'sem-declaracao' })],
]

type Marca = { marca: string; fim: string; read: (dentro: string, faceta: string) => Queixa }

/** Messages that quote a value, which may hold any text: what is said of it stands behind the last mark. */
const marcas: readonly Marca[] = [
  { marca: " is not accepted by the pattern '", fim: "'.", read: (padrao) => ({ tipo: 'padrao', padrao }) },
  {
    marca: " length of '",
    fim: "'.",
    read: (limite, faceta) => ({
      tipo: 'tamanho',
      faceta: faceta === 'length' || faceta === 'minLength' ? faceta : 'maxLength',
      limite,
    }),
  },
  {
    marca: ' is not an element of the set {',
    fim: '}.',
    read: (conjunto) => ({
      tipo: 'lista',
      valores: conjunto.split(', ').map((valor) => valor.replace(/^'|'$/g, '')),
    }),
  },
  {
    marca: " digits than are allowed ('",
    fim: "').",
    read: (limite, faceta) => ({
      tipo: 'casas',
      faceta: faceta === 'totalDigits' ? faceta : 'fractionDigits',
      limite,
    }),
  },
  { marca: " value allowed ('", fim: "').", read: (limite, faceta) => ({ tipo: 'limite', faceta, limite }) },
  {
    marca: ' is not a valid value of the ',
    fim: '.',
    read: (tipo) => ({
      tipo: 'tipo',
      qual: /^[a-z ]+ type '(?:xs:|\{[^}]*\})?([^']*)'$/.exec(tipo)?.[1] ?? '',
    }),
  },
  {
    marca: " does not match the fixed value constraint '",
    fim: "'.",
    read: (valor) => ({ tipo: 'fixo', valor }),
  },
]

/** It walks over the message a fixed number of times, whatever the value in it holds. */
function readQueixa(mensagem: string, padraoOficial: (padrao: string) => string): Queixa {
  const [cabeca = '', , faceta = ''] = CABECA.exec(mensagem) ?? []
  const corpo = mensagem.slice(cabeca.length).trimEnd()
  for (const [forma, read] of frases) {
    const achado = forma.exec(corpo)
    if (achado) return read(achado[1] ?? '')
  }
  const queixa = readDoValor(corpo, faceta)
  return queixa.tipo === 'padrao' ? { ...queixa, padrao: padraoOficial(queixa.padrao) } : queixa
}

function readDoValor(corpo: string, faceta: string): Queixa {
  const achadas = marcas.map((uma) => ({ ...uma, onde: corpo.lastIndexOf(uma.marca) }))
  const ultima = achadas.reduce((maior, uma) => (uma.onde > maior.onde ? uma : maior))
  if (ultima.onde < 0 || !corpo.endsWith(ultima.fim)) return { tipo: 'outra' }
  return ultima.read(corpo.slice(ultima.onde + ultima.marca.length, -ultima.fim.length), faceta)
}

/** The local names of `( {ns}a, {ns}b )`. */
const readNomes = (texto: string): string[] => {
  const nomes = texto
    .replace(/^one of /, '')
    .replace(/^\(\s*|\s*\)$/g, '')
    .split(', ')
  return nomes.map((nome) => nome.replace(/^.*\}/, '').trim()).filter((nome) => nome !== '')
}

export type ValorErrado = { elemento: Elemento; atributo: string | undefined; queixas: Queixa[] }

export type Conferencia = {
  valores: ValorErrado[]
  defeitos: Defeito[]
  semAssinatura: boolean
  /** A CNPJ has letters, which the package does not know: those before NT 2026.004. */
  comLetras: boolean
  incompleta: boolean
}

/** Each validates the note once more, with what was found mended in a copy. */
const RODADAS = 12
const TEMPO_MS = 800
const OLHADOS = 2_000

/** The validator reads nothing behind a wrong child of an element, so the document is mended on the way. */
export function checkEsquema(documento: XmlDocument, raiz: Elemento, pacote: Pacote): Conferencia {
  const copia = createCopia(documento, raiz)
  const valores = new Map<Elemento, Map<string | undefined, ValorErrado>>()
  const conferencia = { defeitos: [] as Defeito[], semAssinatura: false, comLetras: false, incompleta: false }
  const insistentes = new Map<Elemento | undefined, number>()
  const inicio = performance.now()

  function note(elemento: Elemento, atributo: string | undefined, queixa: Queixa): void {
    const valor = atributo ? (elemento.atributos[atributo] ?? '') : elemento.texto
    if (!pacote.comLetras && queixa.tipo === 'padrao' && fitsWithoutLetras(valor, queixa.padrao)) {
      conferencia.comLetras = true
      return
    }
    const seus = valores.get(elemento) ?? new Map<string | undefined, ValorErrado>()
    valores.set(elemento, seus)
    const errado = seus.get(atributo) ?? { elemento, atributo, queixas: [] }
    seus.set(atributo, errado)
    const texto = JSON.stringify(queixa)
    if (!errado.queixas.some((outra) => JSON.stringify(outra) === texto)) errado.queixas.push(queixa)
  }

  function look(mensagem: string, xpath: string): LugarErrado | undefined {
    const elemento = copia.find(xpath)
    if (!elemento || copia.isPosto(elemento)) return undefined
    const queixa = readQueixa(mensagem, pacote.padraoOficial)
    if (queixa.tipo !== 'inesperado' && queixa.tipo !== 'faltam') {
      note(elemento, atributoDe(mensagem), queixa)
      return undefined
    }
    if (elemento === raiz && queixa.tipo === 'faltam' && queixa.esperados.includes('Signature')) {
      conferencia.semAssinatura = true
      return undefined
    }
    const { esperados } = queixa
    if (queixa.tipo === 'faltam') return { pai: elemento, filho: undefined, esperados }
    return elemento.pai && { pai: elemento.pai, filho: elemento, esperados }
  }

  for (let rodada = 0; rodada < RODADAS; rodada++) {
    const detalhes = validate(documento, pacote)
    const lugares = detalhes
      .slice(0, OLHADOS)
      .flatMap(({ message, xpath }) => (xpath ? (look(message, xpath) ?? []) : []))
    conferencia.incompleta = detalhes.length > OLHADOS
    if (lugares.length === 0) break
    conferencia.incompleta ||= rodada === RODADAS - 1 || performance.now() - inicio > TEMPO_MS
    for (const lugar of lugares) {
      const vezes = (insistentes.get(lugar.filho) ?? 0) + 1
      insistentes.set(lugar.filho, vezes)
      if (lugar.filho && vezes > 5) copia.takeOut(lugar.filho)
      else conferencia.defeitos.push(...judge(lugar, pacote.modelo(nomesDe(lugar.pai)), copia))
    }
    if (conferencia.incompleta) break
  }
  return { ...conferencia, valores: [...valores.values()].flatMap((seus) => [...seus.values()]) }
}

function validate(documento: XmlDocument, { validador }: Pacote): XmlValidateError['details'] {
  try {
    validador.validate(documento)
    return []
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details
    throw error
  }
}

function nomesDe({ nome, pai }: Elemento): string[] {
  return nome === 'NFe' || !pai ? [nome] : [...nomesDe(pai), nome]
}

/** A CNPJ, a key or a QR Code in which letters stand where the CNPJ may have them (NT Conjunta 2025.001). */
const COM_LETRAS = /(^|p=|chNFe=)((?:NFe)?(?:\d{6})?)([A-Z0-9]{12})(\d{2}(?:\d{24})?)(?=$|[|&])/

/** Whether a pattern that knows no letters would take the value with digits in their place. */
function fitsWithoutLetras(valor: string, padrao: string): boolean {
  const emDigitos = valor.replace(
    COM_LETRAS,
    (_tudo, antes: string, inicio: string, cnpj: string, fim: string) =>
      antes + inicio + cnpj.replace(/[A-Z]/g, '0') + fim,
  )
  return emDigitos !== valor && new RegExp(`^(?:${padrao.replaceAll('&amp;', '&')})$`).test(emDigitos)
}
