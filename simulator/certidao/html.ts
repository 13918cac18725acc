import { escapar } from '../autoridades/xml.ts'
import type { Certidao } from '../mundo/certidao.ts'
import { linhasDe } from './linhas.ts'

/** The certificate as a page, of whichever outcome: titles centred, small print small. HTML of a body. */
export function escreverHtmlDaCertidao(certidao: Certidao): string {
  const linhas = linhasDe(certidao).map((linha) => {
    if (linha.startsWith('# ')) return `<center><b>${escapar(linha.slice(2))}</b></center>`
    if (linha.startsWith('- ')) return `<p><small>${escapar(linha.slice(2))}</small></p>`
    return `<p>${escapar(linha)}</p>`
  })
  return `<div class="certidao">${linhas.join('\n')}</div>`
}
