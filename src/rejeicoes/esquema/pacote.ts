import { readFileSync } from 'node:fs'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'
import { enumerate } from '../../platform/texto.ts'
import { descend, type Elemento, escapeXml, readArvore } from '../arvore.ts'
import { applyMudancas, type MudancaDoEsquema } from './mudancas.ts'

export type Declarado = {
  nome: string
  /** The element must have it, whatever else it has. */
  obrigatorio: boolean
  /** Where it is one of several, the choices that it is in and the branch of each. */
  escolhas: readonly { escolha: Elemento; ramo: number }[]
  maximo: number
  tipo: Elemento | undefined
}

/** The declared children of an element, by the names from `NFe` down. Empty if it may have none. */
type Modelo = (nomes: readonly string[]) => readonly Declarado[]

const semPrefixo = (nome: string): string => nome.slice(nome.indexOf(':') + 1)

/** Reads the structure of a schema from its files: sequences, choices and elements; it has nothing else. */
function createModelo(arquivos: readonly Elemento[]): Modelo {
  const tipos = new Map<string, Elemento>()
  const raizes = new Map<string, Elemento>()
  for (const { filhos } of arquivos.flatMap((arquivo) => arquivo.filhos))
    for (const filho of filhos) {
      const { name = '' } = filho.atributos
      if (filho.nome === 'complexType') tipos.set(name, filho)
      if (filho.nome === 'element') raizes.set(name, filho)
    }
  const tipoDe = (elemento: Elemento | undefined): Elemento | undefined =>
    elemento && (descend(elemento, 'complexType') ?? tipos.get(semPrefixo(elemento.atributos.type ?? '')))
  const guardados = new Map<Elemento, readonly Declarado[]>()

  function filhosDe(tipo: Elemento | undefined): readonly Declarado[] {
    if (!tipo) return []
    const guardado = guardados.get(tipo) ?? tipo.filhos.flatMap((no) => readDeclarados(no, LIVRE))
    guardados.set(tipo, guardado)
    return guardado
  }

  function readDeclarados(no: Elemento, acima: Acima): Declarado[] {
    const { minOccurs = '1', maxOccurs = '1', ref, name } = no.atributos
    const vezes = maxOccurs === 'unbounded' ? Number.POSITIVE_INFINITY : Number(maxOccurs)
    const aqui = {
      ...acima,
      obrigatorio: acima.obrigatorio && minOccurs !== '0',
      maximo: acima.maximo * vezes,
    }
    if (no.nome === 'sequence') return no.filhos.flatMap((filho) => readDeclarados(filho, aqui))
    if (no.nome === 'choice')
      return no.filhos.flatMap((filho, ramo) =>
        readDeclarados(filho, { ...aqui, escolhas: [...aqui.escolhas, { escolha: no, ramo }] }),
      )
    if (no.nome !== 'element') return []
    const declaracao = ref ? raizes.get(semPrefixo(ref)) : no
    const obrigatorio = aqui.obrigatorio && aqui.escolhas.length === 0
    return [{ ...aqui, nome: name ?? semPrefixo(ref ?? ''), obrigatorio, tipo: tipoDe(declaracao) }]
  }

  return (nomes) => {
    const [raiz = '', ...resto] = nomes
    const tipo = resto.reduce(
      (pai, nome) => filhosDe(pai).find((declarado) => declarado.nome === nome)?.tipo,
      tipoDe(raizes.get(raiz)),
    )
    return filhosDe(tipo)
  }
}

type Acima = Pick<Declarado, 'obrigatorio' | 'escolhas' | 'maximo'>

const LIVRE: Acima = { obrigatorio: true, escolhas: [], maximo: 1 }

/** An atom of a pattern (a class, a group, an escape or a character) and how often it occurs. */
const PARTE =
  /(\[(?:\\.|[^\]\\])*\]|\((?:[^()[\]\\]|\\.|\[(?:\\.|[^\]\\])*\])*\)|\\.|[^|()])(?:\{(\d+)(,(\d*))?\})?/g

/** libxml2 mixes up the counters of alternatives: it takes 9 digits for `[0-9]{2}|[0-9]{8}`. */
function semContadores(padrao: string): string {
  if (!padrao.includes('|') || padrao.includes('.*')) return padrao
  return padrao.replace(PARTE, (_inteiro, atomo: string, de?: string, faixa?: string, ate?: string) => {
    const parte = atomo.startsWith('(') ? `(${semContadoresNoGrupo(atomo)})` : atomo
    if (de === undefined) return parte
    const certos = parte.repeat(Number(de))
    if (!faixa) return certos
    return certos + (ate ? opcionais(parte, Number(ate) - Number(de)) : `${parte}*`)
  })
}

const semContadoresNoGrupo = (grupo: string): string =>
  grupo.slice(1, -1).replace(PARTE, (inteiro, atomo: string, de?: string, faixa?: string, ate?: string) => {
    if (de === undefined) return inteiro
    return atomo.repeat(Number(de)) + (faixa ? opcionais(atomo, Number(ate || de) - Number(de)) : '')
  })

