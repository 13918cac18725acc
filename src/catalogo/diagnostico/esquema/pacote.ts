import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'
import { lerArvore } from '../nota/arvore.ts'
import { criarModelo, type Modelo } from './modelo.ts'
import { semContadores } from './padrao.ts'

/** A package of official schemas, ready. It is never disposed of: a thread keeps one. */
export type Pacote = {
  nome: string
  validador: XsdValidator
  modelo: Modelo
  /** The pattern as the schema writes it, by the one that the validator tells. */
  padraoOficial: (padrao: string) => string
}

const PASTA = fileURLToPath(new URL('../../../../data/xsd/', import.meta.url))
const RAIZ = 'nfe_v4.00.xsd'
/** A schema nests deeper than a note. */
const FUNDO = 100

let aberto: Pacote | undefined

/** Opens the newest package. The first call of a thread takes some 100 ms. */
export function abrirPacote(): Pacote {
  aberto ??= abrir()
  return aberto
}

function abrir(): Pacote {
  const naOrdem = new Intl.Collator('en', { numeric: true }).compare
  const pastas = readdirSync(PASTA, { withFileTypes: true }).filter((entrada) => entrada.isDirectory())
  const nome = pastas
    .map((pasta) => pasta.name)
    .sort(naOrdem)
    .at(-1)
  if (nome === undefined) throw new Error('there is no package of schemas')
  const oficiais = new Map<string, string>()
  const textos = lerTextos(nome, oficiais)
  return {
    nome,
    validador: compilar(nome, textos),
    modelo: criarModelo([...textos.values()].map((texto) => lerArvore(texto, FUNDO))),
    padraoOficial: (padrao) => oficiais.get(padrao) ?? padrao,
  }
}

/** The schemas of a package, by file name, their patterns without counters. */
function lerTextos(pacote: string, oficiais: Map<string, string>): Map<string, string> {
  const textos = new Map<string, string>()
  for (const arquivo of readdirSync(`${PASTA}${pacote}`)) {
    const texto = readFileSync(`${PASTA}${pacote}/${arquivo}`, 'utf8').replace(/^\uFEFF/, '')
    const trocado = texto.replace(
      /(<xs:pattern value=")([^"]*)"/g,
      (_tudo, antes: string, padrao: string) => {
        const outro = semContadores(padrao)
        oficiais.set(outro, padrao)
        return `${antes}${outro}"`
      },
    )
    textos.set(arquivo, trocado)
  }
  return textos
}

function compilar(pacote: string, textos: ReadonlyMap<string, string>): XsdValidator {
  const endereco = (arquivo: string): string => `pacote:///${pacote}/${arquivo}`
  const bytes = [...textos].map(([arquivo, texto]) => [endereco(arquivo), Buffer.from(texto)] as const)
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(bytes)))
  const fonte = XmlDocument.fromString(textos.get(RAIZ) ?? '', { url: endereco(RAIZ) })
  try {
    return XsdValidator.fromDoc(fonte)
  } finally {
    fonte.dispose()
  }
}
