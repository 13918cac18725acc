import type { EfeitoNfe } from './cenario.ts'
import type { Nota } from './nota.ts'
import { chaveDo, notaDe } from './notas.ts'

export type Defeito = Extract<EfeitoNfe, { tipo: 'documento' }>['defeito']

/** The document of a note, with a defect of content if there is one. Other defects are of the sending. */
export async function escreverComDefeito(
  defeito: Defeito | undefined,
  nota: Nota,
  escrever: (nota: Nota) => string | Promise<string>,
): Promise<string> {
  const xml = await escrever(defeito === 'outra-chave' ? vizinhaDe(nota) : nota)
  if (defeito === 'sem-protocolo') return xml.replace(/<protNFe[\s\S]*<\/protNFe>/, '')
  if (defeito === 'outra-raiz') return xml.replace(/(<\/?)(?:nfeProc|resNFe)/g, '$1resEvento')
  return xml
}

/** The note of the same scenario that was authorized a minute before. */
function vizinhaDe(nota: Nota): Nota {
  const chave = chaveDo(nota.cenario, new Date(nota.autorizacao.getTime() - 60_000))
  return notaDe(chave) ?? nota
}
