import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatDocumento } from '../documento/documento.ts'
import { ufs } from '../documento/uf.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { cadastroDe } from '../platform/config/config.ts'
import { ApiError } from '../platform/errors.ts'
import { explainFailure } from '../platform/http/problem.ts'
import { prefersEventStream, READY } from '../platform/http/ready.ts'
import { createEventStream } from '../platform/http/stream.ts'
import { nomeDoPlano, nomesDosPlanos, planos, writeReais } from '../platform/ledger/rules.ts'
import { formatNumero } from '../platform/pages/formatos.ts'
import { campoDe, readTextos } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { baseDe, estaticos, openProntas, sendOrigin, soDasNossasPaginas } from '../platform/pages/moldura.ts'
import { currentQuadro } from '../sefaz/lookup.ts'
import { standingOf } from '../sefaz/rules-quadro.ts'
import type { Quadro } from '../sefaz/rules-rodada.ts'
import { casos, isCaso, openProvas, type Pedida, type ProvaDosEstados, readDocumento } from './prova.ts'
import { type PerguntaDaProva, perguntas } from './prova-estados.ts'
import { drawProva, palavraDaCor, viewEstado, viewProva } from './prova-mapa.ts'

/** Whether a visitor can make an account, by himself or with an invitation; else he can only log in. */
type Destinos = { prefixo: string; hasCadastro: boolean }

type Abertura = Destinos & {
  prova: ProvaDosEstados
  /** What stands in the field, and what is wrong with it. */
  escrito: string
  pergunta: PerguntaDaProva
  falha: string
  quadro: Quadro | undefined
  simulador: boolean
  servico: string
}

const EM_UMA_FRASE =
  'Inscrições nos 27 estados, certidões em PDF, CNPJ, imóveis rurais e o XML da nota. Cada resposta diz de onde veio, de quando é e quanto custou. Falha não se cobra.'

const nomesDasPerguntas: Readonly<Record<PerguntaDaProva, string>> = {
  inscricoes: 'Inscrições',
  certidoes: 'Certidões de débitos',
}

