import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { avisoDasFalhas, campoDe, campos, type Falhas, parametroDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cookieDoAcesso } from './acesso.ts'
import { logIn } from './login.ts'
import {
  demais,
  doNavegador,
  emailDe,
  formulario,
  levado,
  type OpenPorta,
  onlyVisitors,
  type Porta,
  porta,
  recado,
} from './porta.ts'

type VistaDoEntrar = {
  prefixo: string
  simulador: boolean
  csrf: Content
  email: string
  para: string
  falhas: Falhas
  aviso: string
  cadastro: 'aberto' | 'convite' | 'fechado'
  /** Whether an account begins with a letter, which an invented address never gets. */
  cartas: boolean
}

/** What is said of what was done just before. Nothing else of an address is ever shown. */
const AVISOS: ReadonlyMap<string, string> = new Map([
  ['saiu', 'Você saiu. Neste navegador ninguém mais entra sem a senha.'],
  ['senha', 'A senha foi trocada, e todos os acessos anteriores foram encerrados. Entre com a nova.'],
  ['email', 'O e-mail foi confirmado. Entre com ele e a sua senha.'],
  ['sessao', 'A sua sessão terminou. Entre de novo, e você volta à página em que estava.'],
  ['envio', 'A sua sessão terminou, e o que você enviou não foi feito. Entre de novo e repita.'],
])

function paginaDoEntrar(vista: VistaDoEntrar): Html {
  const { prefixo, csrf, email, para, falhas, cadastro } = vista
  const aviso = AVISOS.get(vista.aviso)
  const query = para === '' ? '' : `?para=${encodeURIComponent(para)}`
  const convida = vista.simulador && cadastro === 'aberto' && !vista.cartas
  return porta({
    titulo: 'Entrar',
    formulario: html`${aviso !== undefined && recado(aviso)}${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/entrar/`,
      csrf,
      botao: 'Entrar',
      campos: html`${levado('para', para)}${campos([emailDe(email), SENHA], falhas, true)}`,
    })}`,
    ligacoes: html`<a href="${url(`${prefixo}/recuperar-senha/`)}">Esqueci a senha</a>${
      !convida &&
      cadastro !== 'fechado' &&
      html` <a href="${url(`${prefixo}/criar-conta/${query}`)}">Criar conta</a>`
    }`,
    aoLado: convida ? conviteAoSimulador(`${prefixo}/criar-conta/${query}`) : NO_PAINEL,
  })
}

const SENHA = {
  nome: 'senha',
  rotulo: 'Senha',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
} as const

const conviteAoSimulador = (cadastro: string): Html =>
  html`<h2>Só quer experimentar?</h2><p>Este serviço está no modo simulador. Crie uma conta em dez segundos: qualquer nome, um <span class="inteira">e-mail</span> que pode ser inventado e uma senha. A chave da API fica pronta na hora.</p><p><a class="discreto" href="${url(cadastro)}">Criar conta</a></p><details><summary>Sou eu quem opera o serviço</summary><p class="suave">Este comando dá uma senha à conta inicial: <code>npx fiscal contas senha <span class="inteira">inicial@consulta-fiscal.local</span></code></p></details>`

const NO_PAINEL = html`<h2>No painel</h2><ul class="lista"><li>A chave da API, e como trocá-la</li><li>O uso de cada dia, por consulta</li><li>O registro de cada pedido, por 90 dias</li><li>O extrato de cada mês</li></ul>`

/** Wrong e-mail, wrong password: one answer for both. */
const INVALIDAS = 'O e-mail ou a senha não confere.'

export const portaDeEntrar: OpenPorta = (scope, porta) => {
  onlyVisitors(scope, porta)
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    const dito = { email: parametroDe(request, 'email'), para: parametroDe(request, 'para') }
    return drawEntrar(porta, request, reply, { ...dito, aviso: parametroDe(request, 'aviso') })
  })
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [email, senha, para] = ['email', 'senha', 'para'].map((nome) => campoDe(request, nome))
    const dito = { email: email ?? '', para: para ?? '' }
    const quem = { ...doNavegador(request), signal: signalOfLeaving(reply.raw) }
    const entrou = await logIn(porta.room, { email: dito.email, senha: senha ?? '', ...quem })
    if (entrou === 'invalidas') {
      porta.refuse(request, reply, 'CREDENCIAIS_INVALIDAS')
      return drawEntrar(porta, request, reply, { ...dito, falhas: { '': INVALIDAS } })
    }
    if ('esperaS' in entrou) {
      porta.refuse(request, reply, 'RATE_LIMIT_EXCEEDED', entrou.esperaS)
      return drawEntrar(porta, request, reply, { ...dito, falhas: { '': demais(entrou.esperaS) } })
    }
    return porta.letIn(request, reply, entrou, dito.para)
  })
}

type Dito = { email: string; para: string; falhas?: Falhas; aviso?: string }

function drawEntrar(
  { draw, campoCsrf, cadastro, cartas, moldura }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  { falhas = {}, aviso = '', ...dito }: Dito,
): string {
  const { prefixo, simulador } = moldura
  const csrf = campoCsrf(request, reply)
  return draw(reply, {
    titulo: 'Entrar',
    descricao: 'Entre no painel da sua conta: chave da API, uso, registro e extrato.',
    conteudo: paginaDoEntrar({ prefixo, simulador, cadastro, cartas, csrf, falhas, aviso, ...dito }),
    falhas,
  })
}

export const portaDeSair: OpenPorta = (scope, { room, moldura, draw, campoCsrf }) => {
  const depois = `${moldura.prefixo}/entrar/?aviso=saiu`
  // A session that is over already has no token to be checked.
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.logado || request.is404) return done()
    reply.redirect(depois, 303)
  })
  // The pages that are prepared for all have no form of one person's.
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    const csrf = campoCsrf(request, reply)
    const sair = formulario({ acao: `${moldura.prefixo}/sair/`, csrf, botao: 'Sair', campos: undefined })
    return draw(reply, {
      titulo: 'Sair',
      descricao: 'Encerra a sessão deste navegador.',
      conteudo: porta({
        titulo: 'Sair da conta',
        formulario: html`<p>Este navegador sai da conta ${request.logado?.conta.nome}. As chaves da API continuam valendo.</p>${sair}`,
      }),
    })
  })
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const { nome, opcoes } = cookieDoAcesso(moldura)
    if (request.logado) await room.acessos.end(request.logado.conta.id, request.logado.acesso.id)
    return reply.clearCookie(nome, opcoes).redirect(depois, 303)
  })
}
