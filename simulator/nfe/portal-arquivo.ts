import type { Nota } from './nota.ts'
import { chaveDo } from './notas.ts'
import type { EscreverNfeProc } from './proc.ts'

/** The file of a note as the portal gives it, or what the defect of its scenario makes of it. */
export async function escreverArquivoDoPortal(nota: Nota, escrever: EscreverNfeProc): Promise<string> {
  const { portal } = nota.cenario
  const defeito = typeof portal === 'object' && portal.tipo === 'documento' ? portal.defeito : undefined
  if (defeito === 'vazio') return ''
  const xml = reescrever(await escrever(defeito === 'outra-chave' ? vizinha(nota) : nota))
  if (defeito === 'sem-protocolo') return xml.replace(/<protNFe\b.*<\/protNFe>/s, '')
  if (defeito === 'outra-raiz') return xml.replace(/(<\/?)nfeProc\b/g, '$1procNFe')
  // What else is wrong with a document is wrong with its envelope, of which there is none here.
  return xml
}

/**
 * The portal writes the file anew: `Id` before `versao`, no namespace of its own on `protNFe`, no XML declaration (a report of 2012).
 * The signature holds: Canonical XML sorts the attributes.
 */
function reescrever(xml: string): string {
  return xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/<infNFe (versao="[^"]*") (Id="[^"]*")>/, '<infNFe $2 $1>')
    .replace(/(<protNFe\b[^>]*?) xmlns="[^"]*"/, '$1')
}

/** The note of the same scenario that was authorized a second before. */
function vizinha(nota: Nota): Nota {
  const autorizacao = new Date(nota.autorizacao.getTime() - 1000)
  return { ...nota, autorizacao, chave: chaveDo(nota.cenario, autorizacao) }
}