function drawFormulario({ prefixo, escrito, pergunta, falha, simulador }: Abertura): Html {
  const exemplos = Object.entries(casos).slice(simulador ? 1 : 0)
  return html`<form class="prova" id="prova" method="post" action="${url(`${prefixo}/#resposta`)}"><label for="documento">CPF ou CNPJ</label>
<div class="um-campo"><input id="documento" name="documento" type="text" value="${escrito}" maxlength="30" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-invalid="${falha === '' ? 'false' : 'true'}" aria-describedby="falha-da-prova quem-responde"/><button class="botao" type="submit">Perguntar aos 27 estados</button></div>
<p class="falha" id="falha-da-prova" role="alert">${falha}</p>
<fieldset class="o-que"><legend class="so-leitor">O que perguntar</legend>${perguntas.map((one) => opcao(one, one === pergunta))}</fieldset>
<p class="suave" id="quem-responde">${
    simulador
      ? 'Sem conta, com documentos fictícios: quem responde aqui é o simulador. '
      : 'Sem conta, com documentos fictícios e respostas gravadas: os órgãos só são perguntados com uma conta. '
  }Tente ${simulador && 'também '}${exemplos.map(
    ([nome, { rotulo }], at) =>
      html`${at > 0 && (at === exemplos.length - 1 ? ' ou ' : ', ')}<button class="ligacao" type="submit" name="caso" value="${nome}">${rotulo}</button>`,
  )}.</p></form>`
}

const opcao = (pergunta: PerguntaDaProva, isChosen: boolean): Html =>
  isChosen
    ? html`<label><input type="radio" name="pergunta" value="${pergunta}" checked=""/> ${nomesDasPerguntas[pergunta]}</label>`
    : html`<label><input type="radio" name="pergunta" value="${pergunta}"/> ${nomesDasPerguntas[pergunta]}</label>`

/** The plans above the one that an account begins with: what the only lookup with a price in BRL costs. */
const drawPrecos = (): Html =>
  html`<div class="precos"><dl class="tres-precos" aria-label="Preços">${nomesDosPlanos
    .slice(1)
    .map((nome) => {
      const { reaisPorXml, creditos } = planos[nome]
      return html`<div><dt>${nomeDoPlano(nome)}, ${formatNumero(creditos)} créditos por mês</dt><dd><strong>${writeReais(reaisPorXml)}</strong> por XML de nota</dd></div>`
    })}</dl><p class="suave">A conta começa no ${nomeDoPlano('lite')}: ${formatNumero(planos.lite.creditos)} créditos por mês, XML a <span class="inteira">${writeReais(planos.lite.reaisPorXml)}</span>. As outras consultas custam a partir de 1 crédito por órgão que respondeu, e falha custa <span class="inteira">${writeReais('0')}</span>.</p></div>`

/** One way in for each who comes: what he gets, and one thing to copy or to press. */
function drawPortas({ servico, hasCadastro, prefixo }: Abertura): Html {
  const entrar = `${prefixo}/${hasCadastro ? 'criar-conta' : 'entrar'}/`
  const { documento } = casos.empresa
  return html`<div class="tres-portas" id="comecar">${[
    porta(
      'Tenho um ERP',
      'erp',
      html`<p>Sua chave, um curl, a primeira resposta em um minuto. Com exemplos prontos para a sua linguagem.</p>${comando('A primeira consulta', `curl -H "X-API-Key: COLE_AQUI_A_SUA_CHAVE" \\\n  "${servico}/api/consultar?uf=SP&cnpj=${documento}"`)}<p><a href="${url(entrar)}">${hasCadastro ? 'Criar conta e receber a chave' : 'Entrar e ver a chave'}</a></p>`,
    ),
    porta(
      'Tenho um escritório contábil',
      'escritorio',
      html`<p>Certidões e situação da carteira, com o PDF e o custo na mesma tela. Nota recusada? Solte o XML e leve o que corrigir, com o motivo; se a correção é certa, também o XML corrigido.</p><p class="amostra-de-certidao" role="img" aria-label="Exemplo: certidão negativa, válida até 23/01/2027, com o PDF para baixar"><span class="selo bom">Negativa</span> <span>válida até 23/01/2027</span> <b>com o PDF</b></p><p class="acoes"><a class="botao" href="${url(entrar)}">${hasCadastro ? 'Criar conta' : 'Entrar'}</a> <a href="${url(`${prefixo}/blog/rejeicoes/diagnostico/`)}">Diagnosticar um XML</a></p>`,
    ),
    porta(
      'Quero operar o serviço',
      'operador',
      html`<p>Dois comandos e ele está no ar, com um simulador dos órgãos. Em produção em uma hora: um servidor, um certificado A1 e a cópia de segurança.</p>${comando('Instalar e ligar', 'npm ci\nnpm start')}<p><a href="${url(`${prefixo}/docs/operacao/`)}">Como operar</a></p>`,
    ),
  ]}</div>`
}

const porta = (titulo: string, id: string, texto: Content): Html =>
  cartao({ titulo, id, classe: 'entrada-de-quem' }, texto)

const comando = (nome: string, linhas: string): Html =>
  html`<pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="${nome}"><code>${linhas}</code></pre>`

/** What people fear of such a service, and what is done about it. */
function drawMedos(prefixo: string): Html {
  const link = (caminho: string, texto: string): Html =>
    html`<a href="${url(prefixo + caminho)}">${texto}</a>`
  return html`<section class="medos" aria-labelledby="medos"><h2 id="medos" class="so-leitor">Antes de confiar</h2>${[
    html`<h3>E se a resposta estiver errada?</h3><p>Quem responde é o próprio órgão, e cada resposta diz qual, e quando. O que não se entende é falha, nunca um palpite: uma certidão só é entregue se o papel traz o CPF ou o CNPJ consultado. ${link('/docs/erros/', 'Como avisamos uma falha')}</p>`,
    html`<h3>E se a conta vier alta?</h3><p>O preço aparece antes, e só o que é entregue é cobrado. Cada cobrança tem o número do pedido, e o extrato fecha com ele. ${link('/docs/creditos/', 'Créditos e preços, consulta por consulta')}</p>`,
    html`<h3>E o certificado do meu cliente?</h3><p>É usado numa só consulta, e só na memória. Não fica gravado em lugar nenhum, e a senha também não. ${link('/docs/certificado/', 'O que é feito do certificado')}</p>`,
  ].map((medo) => html`<div>${medo}</div>`)}</section>`
}

function drawSefaz(quadro: Quadro | undefined, prefixo: string): Html {
  const normais = ufs.filter((uf) => standingOf(quadro, 'nfe', uf).status_code === 1).length
  return html`<p class="sefaz-em-uma-linha"><a href="${url(`${prefixo}/sefaz/`)}">SEFAZ agora</a> <span class="suave">${
    quadro
      ? `A NF-e está normal em ${normais} dos 27 estados. Aberto a todos, estado por estado, com 90 dias de histórico.`
      : 'A situação da NF-e nos 27 estados, aberta a todos. Sem leitura de agora.'
  }</span></p>`
}

/** The first page: ask without an account, what it costs, and a way in for each. */
const paginaDeAbertura = (abertura: Abertura): Html =>
  html`<div class="abertura"><div class="heroi"><div class="apresentacao"><h1>A situação fiscal de qualquer empresa, perguntada aos próprios órgãos.</h1><p class="frase">${EM_UMA_FRASE}</p>${drawFormulario(abertura)}<p>Nota recusada? <a href="${url(`${abertura.prefixo}/blog/rejeicoes/diagnostico/`)}">Diagnosticar o XML</a> sem conta.</p></div>
${drawProva(abertura.prova)}
${drawPrecos()}</div>
${drawPortas(abertura)}
${drawMedos(abertura.prefixo)}
${drawSefaz(abertura.quadro, abertura.prefixo)}</div>`

const MAIOR_PROVA = 1024

/** What a visitor asked: one of the cases by its name, or what stands in the field. */
function readPedida(request: FastifyRequest): Pedida | { falha: string } {
  const caso = campoDe(request, 'caso')
  const escolhida = perguntas.find((one) => one === campoDe(request, 'pergunta')) ?? 'inscricoes'
  if (caso !== '' && !isCaso(caso)) return { falha: 'Escolha um dos exemplos da página.' }
  const { pergunta, documento } = isCaso(caso)
    ? casos[caso]
    : { pergunta: escolhida, documento: campoDe(request, 'documento') }
  const lido = readDocumento(documento)
  return 'falha' in lido ? lido : { pergunta, documento: lido }
}

export function paginaInicial(app: FastifyInstance, room: PainelRoom, moldura: MolduraDoSite): void {
  const { prefixo } = moldura
  const prontas = openProntas({ most: 2 })
  const provas = openProvas(room)

  const draw = (
    abertura: Pick<Abertura, 'prova' | 'escrito' | 'pergunta' | 'falha'>,
    avulsa: boolean,
  ): string =>
    writePage(
      {
        ...INICIO,
        avulsa,
        modulos: [estaticos.inicio.caminho],
        conteudo: paginaDeAbertura({
          ...abertura,
          quadro: currentQuadro(room),
          hasCadastro: cadastroDe(room.config) !== 'fechado',
          simulador: room.simulador !== undefined,
          servico: baseDe(app, moldura),
          prefixo,
        }),
      },
      moldura,
    )
  const gravada = () => provas.gravada('empresa')

  app.get('/', READY, async (request, reply) => {
    const prova = await gravada()
    const escrito = formatDocumento(prova.documento.documento)
    return prontas.send(request, reply, {
      nome: 'inicio',
      versao: String(currentQuadro(room)?.rodada.fim),
      ...PAGINA,
      make: () => draw({ prova, escrito, pergunta: prova.pergunta, falha: '' }, false),
    })
  })

  async function refuse(request: FastifyRequest, reply: FastifyReply, falha: string): Promise<string> {
    reply.code(400).header('cache-control', 'no-store')
    if (prefersEventStream(request.headers.accept)) {
      reply.type('text/plain; charset=utf-8')
      return falha
    }
    reply.type('text/html; charset=utf-8')
    const pergunta = perguntas.find((one) => one === campoDe(request, 'pergunta')) ?? 'inscricoes'
    return draw({ prova: await gravada(), escrito: campoDe(request, 'documento'), pergunta, falha }, true)
  }

  /** The states as they answer, and then what it came to: the module of the page paints them. */
  async function stream(pedida: Pedida, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const events = createEventStream(reply)
    const onEstado: Parameters<typeof provas.prove>[1]['onEstado'] = (estado) => {
      void events.send(
        'uf',
        JSON.stringify({ ...viewEstado(estado, undefined), classe: palavraDaCor(pedida.pergunta, estado) }),
      )
    }
    try {
      const prova = await provas.prove(pedida, { request, reply, onEstado })
      await events.send('fim', JSON.stringify(viewProva(prova)))
    } catch (error) {
      if (!events.opened()) throw error
      // The page asks again by its form, and is told the failure then.
      explainFailure(room, request, error)
    } finally {
      events.end()
    }
  }

  sendOrigin(app)
  app.addHook('onRequest', soDasNossasPaginas(moldura))
  readTextos(app, MAIOR_PROVA)
  app.post(
    '/',
    { schema: { hide: true }, bodyLimit: MAIOR_PROVA, onRequest: provas.limit },
    async (request, reply) => {
      const pedida = readPedida(request)
      if ('falha' in pedida) return refuse(request, reply, pedida.falha)
      try {
        if (prefersEventStream(request.headers.accept)) {
          await stream(pedida, request, reply)
          return reply
        }
        const prova = await provas.prove(pedida, { request, reply })
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
        const escrito = formatDocumento(pedida.documento.documento)
        return draw({ prova, escrito, pergunta: pedida.pergunta, falha: '' }, true)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'REQUISICAO_INVALIDA') throw error
        return refuse(request, reply, error.message)
      }
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
