import { formatAgora } from '../platform/pages/formatos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { cartaoDasSefaz } from '../sefaz/vista.ts'
import { consultasPorDia } from './chamadas.ts'
import { tabelaDeChamadas } from './componentes-chamadas.ts'
import { primeirosPassos } from './primeiros-passos.ts'
import { cartoes } from './visao.ts'
import { DIAS_DA_VISAO, type Visao } from './visao-visao.ts'

/** The content of the overview. An account that has not called yet is shown how to begin. */
export function paginaDaVisao(visao: Visao): Html {
  const { agora, ultimas, prefixo } = visao
  const isNew = ultimas.length === 0 && visao.dias.every(({ soma }) => soma.chamadas === 0)
  return html`<div class="topo"><div><h1>Visão geral</h1><p class="suave">${formatAgora(agora)}</p></div><a class="botao" href="${url(`${prefixo}/painel/experimentar/`)}">Experimentar uma consulta</a></div>
<div class="grade visao">
${cartoes(visao)}
${isNew ? primeirosPassos(visao) : cartaoDoGrafico(visao)}
${cartaoDasSefaz(visao, 'terco')}
${
  !isNew &&
  cartao(
    {
      titulo: 'Últimas chamadas',
      id: 'ultimas',
      lado: html`<a href="${url(`${prefixo}/painel/registro/`)}">Ver todas</a>`,
    },
    ultimas.length > 0
      ? tabelaDeChamadas(ultimas, prefixo)
      : html`<p class="vazio">Nenhuma chamada nos últimos 90 dias.</p>`,
  )
}
</div>`
}

const cartaoDoGrafico = ({ dias, prefixo }: Visao): Html =>
  cartao(
    {
      titulo: 'Chamadas por dia',
      id: 'por-dia',
      classe: 'dois-tercos',
      lado: html`<a href="${url(`${prefixo}/painel/uso/`)}">Ver o uso</a>`,
    },
    consultasPorDia(dias.slice(-DIAS_DA_VISAO)),
  )
