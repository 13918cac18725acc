import { abrirPdf } from '../certidao/pdf.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import type { CertidaoFederal } from './certidao.ts'
import { type Linha, linhasDe } from './papel.ts'

/** Points from the edge to the text, and of a line. */
const MARGEM = 64
const LARGURA = 467

/** The octets of a certificate's file: a PDF of one page or two, or what its `papel` puts in its place. */
export async function octetosDaCertidao(certidao: CertidaoFederal): Promise<Buffer> {
  switch (certidao.papel) {
    case 'html':
      return escreverPagina(200, 'Erro', 'Ocorreu um erro na geração do documento.').corpo
    case 'outro':
      return escreverPdf({ ...certidao, cnpj: OUTRO_DOCUMENTO })
    case 'corrompido': {
      const pdf = await escreverPdf(certidao)
      return pdf.subarray(0, pdf.length / 2)
    }
    default:
      return escreverPdf(certidao)
  }
}

async function escreverPdf(certidao: CertidaoFederal): Promise<Buffer> {
  const { papel } = certidao
  const { papel: documento, feito } = await abrirPdf(certidao, MARGEM)
  for (const linha of linhasDe(certidao)) {
    if (papel === 'duas-paginas' && linha.texto.startsWith('Emitida')) documento.addPage()
    documento.font(linha.negrito ? 'Times-Bold' : 'Times-Roman').fontSize(linha.centrada ? 12 : 11)
    if (papel === 'colado') escreverColado(documento, linha)
    else documento.text(linha.texto, { align: linha.centrada ? 'center' : 'justify' })
    documento.moveDown(0.5)
  }
  documento.end()
  return feito
}

/** What is drawn on: the part of a PDF document that places words. */
type Folha = {
  y: number
  text: (texto: string, x: number, y: number, opcoes: { lineBreak: false }) => unknown
  widthOfString: (texto: string) => number
  currentLineHeight: (comEspaco: boolean) => number
}

/** Points between two words: less than extractors take for a space. */
const VAO = 0.4

/** Places each word alone, without a space between them. */
function escreverColado(folha: Folha, { texto }: Linha): void {
  let [x, y] = [MARGEM, folha.y]
  for (const palavra of texto.split(' ')) {
    const largura = folha.widthOfString(palavra)
    if (x + largura > MARGEM + LARGURA) {
      x = MARGEM
      y += folha.currentLineHeight(true)
    }
    folha.text(palavra, x, y, { lineBreak: false })
    x += largura + VAO
  }
  folha.text('', MARGEM, y + folha.currentLineHeight(true), { lineBreak: false })
}
