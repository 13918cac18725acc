import type { FastifyInstance } from 'fastify'
import { type ConsultaDaApi, readConsultas } from '../painel/experimentar/consulta.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { cadastroDe } from '../platform/config/config.ts'
import { READY } from '../platform/http/ready.ts'
import { campoDe, readTextos } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { baseDe, openProntas, sendOrigin, soDasNossasPaginas } from '../platform/pages/moldura.ts'
import { openOnce } from '../platform/pages/por-palavra.ts'
import { currentQuadro } from '../sefaz/lookup.ts'
import { drawSefazAgora } from '../sefaz/page-vista.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import { capituloDaConsulta } from './guia-capitulos.ts'
import { CASO, drawExperimento, type Experimento, openProvas } from './prova.ts'

/** A lookup in the table, with the chapter of the guide that explains it. */
type ConsultaComPreco = Pick<ConsultaDaApi, 'nome' | 'custo'> & { capitulo: string }

const tabelaDeConsultas = (consultas: readonly ConsultaComPreco[], prefixo: string): Html =>
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
function tresMedos(prefixo: string): Html {
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

type Destinos = { prefixo: string; hasCadastro: boolean }

/** The ways in: where nobody can make an account, the log-in. */
const entradas = ({ prefixo, hasCadastro }: Destinos): Html =>
  html`<p><a class="botao" href="${url(`${prefixo}/${hasCadastro ? 'criar-conta' : 'entrar'}/`)}">${hasCadastro ? 'Criar conta' : 'Entrar'}</a> <a href="${url(`${prefixo}/docs/`)}">Ler o guia</a></p>`

function porOndeComecar({ servico, ...destinos }: { servico: string } & Destinos): Html {
  const curl = `curl -H "X-API-Key: $CHAVE" '${servico}/api/consultar-cnpj?cnpj=00000000000191'`
  return cartao(
    { titulo: 'Por onde começar', id: 'comecar', classe: 'comecar' },
    html`<h3>Para instalar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para instalar"><code>npm ci
npm start</code></pre><p class="suave">Sobe com um simulador dos órgãos: nada mais é preciso para experimentar.</p><h3>Para consultar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para consultar"><code>${curl}</code></pre>${entradas(destinos)}`,
  )
}

type Abertura = Experimento & {
  quadro: Quadro | undefined
  consultas: readonly ConsultaComPreco[]
  /** Whether a visitor can make an account, by himself or with an invitation. */
  hasCadastro: boolean
  servico: string
}

const EM_UMA_FRASE =
  'Um serviço que pergunta às secretarias da fazenda, à Receita Federal e ao INCRA o que se precisa saber de um contribuinte, responde em JSON e cobra só o que entrega.'

/** The first page: what it is, a try, the map of now, what it costs, and where to begin. */
const paginaDeAbertura = (abertura: Abertura): Html =>
  html`<div class="abertura"><div class="apresentacao"><h1>Consulta Fiscal</h1><p class="frase">${EM_UMA_FRASE}</p>${entradas(abertura)}</div>
<div class="grade">${cartao(
    { titulo: 'Experimente agora, sem conta', id: 'prova', classe: 'maior' },
    drawExperimento(abertura),
  )}<div class="menor coluna">${drawSefazAgora(abertura)}${porOndeComecar(abertura)}</div>${tresMedos(abertura.prefixo)}${tabelaDeConsultas(abertura.consultas, abertura.prefixo)}</div></div>`

const MAIOR_PROVA = 1024

export function paginaInicial(app: FastifyInstance, room: PainelRoom, moldura: MolduraDoSite): void {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 2 })
  const consultas = openOnce(async () =>
    readConsultas((await app.inject('/openapi.json')).json()).map((one) => ({
      ...one,
      capitulo: capituloDaConsulta(one.id),
    })),
  )
  const provas = openProvas(room)

  /** What the page is made of; all but the board is read once. */
  async function gather(): Promise<Abertura> {
    return {
      prova: undefined,
      // The page is there without the simulator, which may be starting again.
      casos: await provas.casos().catch(() => []),
      gravadas: await provas.gravadas(),
      consultas: await consultas(),
      quadro: currentQuadro(room),
      hasCadastro: cadastroDe(room.config) !== 'fechado',
      servico: baseDe(app, moldura),
      prefixo,
    }
  }
  const draw = (abertura: Abertura): string =>
    writePage(
      { ...INICIO, avulsa: abertura.prova !== undefined, conteudo: paginaDeAbertura(abertura) },
      moldura,
    )

  app.get('/', READY, async (request, reply) => {
    const abertura = await gather()
    const versao = `${abertura.quadro?.rodada.fim} ${abertura.casos.length}`
    return prontas.send(request, reply, {
      nome: 'inicio',
      versao,
      ...PAGINA,
      make: () => draw(abertura),
    })
  })

  sendOrigin(app)
  app.addHook('onRequest', soDasNossasPaginas(moldura))
  readTextos(app, MAIOR_PROVA)
  app.post(
    '/',
    { schema: { hide: true }, bodyLimit: MAIOR_PROVA, onRequest: provas.limit },
    async (request, reply) => {
      const prova = await provas.prove(campoDe(request, CASO), request, reply)
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
      return draw({ ...(await gather()), prova })
    },
  )
}

const PAGINA = { type: 'text/html', headers: { 'cache-control': 'public, max-age=0, s-maxage=15' } }

const INICIO = {
  titulo: 'Dados fiscais, direto da fonte',
  descricao: EM_UMA_FRASE,
  atual: undefined,
  canonico: '/',
  creditos: 'Mapa: Victor Cazanave e MapSVG (CC BY 4.0), com os contornos simplificados.',
  dados: {
    '@context': 'https://schema.org',
    '@type': 'WebAPI',
    name: 'Consulta Fiscal',
    description: EM_UMA_FRASE,
    inLanguage: 'pt-BR',
  },
} as const
