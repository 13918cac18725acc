/** How a certificate is put on paper: rightly, or in a way that readers stumble over. */
export type Papel =
  | 'certo'
  /** An HTML page, somebody else's certificate, or half a file in the place of the PDF. */
  | 'html'
  | 'outro'
  | 'corrompido'
  /** The title over three lines; words without spaces between them; no accents; two pages. */
  | 'quebrado'
  | 'colado'
  | 'sem-acentos'
  | 'duas-paginas'
  /** The first eight digits of the CNPJ alone, as public bodies may have it. */
  | 'raiz'
  /** The title of one kind with the body of another; an end before its issue; no control code. */
  | 'contradiz'
  | 'datas'
  | 'sem-codigo'
