/** Why the text of a PDF cannot be read. */
export type MotivoDoPdf =
  | 'ilegivel'
  /** It wants a password. */
  | 'protegido'
  /** It is a picture of a text. */
  | 'sem-texto'
  | 'longo'
  /** It took more time, or more memory, than a document of its size may. */
  | 'pesado'

const words: Readonly<Record<MotivoDoPdf, string>> = {
  ilegivel: 'um PDF que não se consegue ler',
  protegido: 'um PDF protegido por senha',
  'sem-texto': 'um PDF sem texto',
  longo: 'um PDF longo demais',
  pesado: 'um PDF que não se consegue ler no tempo e na memória reservados para isso',
}

/** A PDF gives no text. The Portuguese message follows `enviou`. */
export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly motivo: MotivoDoPdf

  constructor(motivo: MotivoDoPdf) {
    super(words[motivo])
    this.motivo = motivo
  }
}