const opcionais = (parte: string, quantos: number): string =>
  quantos > 0 ? `(${parte}${opcionais(parte, quantos - 1)})?` : ''

const DIGITOS = /^(?:\[0-9\]|\\d)(?:\{(\d+)(?:,(\d+))?\})?$/

const CONHECIDOS: readonly (readonly [RegExp, string])[] = [
  [/T\(20\|21/, 'data e hora com o fuso, como 2026-11-23T10:15:00-03:00'],
  [/^\(\(\(20/, 'data que existe, no formato AAAA-MM-DD'],
  [/^\(\(\[0-1\]\[0-9\]\)/, 'hora no formato HH:MM:SS'],
  [/^\(0\[1-9\]\|1\[0-2\]\)/, 'mês e ano no formato MM/AAAA'],
  [/^4\\\.00$/, '4.00'],
  [/^\[0-9\]\{2\}\[0\]/, '4 algarismos, o ano e o mês (AAMM)'],
  [
    /^\[0-9A-Z\]\{12\}\[0-9\]\{2\}$/,
    'os 14 caracteres do CNPJ: 12 algarismos ou letras maiúsculas, e 2 algarismos',
  ],
  [/^\[0-9\]\{0\}\|\[0-9A-Z\]\{12\}/, 'nenhum caractere, ou os 14 do CNPJ, sem pontuação'],
  [
    /^\[0-9\]\{6\}\[(?:0-9A-Z|A-Z0-9)\]\{12\}/,
    'os 44 caracteres da chave de acesso, que só tem letra onde o CNPJ do emitente a tem',
  ],
  [/^NFe/, 'NFe seguido dos 44 caracteres da chave de acesso'],
  [/\?chNFe=|\?p=/, 'o endereço do QR Code na forma que o manual da NFC-e fixa'],
  [/^SEM GTIN/, 'SEM GTIN, ou um GTIN de 8, 12, 13 ou 14 algarismos'],
  [/SEM CBENEF/, '8 ou 10 caracteres sem espaço, ou SEM CBENEF'],
  [
    /^\[!-ÿ\]\{1\}\[ -ÿ\]/,
    'texto sem espaço no começo e no fim, sem quebra de linha e sem caractere fora do alfabeto latino',
  ],
  [/^\[1,2,3,5,6,7\]/, '4 algarismos, o primeiro 1, 2, 3, 5, 6 ou 7'],
  [/^\[A-F0-9\]\{8\}-/, 'um identificador como 6BA7B810-9DAD-11D1-80B4-00C04FD430C8, com letras maiúsculas'],
  [/^\[A-Z\]\{2,3\}\[0-9\]\{4\}\|/, 'uma placa de veículo sem traço e sem espaço, como ABC1D23'],
]

/** Says in Portuguese what a pattern of the schema takes, to follow "esperado: ". */
export function describePadrao(padrao: string): string {
  const conhecido = CONHECIDOS.find(([forma]) => forma.test(padrao))
  if (conhecido) return conhecido[1]
  return describeDigitos(padrao) ?? describeDecimal(padrao) ?? `o formato que o esquema fixa, ${padrao}`
}

function describeDigitos(padrao: string): string | undefined {
  const fixas: string[] = []
  const tamanhos: string[] = []
  for (const alternativa of padrao.split('|')) {
    const [inteiro, de = '1', ate] = DIGITOS.exec(alternativa) ?? []
    if (inteiro === undefined && !/^[A-Z ]+$/.test(alternativa)) return undefined
    if (inteiro === undefined) fixas.push(alternativa)
    else tamanhos.push(ate ? faixa(de, ate) : de === '0' ? 'nenhum' : de)
  }
  const algarismos =
    tamanhos.length > 0
      ? [`${enumerate(tamanhos, 'ou')} ${tamanhos.join() === '1' ? 'algarismo' : 'algarismos'}`]
      : []
  return enumerate([...algarismos, ...fixas], 'ou')
}

const faixa = (de: string, ate: string): string => (de === '0' ? `até ${ate}` : `${de} a ${ate}`)

function describeDecimal(padrao: string): string | undefined {
  if (!padrao.includes('\\.'))
    return /^(?:0\|)?\[1-9\]/.test(padrao)
      ? 'número inteiro sem zero à esquerda, dentro do tamanho do campo'
      : undefined
  const inteiros = [...padrao.matchAll(/\[1-9\]\{1\}\[0-9\]\{0,(\d+)\}/g)].map(([, n]) => Number(n) + 1)
  const casas = [...padrao.matchAll(/\[0-9\]\{(\d+)(?:,(\d+))?\}/g)].flatMap(([todo, de, ate]) =>
    padrao[padrao.indexOf(todo) - 1] === '.' ? [ate ? `${de} a ${ate}` : `${de}`] : [],
  )
  const quantas = `${casas.at(-1) ?? ''} casas decimais`.trim()
  const antes = inteiros.length > 0 ? `até ${Math.max(...inteiros)} algarismos antes do ponto e ` : ''
  return `número com ${antes}${quantas}, separadas por ponto, sem separador de milhar e sem zero à esquerda`
}

/** Dispose of it when it is no longer used. */
export type Pacote = {
  nome: string
  validador: XsdValidator
  modelo: Modelo
  /** The pattern as the schema writes it, by the one that the validator tells. */
  padraoOficial: (padrao: string) => string
  comLetras: boolean
  dispose: () => void
}

export type FonteDoPacote = { nome: string; pasta: string; mudancas: readonly MudancaDoEsquema[] }

export const ARQUIVOS = [
  'nfe_v4.00.xsd',
  'leiauteNFe_v4.00.xsd',
  'tiposBasico_v4.00.xsd',
  'DFeTiposBasicos_v1.00.xsd',
  'xmldsig-core-schema_v1.01.xsd',
] as const

/** A schema nests deeper than a note. */
const FUNDO = 100

/** Packages that a thread keeps, some 7 MB each: all of ours, and two more. */
const GUARDADOS = 6

const abertos = new Map<string, Pacote>()

/** Opens a package, which takes some 100 ms the first time in a thread. Throws for one that is damaged. */
export function openPacote(fonte: FonteDoPacote): Pacote {
  const chave = `${fonte.pasta} ${fonte.nome}`
  const pacote = abertos.get(chave) ?? compilePacote(fonte)
  abertos.delete(chave)
  abertos.set(chave, pacote)
  const [velho] = abertos
  if (velho && abertos.size > GUARDADOS) {
    abertos.delete(velho[0])
    velho[1].dispose()
  }
  return pacote
}

/** The package belongs to the caller. Throws for files that are missing or are no schemas. */
export function compilePacote({ nome, pasta, mudancas }: FonteDoPacote, raiz: string = ARQUIVOS[0]): Pacote {
  const arvores = new Map<string, Elemento>()
  for (const arquivo of new Set([...ARQUIVOS, raiz])) {
    const texto = readFileSync(`${pasta}/${arquivo}`, 'utf8').replace(/^\uFEFF/, '')
    arvores.set(arquivo, readArvore(texto, FUNDO))
  }
  const arquivos = [...arvores.values()]
  applyMudancas(arquivos, mudancas)
  const oficiais = new Map<string, string>()
  const textos = [...arvores].map(([arquivo, arvore]) => [arquivo, write(arvore, oficiais)] as const)
  const validador = compile(new Map(textos), raiz)
  return {
    nome,
    validador,
    modelo: createModelo(arquivos),
    padraoOficial: (padrao) => oficiais.get(padrao) ?? padrao,
    comLetras: arquivos.some(knowsLetras),
    dispose: () => validador.dispose(),
  }
}

function knowsLetras({ filhos }: Elemento): boolean {
  const tipo = filhos.flatMap((schema) => schema.filhos).find(({ atributos }) => atributos.name === 'TCnpj')
  const padroes = tipo?.filhos.flatMap((restricao) => restricao.filhos) ?? []
  return padroes.some(({ nome, atributos }) => nome === 'pattern' && /A-Z/.test(atributos.value ?? ''))
}

/** Writes a schema without its annotations, its patterns without counters. */
function write({ filhos }: Elemento, oficiais: Map<string, string>): string {
  return filhos.map((filho) => writeElemento(filho, oficiais)).join('')
}

function writeElemento(elemento: Elemento, oficiais: Map<string, string>): string {
  const { nome, prefixo, atributos } = elemento
  if (nome === 'annotation') return ''
  const inteiro = prefixo ? `${prefixo}:${nome}` : nome
  const seus = Object.entries(atributos).map(([atributo, valor]) => {
    if (nome !== 'pattern' || atributo !== 'value') return ` ${atributo}="${escapeXml(valor)}"`
    const outro = semContadores(valor)
    oficiais.set(outro, valor)
    return ` value="${escapeXml(outro)}"`
  })
  return `<${inteiro}${seus.join('')}>${write(elemento, oficiais)}</${inteiro}>`
}

let fornecedor: XmlBufferInputProvider | undefined

/** One for all packages of a thread: libxml2 takes few, and never gives one back. */
function openFornecedor(): XmlBufferInputProvider {
  if (fornecedor) return fornecedor
  fornecedor = new XmlBufferInputProvider({})
  xmlRegisterInputProvider(fornecedor)
  return fornecedor
}

function compile(textos: ReadonlyMap<string, string>, raiz: string): XsdValidator {
  const endereco = (arquivo: string): string => `pacote:///${arquivo}`
  const arquivos = openFornecedor()
  for (const [arquivo, texto] of textos) arquivos.addBuffer(endereco(arquivo), Buffer.from(texto))
  try {
    const fonte = XmlDocument.fromString(textos.get(raiz) ?? '', { url: endereco(raiz) })
    try {
      return XsdValidator.fromDoc(fonte)
    } finally {
      fonte.dispose()
    }
  } finally {
    for (const arquivo of textos.keys()) arquivos.removeBuffer(endereco(arquivo))
  }
}
