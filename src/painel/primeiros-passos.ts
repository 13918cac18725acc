import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Visao } from './visao-visao.ts'

/** A company of the sample base and of the simulator, which everybody knows. */
const EXEMPLO = '/api/consultar-cnpj?cnpj=00000000000191'

/** What an account that has not called yet does first. The key itself stands on no page but the settings. */
export function primeirosPassos({ origem, prefixo }: Pick<Visao, 'origem' | 'prefixo'>): Html {
  const link = (caminho: string, texto: string): Html =>
    html`<a href="${url(`${prefixo}${caminho}`)}">${texto}</a>`
  return cartao(
    { titulo: 'Primeiros passos', id: 'primeiros-passos', classe: 'dois-tercos' },
    html`<ol class="passos">${[
      passo(
        'Copie a sua chave',
        html`<p>Ela está em ${link('/painel/configuracoes/', 'Configurações')}. Cole no terminal a linha abaixo, tecle Enter, cole a chave e tecle Enter de novo: assim ela não aparece nem fica no histórico dos comandos.</p>${comando('read -rs CHAVE && export CHAVE')}`,
      ),
      passo(
        'Faça a primeira consulta',
        html`${comando(`curl -H "X-API-Key: $CHAVE" "${origem}${EXEMPLO}"`)}<p class="suave">A resposta é JSON e custa 1 crédito. Uma falha não custa nada.</p>`,
      ),
      passo(
        'Veja o que ela foi',
        html`<p>Volte a esta página: a chamada aparece aqui e no ${link('/painel/registro/', 'registro')}, com o tempo e os créditos.</p>`,
      ),
    ]}</ol><p>Sem terminal, ${link('/painel/experimentar/', 'experimente no navegador')}. O ${link('/docs/', 'guia')} explica cada consulta.</p>`,
  )
}

const passo = (titulo: string, conteudo: Content): Html => html`<li><h3>${titulo}</h3>${conteudo}</li>`

const comando = (linha: string): Html => html`<pre tabindex="0"><code>${linha}</code></pre>`
