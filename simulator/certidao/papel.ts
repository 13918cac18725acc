import { contribuinteComportado } from '../mundo/comportado.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import { escapar } from '../platform/xml.ts'
import type { Certidao } from './certidao.ts'
import { linhasDe } from './linhas.ts'
import { escreverPdf } from './pdf.ts'

/** The octets that a state serves as a certificate's PDF. A misbehaviour may spoil them. */
export async function octetosDoPdf(certidao: Certidao): Promise<Buffer> {
  switch (certidao.papel) {
    case 'html':
      return escreverPagina(200, 'Erro', 'Ocorreu um erro na geração do documento.').corpo
    case 'corrompido': {
      const pdf = await escreverPdf(certidao)
      return Buffer.concat([pdf.subarray(0, 200), Buffer.alloc(300)])
    }
    case 'outro':
      return escreverPdf(deOutro(certidao))
    case 'certo':
      return escreverPdf(certidao)
  }
}

/** The body of a certificate's HTML page. A misbehaviour may spoil it. */
export function corpoDaCertidao(certidao: Certidao): string {
  switch (certidao.papel) {
    case 'html':
      return '<h2>Erro</h2><h3>Ocorreu um erro na geração do documento.</h3>'
    case 'corrompido': {
      const html = escreverHtmlDaCertidao(certidao)
      return html.slice(0, html.length / 2)
    }
    case 'outro':
      return escreverHtmlDaCertidao(deOutro(certidao))
    case 'certo':
      return escreverHtmlDaCertidao(certidao)
  }
}

function deOutro(certidao: Certidao): Certidao {
  const { inscricoes } = contribuinteComportado(OUTRO_DOCUMENTO, certidao.uf)
  return { ...certidao, documento: OUTRO_DOCUMENTO, inscricao: inscricoes[0]?.ie ?? '' }
}

/** The certificate as a page, of whichever outcome: titles centred, small print small. HTML of a body. */
function escreverHtmlDaCertidao(certidao: Certidao): string {
  const linhas = linhasDe(certidao).map((linha) => {
    if (linha.startsWith('# ')) return `<center><b>${escapar(linha.slice(2))}</b></center>`
    if (linha.startsWith('- ')) return `<p><small>${escapar(linha.slice(2))}</small></p>`
    return `<p>${escapar(linha)}</p>`
  })
  return `<div class="certidao">${linhas.join('\n')}</div>`
}
