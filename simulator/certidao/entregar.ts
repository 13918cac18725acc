import { contribuinteComportado } from '../autoridades/comportado.ts'
import { escreverPagina } from '../autoridades/pagina.ts'
import { OUTRO_DOCUMENTO } from '../comportamento.ts'
import type { Certidao } from '../mundo/certidao.ts'
import { escreverPdf } from './pdf.ts'

/** What a state serves as the PDF of a certificate: itself, or what its misbehaviour makes of it. */
export async function octetosDoPdf(certidao: Certidao): Promise<Buffer> {
  switch (certidao.papel) {
    case 'html':
      return escreverPagina(200, 'Erro', 'Ocorreu um erro na geração do documento.').corpo
    case 'corrompido': {
      const pdf = await escreverPdf(certidao)
      return Buffer.concat([pdf.subarray(0, 200), Buffer.alloc(300)])
    }
    case 'outro': {
      const { inscricoes } = contribuinteComportado(OUTRO_DOCUMENTO, certidao.uf)
      return escreverPdf({ ...certidao, documento: OUTRO_DOCUMENTO, inscricao: inscricoes[0]?.ie ?? '' })
    }
    case 'certo':
      return escreverPdf(certidao)
  }
}
