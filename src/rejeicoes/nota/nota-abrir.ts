import { XmlDocument } from 'libxml2-wasm'
import { DiagnosticoRecusado } from '../diagnostico/recusa.ts'
import { escapar } from './arvore.ts'
import { lerDocumento, type Malformado } from './documento.ts'
import { type Elemento, lerArvore } from './nota-arvore.ts'
import { lerProtocolo, type Protocolo } from './protocolo.ts'

/** A note that can be read. Dispose of both documents; they may be the same. */
export type NotaAberta = {
  /** What was sent. */
  inteiro: XmlDocument
  /** `NFe` alone, as the schema wants it. */
  documento: XmlDocument
  /** `NFe`, whose places count in `xml`. */
  nfe: Elemento
  infNFe: Elemento
  /** The name of what surrounds `NFe`; undefined where nothing does. */
  envelope: string | undefined
  /** `nfeProc` has the answer of an authority. */
  comProtocolo: boolean
  protocolo: Protocolo | undefined
  /** The text of `NFe`. */
  xml: string
}

/**
 * Parses what was sent and finds its one note. Throws DiagnosticoRecusado where there is none, or
 * several.
 */
export function abrirNota(texto: string): NotaAberta | Malformado {
  const inteiro = lerDocumento(texto)
  if (!(inteiro instanceof XmlDocument)) return inteiro
  try {
    return separar(texto, inteiro)
  } catch (error) {
    inteiro.dispose()
    throw error
  }
}

function separar(texto: string, inteiro: XmlDocument): NotaAberta {
  const [raiz] = lerArvore(texto).filhos
  if (!raiz) throw new DiagnosticoRecusado('nao-e-nfe')
  const notas = raiz.nome === 'NFe' ? [raiz] : raiz.filhos.filter(({ nome }) => nome === 'NFe')
  const [nfe] = notas
  if (notas.length > 1) throw new DiagnosticoRecusado('mais-de-uma-nota')
  const infNFe = nfe?.filhos.find(({ nome }) => nome === 'infNFe')
  if (!nfe || !infNFe) throw new DiagnosticoRecusado('nao-e-nfe')
  const comProtocolo = raiz.filhos.some(({ nome }) => nome === 'protNFe')
  const daNota = { inteiro, comProtocolo, protocolo: lerProtocolo(raiz) }
  if (nfe === raiz) return { ...daNota, documento: inteiro, nfe, infNFe, envelope: undefined, xml: texto }
  const xml = comNamespace(texto.slice(nfe.inicio, nfe.fim), nfe)
  const [soNfe] = lerArvore(xml).filhos
  const soInf = soNfe?.filhos.find(({ nome }) => nome === 'infNFe')
  const documento = lerDocumento(xml)
  if (!soNfe || !soInf || !(documento instanceof XmlDocument)) throw new DiagnosticoRecusado('nao-e-nfe')
  return { ...daNota, documento, nfe: soNfe, infNFe: soInf, envelope: raiz.nome, xml }
}

/** The namespaces that `NFe` inherits are declared in it. Its own declarations stay. */
function comNamespace(xml: string, nfe: Elemento): string {
  const seus = Object.keys(nfe.atributos)
  const herdados = new Map<string, string>()
  for (let acima = nfe.pai; acima; acima = acima.pai)
    for (const [nome, valor] of Object.entries(acima.atributos))
      if (/^xmlns(?::|$)/.test(nome) && !seus.includes(nome) && !herdados.has(nome)) herdados.set(nome, valor)
  // A prefix that only the envelope uses is no part of what the issuer signed.
  const usados = [...herdados].filter(([nome]) => nome === 'xmlns' || xml.includes(`${nome.slice(6)}:`))
  const declaracoes = usados.map(([nome, valor]) => ` ${nome}="${escapar(valor)}"`).join('')
  return xml.replace(/^<[^\s/>]+/, (abertura) => abertura + declaracoes)
}
