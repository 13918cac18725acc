import type { RespostaDaDistribuicao } from '../../domain/nfe.ts'
import { createPathReader } from '../xml-path.ts'
import { openDocZip } from './doc-zip.ts'
import { parseInstante } from './instante.ts'
import { readNfeProc } from './nfe-proc.ts'

/** What a document of the distribution says of the note of a key. */
export type Documento =
  | Extract<RespostaDaDistribuicao, { tipo: 'xml' | 'resumo' }>
  | {
      tipo: 'defeituoso'
      /** Why, a Portuguese clause. */
      defeito: string
    }

/** `cSitNFe` of a summary (resNFe_v1.01.xsd). */
const situacoes = new Map([
  ['1', 'autorizada'],
  ['2', 'denegada'],
  ['3', 'cancelada'],
] as const)

const readRaiz = createPathReader(['nfeProc', 'resNFe', 'resNFe/chNFe', 'resNFe/cSitNFe', 'resNFe/dhRecbto'])

/** Reads a `docZip` by its content: its `schema` attribute is not asked. Neither its `resNFe` nor its `nfeProc` is a defect. */
export function readDocumento(docZip: string, chave: string): Documento {
  const opened = openDocZip(docZip)
  if (!opened.ok) return { tipo: 'defeituoso', defeito: `o documento ${opened.defeito}` }
  const { xml } = opened
  const found = readRaiz(xml)
  if (!found) return { tipo: 'defeituoso', defeito: 'o XML está malformado' }
  if (found.has('resNFe')) return readResumo((nome) => found.get(`resNFe/${nome}`)?.[0] ?? '', chave)
  if (!found.has('nfeProc')) return { tipo: 'defeituoso', defeito: 'o XML não é o resumo nem a nota' }
  const nota = readNfeProc(xml, chave)
  return nota.ok ? { tipo: 'xml', xml } : { tipo: 'defeituoso', defeito: nota.defeito }
}

function readResumo(text: (nome: string) => string, chave: string): Documento {
  if (text('chNFe') !== chave) return { tipo: 'defeituoso', defeito: 'o resumo é de outra chave' }
  const autorizacao = parseInstante(text('dhRecbto'))
  if (!autorizacao)
    return { tipo: 'defeituoso', defeito: 'o resumo não diz quando a nota foi autorizada (dhRecbto)' }
  const cSitNFe = text('cSitNFe')
  const situacao = [...situacoes].find(([codigo]) => codigo === cSitNFe)?.[1]
  if (!situacao) return { tipo: 'defeituoso', defeito: 'o resumo não diz a situação da nota (cSitNFe)' }
  return { tipo: 'resumo', situacao, autorizacao }
}
