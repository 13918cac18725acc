import { type Uf, ufs } from '../documento/uf.ts'
import { formatQuando } from '../platform/pages/formatos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { legendaDasClasses, mapaDoBrasil } from '../platform/pages/mapa.ts'
import { situacaoDe } from './rules-quadro.ts'
import type { Quadro } from './sefaz-rodada.ts'

/** A card with the map of the NF-e of now, where each state leads to its page. */
export function cartaoDasSefaz(
  { quadro, prefixo }: { quadro: Quadro | undefined; prefixo: string },
  classe = '',
): Html {
  const contagem = [0, 0, 0, 0, 0, 0]
  for (const uf of ufs) {
    const { status_code } = situacaoDe(quadro, 'nfe', uf)
    contagem[status_code] = (contagem[status_code] ?? 0) + 1
  }
  const enderecoDe = (uf: Uf): string => `${prefixo}/sefaz/${uf.toLowerCase()}/`
  return cartao(
    {
      titulo: 'SEFAZ agora',
      id: 'sefaz-agora',
      classe,
      lado: html`<a href="${url(`${prefixo}/sefaz/`)}">Ver por estado</a>`,
    },
    html`${mapaDoBrasil((uf) => situacaoDe(quadro, 'nfe', uf), enderecoDe)}${legendaDasClasses(contagem)}<p class="suave">${
      quadro
        ? `NF-e, lida em ${formatQuando(quadro.rodada.fim)}.`
        : 'Sem leitura de agora: o monitor ainda não terminou uma rodada, está desligado ou parado.'
    }</p>`,
  )
}
