import type { RespostaDaDistribuicao } from '../../domain/nfe/nfe.ts'
import { createPathReader } from '../soap/xml-path.ts'
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
const situacoes = new Map<string, 'autorizada' | 'denegada' | 'cancelada'>([
  ['1', 'autorizada'],
  ['2', 'denegada'],
  ['3', 'cancelada'],
])

const readResNfe = createPathReader(['resNFe', 'resNFe/chNFe', 'resNFe/cSitNFe', 'resNFe/dhRecbto'])

/** Reads a `docZip` by its content: its `schema` attribute is not asked. What is neither a note nor a summary is a defect. */
export function readDocumento(docZip: string, chave: string): Documento {
  const opened = openDocZip(docZip)
  if (!opened.ok) return { tipo: 'defeituoso', defeito: `o documento ${opened.defeito}` }
  const { xml } = opened
  // First of all, for it is the one that may be large.
  const nota = readNfeProc(xml, chave)
  if (nota.ok) return { tipo: 'xml', xml }
  const resumo = readResNfe(xml)
  if (!resumo?.has('resNFe')) return { tipo: 'defeituoso', defeito: nota.defeito }
  return readResumo((nome) => resumo.get(`resNFe/${nome}`)?.[0] ?? '', chave)
}

function readResumo(text: (nome: string) => string, chave: string): Documento {
  if (text('chNFe') !== chave) return { tipo: 'defeituoso', defeito: 'o resumo é de outra chave' }
  const autorizacao = parseInstante(text('dhRecbto'))
  if (!autorizacao)
    return { tipo: 'defeituoso', defeito: 'o resumo não diz quando a nota foi autorizada (dhRecbto)' }
  const situacao = situacoes.get(text('cSitNFe'))
  if (!situacao) return { tipo: 'defeituoso', defeito: 'o resumo não diz a situação da nota (cSitNFe)' }
  return { tipo: 'resumo', situacao, autorizacao }
}
