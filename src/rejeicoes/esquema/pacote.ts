import { readFileSync } from 'node:fs'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'
import { escapar } from '../nota/arvore.ts'
import { type Elemento, lerArvore } from '../nota/nota-arvore.ts'
import { criarModelo, type Modelo } from './modelo.ts'
import { aplicarMudancas, type MudancaDoEsquema } from './mudancas.ts'
import { semContadores } from './padrao.ts'

/** A package of schemas, ready. Dispose of it when it is no longer used. */
export type Pacote = {
  nome: string
  validador: XsdValidator
  modelo: Modelo
  /** The pattern as the schema writes it, by the one that the validator tells. */
  padraoOficial: (padrao: string) => string
  /** Whether a CNPJ may have letters. */
  comLetras: boolean
  dispose: () => void
}

/** Where a package comes from: the folder of its files, and what is changed in them. */
export type FonteDoPacote = { nome: string; pasta: string; mudancas: readonly MudancaDoEsquema[] }

/** The files of a package that a note needs. */
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
export function abrirPacote(fonte: FonteDoPacote): Pacote {
  const chave = `${fonte.pasta} ${fonte.nome}`
  const pacote = abertos.get(chave) ?? compilarPacote(fonte)
  abertos.delete(chave)
  abertos.set(chave, pacote)
  const [velho] = abertos
  if (velho && abertos.size > GUARDADOS) {
    abertos.delete(velho[0])
    velho[1].dispose()
  }
  return pacote
}

/**
 * Reads and compiles a package, which belongs to the caller; `raiz` is the file whose elements it validates.
 * Throws for files that are missing or are no schemas.
 */
export function compilarPacote({ nome, pasta, mudancas }: FonteDoPacote, raiz: string = ARQUIVOS[0]): Pacote {
  const arvores = new Map<string, Elemento>()
  for (const arquivo of new Set([...ARQUIVOS, raiz])) {
    const texto = readFileSync(`${pasta}/${arquivo}`, 'utf8').replace(/^\uFEFF/, '')
    arvores.set(arquivo, lerArvore(texto, FUNDO))
  }
  const arquivos = [...arvores.values()]
  aplicarMudancas(arquivos, mudancas)
  const oficiais = new Map<string, string>()
  const textos = [...arvores].map(([arquivo, arvore]) => [arquivo, escrever(arvore, oficiais)] as const)
  const validador = compilar(new Map(textos), raiz)
  return {
    nome,
    validador,
    modelo: criarModelo(arquivos),
    padraoOficial: (padrao) => oficiais.get(padrao) ?? padrao,
    comLetras: arquivos.some(conheceLetras),
    dispose: () => validador.dispose(),
  }
}

/** Whether the type of a CNPJ has letters. */
function conheceLetras({ filhos }: Elemento): boolean {
  const tipo = filhos.flatMap((schema) => schema.filhos).find(({ atributos }) => atributos.name === 'TCnpj')
  const padroes = tipo?.filhos.flatMap((restricao) => restricao.filhos) ?? []
  return padroes.some(({ nome, atributos }) => nome === 'pattern' && /A-Z/.test(atributos.value ?? ''))
}

/** Writes a schema without its annotations, its patterns without counters. */
function escrever({ filhos }: Elemento, oficiais: Map<string, string>): string {
  return filhos.map((filho) => escreverElemento(filho, oficiais)).join('')
}

function escreverElemento(elemento: Elemento, oficiais: Map<string, string>): string {
  const { nome, prefixo, atributos } = elemento
  if (nome === 'annotation') return ''
  const inteiro = prefixo ? `${prefixo}:${nome}` : nome
  const seus = Object.entries(atributos).map(([atributo, valor]) => {
    if (nome !== 'pattern' || atributo !== 'value') return ` ${atributo}="${escapar(valor)}"`
    const outro = semContadores(valor)
    oficiais.set(outro, valor)
    return ` value="${escapar(outro)}"`
  })
  return `<${inteiro}${seus.join('')}>${escrever(elemento, oficiais)}</${inteiro}>`
}

let fornecedor: XmlBufferInputProvider | undefined

/** One for all packages of a thread: libxml2 takes few, and never gives one back. */
function fornecer(): XmlBufferInputProvider {
  if (fornecedor) return fornecedor
  fornecedor = new XmlBufferInputProvider({})
  xmlRegisterInputProvider(fornecedor)
  return fornecedor
}

function compilar(textos: ReadonlyMap<string, string>, raiz: string): XsdValidator {
  const endereco = (arquivo: string): string => `pacote:///${arquivo}`
  const arquivos = fornecer()
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
