import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBase } from '../cnpj/lookup.ts'
import { cadastroDe } from '../contas/tentar.ts'
import { dataBrasileira } from '../documento/dia.ts'
import { findUf } from '../documento/uf.ts'
import { findInscricoes } from '../inscricao/lookup.ts'
import { type ConsultaDaApi, lerConsultas, membro, texto } from '../painel/experimentar/consulta.ts'
import { lerExemplo } from '../painel/experimentar/exemplos.ts'
import type { PainelRoom } from '../painel/painel.ts'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { READY } from '../platform/http/ready.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import { campoDe, readTextos } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { baseDe, openProntas, sendOrigin, soDasNossasPaginas } from '../platform/pages/moldura.ts'
import { openOnce } from '../platform/pages/por-palavra.ts'
import { readRoteiro } from '../platform/simulator.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import { currentQuadro } from '../sefaz/lookup.ts'
import { drawSefazAgora } from '../sefaz/page-vista.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import { capituloDaConsulta } from './guia-capitulos.ts'
import { CASO, type Caso, type Experimento, escreverExperimento, type ProvaFeita } from './prova.ts'

/** A lookup in the table, with the chapter of the guide that explains it. */
type ConsultaComPreco = Pick<ConsultaDaApi, 'nome' | 'custo'> & { capitulo: string }

/** What the service answers, with what each costs. */
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

type Destinos = { prefixo: string; temCadastro: boolean }

/** The ways in: where nobody can make an account, the log-in. */
const entradas = ({ prefixo, temCadastro }: Destinos): Html =>
  html`<p><a class="botao" href="${url(`${prefixo}/${temCadastro ? 'criar-conta' : 'entrar'}/`)}">${temCadastro ? 'Criar conta' : 'Entrar'}</a> <a href="${url(`${prefixo}/docs/`)}">Ler o guia</a></p>`

/** The first commands of who runs it, and of who calls it. */
function porOndeComecar({ servico, ...destinos }: { servico: string } & Destinos): Html {
  const curl = `curl -H "X-API-Key: $CHAVE" '${servico}/api/consultar-cnpj?cnpj=00000000000191'`
  return cartao(
    { titulo: 'Por onde começar', id: 'comecar', classe: 'comecar' },
    html`<h3>Para instalar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para instalar"><code>npm ci
npm start</code></pre><p class="suave">Sobe com um simulador dos órgãos: nada mais é preciso para experimentar.</p><h3>Para consultar</h3><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Para consultar"><code>${curl}</code></pre>${entradas(destinos)}`,
  )
}

/** What the first page is drawn with. */
type Abertura = Experimento & {
  quadro: Quadro | undefined
  consultas: readonly ConsultaComPreco[]
  /** Whether a visitor can make an account, by himself or with an invitation. */
  temCadastro: boolean
  /** The address of the service. */
  servico: string
}

/** One sentence on what the service is. */
const EM_UMA_FRASE =
  'Um serviço que pergunta às secretarias da fazenda, à Receita Federal e ao INCRA o que se precisa saber de um contribuinte, responde em JSON e cobra só o que entrega.'

/** The first page: what it is, a try, the map of now, what it costs, and where to begin. */
const paginaDeAbertura = (abertura: Abertura): Html =>
  html`<div class="abertura"><div class="apresentacao"><h1>Consulta Fiscal</h1><p class="frase">${EM_UMA_FRASE}</p>${entradas(abertura)}</div>
<div class="grade">${cartao(
    { titulo: 'Experimente agora, sem conta', id: 'prova', classe: 'maior' },
    escreverExperimento(abertura),
  )}<div class="menor coluna">${drawSefazAgora(abertura)}${porOndeComecar(abertura)}</div>${tresMedos(abertura.prefixo)}${tabelaDeConsultas(abertura.consultas, abertura.prefixo)}</div></div>`

/** The tries that an address may make a minute, and all together. */
const DE_UM = 10
const DE_TODOS = 120

/** How many tries are at work at once, and how many wait. */
const FILA = { places: 4, waiting: 16, perOwner: 2 }
const ESPERA_MS = 5_000

/** The form has one field. */
const MAIOR_PROVA = 1024

/**
 * The first page, with a try that needs no account: of the simulator alone, on the documents of its list, so
 * that it is no way around the API.
 */
