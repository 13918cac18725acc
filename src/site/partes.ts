import type { ConsultaDaApi } from '../painel/experimentar/consulta.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'

/** A lookup in the table, with the chapter of the guide that explains it. */
export type ConsultaComPreco = Pick<ConsultaDaApi, 'nome' | 'custo'> & { capitulo: string }

/** What the service answers, with what each costs. */
export const tabelaDeConsultas = (consultas: readonly ConsultaComPreco[], prefixo: string): Html =>
  cartao(
    {
      titulo: 'O que ele responde',
      id: 'consultas',
      lado: html`<a href="${url(`${prefixo}/documentacao`)}">A referência</a>`,
    },
    html`<table class="precos"><thead><tr><th scope="col">Consulta</th><th scope="col">Custo</th></tr></thead><tbody>${consultas.map(
      ({ nome, custo, capitulo }) =>
        html`<tr><th scope="row"><a href="${url(prefixo + capitulo)}">${nome}</a></th><td>${custo}</td></tr>`,
    )}</tbody></table>`,
  )

/** What people fear of such a service, and what is done about it. */
export function tresMedos(prefixo: string): Html {
  const link = (caminho: string, texto: string): Html =>
    html`<a href="${url(prefixo + caminho)}">${texto}</a>`
  return html`${[
    medo(
      'E se a resposta estiver errada?',
      'resposta-errada',
      html`<p>Quem responde é o próprio órgão, e cada resposta diz qual, e quando ele foi consultado. O que não se entende é falha, nunca um palpite: uma certidão só é entregue se o papel declara o documento consultado.</p><p>${link('/docs/erros/', 'Como as falhas são ditas')}</p>`,
    ),
    medo(
      'E se a conta vier alta?',
      'conta-alta',
      html`<p>O preço está dito antes, em créditos, e só o que é entregue é cobrado: uma falha não custa nada. Cada cobrança tem o número do pedido, e o extrato fecha com ele.</p><p>${link('/docs/creditos/', 'Créditos e planos')}</p>`,
    ),
    medo(
      'E o certificado do meu cliente?',
      'certificado',
      html`<p>Serve a uma consulta só, na memória dela. Não é gravado em disco, registro nem cache, e a senha também não. Um ensaio diz antes que evento seria registrado em nome dele, e <code>manifestar</code> falso não registra nenhum.</p><p>${link('/docs/certificado/', 'O que é feito do certificado')}</p>`,
    ),
  ]}`
}

const medo = (titulo: string, id: string, texto: Content): Html =>
  cartao({ titulo, id, classe: 'terco medo' }, texto)

type Destinos = { prefixo: string; temCadastro: boolean }

/** The ways in: where nobody can make an account, the log-in. */
export const entradas = ({ prefixo, temCadastro }: Destinos): Html =>
  html`<p><a class="botao" href="${url(`${prefixo}/${temCadastro ? 'criar-conta' : 'entrar'}/`)}">${temCadastro ? 'Criar conta' : 'Entrar'}</a> <a href="${url(`${prefixo}/docs/`)}">Ler o guia</a></p>`

/** The first commands of who runs it, and of who calls it. */
export function porOndeComecar({ servico, ...destinos }: { servico: string } & Destinos): Html {
  const curl = `curl -H "X-API-Key: $CHAVE" '${servico}/api/consultar-cnpj?cnpj=00000000000191'`
  return cartao(
    { titulo: 'Por onde começar', id: 'comecar', classe: 'comecar' },
    html`<h3>Para instalar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para instalar"><code>npm ci
npm start</code></pre><p class="suave">Sobe com um simulador dos órgãos: nada mais é preciso para experimentar.</p><h3>Para consultar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para consultar"><code>${curl}</code></pre>${entradas(destinos)}`,
  )
}
