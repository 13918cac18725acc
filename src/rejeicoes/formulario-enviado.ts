import { ApiError } from '../platform/errors.ts'
import { textoDosBytes } from '../platform/http/bodies.ts'
import { CAMPOS, MAIOR_INFORMADO } from './formulario.ts'
import { isFormularioModesto } from './formulario-limites.ts'
import { CAMPO_DA_NOTA, notaGuardada } from './page-formulario.ts'

/** What a form may weigh: an XML of 1 MiB, and what the form puts around it. */
export const MAIOR_FORMULARIO = (1024 + 64) * 1024

/** What a form asks. */
export type FormularioLido = {
  xml: string
  /** What the authority answered. */
  informado: { cstat?: number; motivo?: string }
  /** What the reader should know of how the file was read. */
  avisos: readonly string[]
  /** The rejection on whose page the form stood. */
  pagina?: number
}

const ilegivel = new ApiError(
  'CORPO_INVALIDO',
  'O formulário não pôde ser lido. Envie de novo o arquivo XML, ou cole o texto dele.',
)

async function lerCampos(body: unknown, type: string): Promise<FormData> {
  if (!Buffer.isBuffer(body) || !isFormularioModesto(body, type)) throw ilegivel
  return new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw ilegivel
  })
}

/** Reads the note that the page of a diagnosis carried. Throws an ApiError for what is none. */
export async function lerNotaGuardada(body: unknown, type = ''): Promise<string> {
  const xml = notaGuardada(textoDe(await lerCampos(body, type), CAMPO_DA_NOTA))
  if (xml === undefined) throw ilegivel
  return xml
}

/** Reads a form that was sent: its file, or else its text. Throws an ApiError for what is none. */
export async function lerFormulario(body: unknown, type = ''): Promise<FormularioLido> {
  const form = await lerCampos(body, type)
  const { xml, avisos } = await lerXml(form)
  const informado = lerInformado(textoDe(form, CAMPOS.informado))
  const pagina = textoDe(form, CAMPOS.pagina)
  return { xml, avisos, informado, ...(CODIGO.test(pagina) ? { pagina: Number(pagina) } : {}) }
}

async function lerXml(form: FormData): Promise<Pick<FormularioLido, 'xml' | 'avisos'>> {
  const file = form.get(CAMPOS.arquivo)
  if (file === null || typeof file === 'string' || file.size === 0)
    return { xml: textoDe(form, CAMPOS.xml), avisos: [] }
  return textoDosBytes(new Uint8Array(await file.arrayBuffer()))
}

const textoDe = (form: FormData, campo: string): string => {
  const value = form.get(campo)
  return typeof value === 'string' ? value : ''
}

const CODIGO = /^\d{3,4}$/

/** A code alone, or the words of a rejection. */
function lerInformado(texto: string): FormularioLido['informado'] {
  const words = texto.trim().slice(0, MAIOR_INFORMADO)
  if (words === '') return {}
  return CODIGO.test(words) ? { cstat: Number(words) } : { motivo: words }
}