export function paginaInicial(app: FastifyInstance, room: PainelRoom, moldura: MolduraDoSite): void {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 2 })
  const consultas = openOnce(async () =>
    lerConsultas((await app.inject('/openapi.json')).json()).map((one) => ({
      ...one,
      capitulo: capituloDaConsulta(one.id),
    })),
  )
  const casos = openOnce(async () => casosDe(await readRoteiro(room.simulador)))
  const gravadas = openOnce(lerGravadas)
  const fila = createQueue(FILA)
  const deUm = openAddressCount({ limit: DE_UM, now: room.now })
  const deTodos = openAddressCount({ limit: DE_TODOS, now: room.now })

  /** What the page is made of; all but the board is read once. */
  async function juntar(): Promise<Abertura> {
    return {
      prova: undefined,
      // The page is there without the simulator, which may be starting again.
      casos: (await casos().catch(() => undefined)) ?? [],
      gravadas: await gravadas(),
      consultas: await consultas(),
      quadro: currentQuadro(room),
      temCadastro: cadastroDe(room.config) !== 'fechado',
      servico: baseDe(app, moldura),
      prefixo,
    }
  }
  const escrever = (abertura: Abertura): string =>
    writePage(
      { ...INICIO, avulsa: abertura.prova !== undefined, conteudo: paginaDeAbertura(abertura) },
      moldura,
    )

  app.get('/', READY, async (request, reply) => {
    const abertura = await juntar()
    const versao = `${abertura.quadro?.rodada.fim} ${abertura.casos.length}`
    return prontas.send(request, reply, {
      nome: 'inicio',
      versao,
      ...PAGINA,
      make: () => escrever(abertura),
    })
  })

  sendOrigin(app)
  app.addHook('onRequest', soDasNossasPaginas(moldura))
  readTextos(app, MAIOR_PROVA)
  app.post(
    '/',
    {
      schema: { hide: true },
      bodyLimit: MAIOR_PROVA,
      onRequest: (request, _reply, done) => {
        const waitS = deUm.waitS(request.ip) ?? deTodos.waitS('')
        if (waitS !== undefined) return done(demais(waitS))
        deUm.add(request.ip)
        deTodos.add('')
        done()
      },
    },
    async (request, reply) => {
      const nome = campoDe(request, CASO)
      const caso = (await casos()).find((one) => one.nome === nome)
      if (!caso) throw new ApiError('REQUISICAO_INVALIDA', 'Escolha uma das perguntas da lista.')
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
      return escrever({ ...(await juntar()), prova: await provar(caso, request, reply) })
    },
  )

  async function provar(caso: Caso, request: FastifyRequest, reply: FastifyReply): Promise<ProvaFeita> {
    const turn = { owner: networkOf(request.ip), waitMs: ESPERA_MS, signal: signalOfLeaving(reply.raw) }
    try {
      return { caso: caso.nome, resposta: await fila(turn, () => responder(caso, request.id)) }
    } catch (error) {
      if (error instanceof QueueFull) throw demais(5)
      const falha = error instanceof ApiError ? error.message : statusOfFailure(error)?.error_message
      if (falha === undefined) throw error
      return { caso: caso.nome, resposta: undefined, falha }
    }
  }

  async function responder({ endpoint, valores }: Caso, request_id: string): Promise<unknown> {
    const { uf = '', cnpj = '', cpf, ie } = valores
    if (endpoint === CNPJ) return readBase(room).find(cnpj)?.result
    const estado = findUf(uf)
    if (!estado) throw new ApiError('UF_NAO_SUPORTADA', 'Escolha uma das perguntas da lista.')
    const tipo = cpf === undefined ? (ie === undefined ? 'cnpj' : 'ie') : 'cpf'
    const pergunta = { tipo, documento: cpf ?? ie ?? cnpj } as const
    const { inscricoes, ...found } = await findInscricoes(room, estado, pergunta, { request_id })
    return { document: pergunta.documento, uf: estado, results: inscricoes, ...found }
  }
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

const CNPJ = '/api/consultar-cnpj'
const IE = '/api/consultar'

/** The cases of the list that are plain answers of the two lookups. */
function casosDe(roteiro: readonly unknown[]): readonly Caso[] {
  const all = roteiro.flatMap((one) => lerExemplo(one) ?? [])
  return all
    .filter(
      ({ endpoint, http, espera }) => (endpoint === CNPJ || endpoint === IE) && http === 200 && espera === '',
    )
    .filter(({ valores }) => !('force_fresh' in valores))
    .map((one) => ({ ...one, nome: `${one.endpoint}?${new URLSearchParams(one.valores)}` }))
}

/** Answers of the simulator that were recorded, with their day (data/README.md). */
async function lerGravadas(): Promise<readonly ProvaFeita[]> {
  const file = new URL('../../data/exemplos.json', import.meta.url)
  const answers: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'))
  return [
    { caso: `${IE}?uf=SP&cnpj=99001002000162`, resposta: answers[IE] },
    { caso: `${CNPJ}?cnpj=99001002000162`, resposta: answers[CNPJ] },
  ].map((one) => ({ ...one, gravada: diaDaResposta(answers[IE]) }))
}

/** The day on which an answer was given, in Brazilian form. */
const diaDaResposta = (resposta: unknown): string =>
  dataBrasileira(texto(membro(resposta, 'consultado_em')).slice(0, 10))

const demais = (retryS: number): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `São ${DE_UM} perguntas por minuto de cada endereço, e há um limite para todos. Tente de novo em ${retryS} s, ou crie uma conta.`,
    { retryS },
  )
