import { hash } from 'node:crypto'
import { XmlDocument } from 'libxml2-wasm'
import { diaDoInstante } from '../../documento/dia.ts'
import { canonizar, semEspacos } from './abrir.ts'
import { lerDocumento } from './documento.ts'
import { descer } from './lugar.ts'
import type { Elemento } from './nota-arvore.ts'

/** What the protocol of an authorization says; a text is empty where it says nothing. `dia` is AAAA-MM-DD. */
export type Protocolo = { recebidaEm: string; dia: string; chave: string; digest: string }

/** Authorised in time, with an alert (NT 2026.002 v1.11), or late. */
const AUTORIZADA: ReadonlySet<string> = new Set(['100', '120', '150'])

/**
 * The protocol beside a note in its `nfeProc`, the first that says that it was authorised, and on what day;
 * undefined where none does.
 */
export function lerProtocolo({ nome, filhos }: Elemento): Protocolo | undefined {
  if (nome !== 'nfeProc') return undefined
  for (const filho of filhos) {
    const lido = filho.nome === 'protNFe' ? lerInfProt(descer(filho, 'infProt')) : undefined
    if (lido) return lido
  }
  return undefined
}

function lerInfProt(infProt: Elemento | undefined): Protocolo | undefined {
  const ler = (campo: string): string => descer(infProt, campo)?.texto.trim() ?? ''
  const recebidaEm = ler('dhRecbto')
  const dia = diaDoInstante(recebidaEm)
  if (dia === undefined || !AUTORIZADA.has(ler('cStat'))) return undefined
  return { recebidaEm, dia, chave: ler('chNFe'), digest: ler('digVal') }
}

/** Whether a protocol says of this key that it was authorised. */
export const isDestaChave = ({ chave }: Protocolo, { infNFe }: { infNFe: Elemento }): boolean =>
  infNFe.atributos.Id === `NFe${chave}`

/**
 * Whether what was authorised is this content, blanks between elements left out where need be. A protocol
 * may lack the digest (`digVal` is optional in the schema), and then its key has to do.
 */
export const isDesteConteudo = (
  { digest }: Protocolo,
  { documento, xml }: { documento: XmlDocument; xml: string },
): boolean => digest === '' || digest === resumo(documento, xml) || digest === resumoSemEspacos(xml)

function resumoSemEspacos(xml: string): string {
  const juntos = semEspacos(xml)
  if (juntos === xml) return ''
  const documento = lerDocumento(juntos)
  if (!(documento instanceof XmlDocument)) return ''
  try {
    return resumo(documento, juntos)
  } finally {
    documento.dispose()
  }
}

const resumo = (documento: XmlDocument, xml: string): string =>
  hash('sha1', canonizar(documento, xml).infNFe ?? '', 'base64')
