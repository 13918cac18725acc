import { escreverComDefeito } from '../defeito.ts'
import type { Nota } from '../nota.ts'
import type { EscreverNfeProc } from '../proc.ts'

/** The file of a note as the portal gives it, or what the defect of its scenario makes of it. */
export async function escreverArquivoDoPortal(nota: Nota, escrever: EscreverNfeProc): Promise<string> {
  const { portal } = nota.cenario
  const defeito = typeof portal === 'object' && portal.tipo === 'documento' ? portal.defeito : undefined
  if (defeito === 'vazio') return ''
  return reescrever(await escreverComDefeito(defeito, nota, escrever))
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
