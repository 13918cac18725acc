import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { avisoDasFalhas, campoDe, campos, type Falhas, parametroDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { askSenhaNova, resetSenha } from './login.ts'
import {
  demais,
  emailDe,
  formulario,
  levado,
  nomeDaConta,
  type OpenPorta,
  onlyVisitors,
  type Porta,
  porta,
  SENHA_NOVA,
} from './porta.ts'
import { EMAIL_ERRADO } from './rules.ts'
import { findCodigo } from './store-codigos.ts'

const comandoDoLink = html`<details><summary>Sou eu quem opera o serviço</summary><p class="suave">Este comando faz o link, e <code>CONTATO</code>, no <code>.env</code>, diz nesta página a quem pedi-lo:</p><pre class="trecho-de-codigo" tabindex="0" role="region" aria-label="Comando que faz o link"><code>npx fiscal contas senha <span class="inteira">seu-email@exemplo.com.br</span></code></pre></details>`

type Recuperar = { prefixo: string; csrf: Content; email: string; falhas: Falhas }

const paginaDeRecuperar = ({ prefixo, csrf, email, falhas }: Recuperar): Html =>
  porta({
    titulo: 'Recuperar a senha',
    formulario: html`<p>Diga o e-mail da conta. Enviamos a ele um link para escolher outra senha.</p>${avisoDasFalhas(falhas)}${formulario(
      {
        acao: `${prefixo}/recuperar-senha/`,
        csrf,
        botao: 'Enviar o link',
        campos: campos([emailDe(email)], falhas, true),
      },
    )}`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">← Voltar para Entrar</a>`,
    aoLado: html`<h2>Se o link não chegar</h2><p>Confira a caixa de spam e o endereço, e peça de novo em alguns minutos. Quem opera o serviço também pode fazer o link.</p>${comandoDoLink}`,
  })

const paginaDeRecuperarSemCartas = ({ prefixo, contato }: Porta['moldura']): Html =>
  porta({
    titulo: 'Recuperar a senha',
    formulario: html`<p>Este serviço não envia e-mails. Quem o opera cria um link para você escolher outra senha.</p><ol class="lista"><li>Peça o link a ${contato === undefined ? 'quem lhe deu o endereço deste serviço' : html`<b>${contato}</b>`} e diga o <span class="inteira">e-mail</span> da sua conta.</li><li>Abra o link em até 24 horas, ou no prazo que lhe disserem. Ele vale uma só vez.</li><li>Escolha a nova senha. As chaves de API continuam as mesmas.</li></ol>${comandoDoLink}`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">← Voltar para Entrar</a>`,
  })

/** What is said once the letter was asked for: the same whether or not the e-mail has an account. */
const paginaDoPedidoFeito = (prefixo: string, email: string): Html =>
  porta({
    titulo: 'Confira o seu e-mail',
    formulario: html`<p>Se houver uma conta com o e-mail <strong>${email}</strong>, uma carta sai para ele agora, com um link que vale por pouco tempo.</p><p class="suave">Não chegou em alguns minutos? Confira a caixa de spam e o endereço, e peça de novo.</p>`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">← Voltar para Entrar</a>`,
  })

type NovaSenha = { prefixo: string; csrf: Content; codigo: string; email: string; falhas: Falhas }

const paginaDaNovaSenha = ({ prefixo, csrf, codigo, email, falhas }: NovaSenha): Html =>
  porta({
    titulo: 'Escolher outra senha',
    formulario: html`<p>Conta de <strong>${email}</strong>. Todos os acessos abertos com a senha anterior são encerrados.</p>${avisoDasFalhas(falhas)}${formulario(
      {
        acao: `${prefixo}/nova-senha/`,
        csrf,
        botao: 'Trocar a senha',
        campos: html`${levado('codigo', codigo)}${nomeDaConta(email)}${campos([SENHA_NOVA], falhas, true)}`,
      },
    )}`,
  })

const paginaDoLinkVencido = (prefixo: string): Html =>
  porta({
    titulo: 'Este link não vale mais',
    formulario: html`<p>Ele já foi usado, venceu, ou não foi copiado inteiro.</p><p><a class="botao" href="${url(`${prefixo}/recuperar-senha/`)}">Pedir outro</a></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">← Voltar para Entrar</a>`,
  })

const RECUPERAR = {
  titulo: 'Recuperar a senha',
  descricao: 'Peça o link com que se escolhe outra senha para a conta.',
}

/** Whoever asked for them, and whether or not the e-mail has an account. */
const JA_FORAM =
  'Nesta hora já foram pedidas todas as cartas que um e-mail recebe. Se ele tem uma conta, o link da mais nova vale por 2 horas: procure-a, também na caixa de spam.'

export const portaDeRecuperar: OpenPorta = (scope, porta) => {
  const { room, moldura, campoCsrf, draw, refuse } = porta
  const { prefixo } = moldura
  onlyVisitors(scope, porta)
  const drawRecuperar = (
    request: FastifyRequest,
    reply: FastifyReply,
    email: string,
    falhas: Falhas,
  ): string => {
    if (room.config.SMTP_URL === undefined)
      return draw(reply, { ...RECUPERAR, conteudo: paginaDeRecuperarSemCartas(moldura) })
    const csrf = campoCsrf(request, reply)
    return draw(reply, {
      ...RECUPERAR,
      conteudo: paginaDeRecuperar({ prefixo, csrf, email, falhas }),
      falhas,
    })
  }
  scope.get('/', { schema: { hide: true } }, (request, reply) => drawRecuperar(request, reply, '', {}))
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const email = campoDe(request, 'email')
    const pedido = await askSenhaNova(room, { email, endereco: request.ip })
    if (pedido === 'email-invalido') {
      refuse(request, reply, 'PARAMETRO_INVALIDO')
      return drawRecuperar(request, reply, email, { email: `Confira o e-mail: ${EMAIL_ERRADO}.` })
    }
    if ('esperaS' in pedido) {
      refuse(request, reply, 'RATE_LIMIT_EXCEEDED', pedido.esperaS)
      return drawRecuperar(
        request,
        reply,
        email,
        pedido.jaForam ? { email: JA_FORAM } : { '': demais(pedido.esperaS) },
      )
    }
    if (!pedido.carta) return drawRecuperar(request, reply, email, {})
    return draw(reply, { ...RECUPERAR, conteudo: paginaDoPedidoFeito(prefixo, email) })
  })
}

const NOVA = {
  titulo: 'Escolher outra senha',
  descricao: 'Escolha outra senha com o link que a carta, ou quem opera o serviço, trouxe.',
}

/** The page that the link of a letter leads to. A GET uses no code up, because machines open links too. */
export const portaDaNovaSenha: OpenPorta = (scope, porta) => {
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    drawNova(porta, request, reply, parametroDe(request, 'codigo')),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [codigo, nova] = [campoDe(request, 'codigo'), campoDe(request, 'senha')]
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await resetSenha(porta.room, { codigo, nova, ...quem })
    if (feito === 'codigo-invalido') return drawVencido(porta, request, reply)
    if ('senhaFraca' in feito) {
      porta.refuse(request, reply, 'SENHA_FRACA')
      return drawNova(porta, request, reply, codigo, { senha: feito.senhaFraca })
    }
    if ('esperaS' in feito) {
      porta.refuse(request, reply, 'RATE_LIMIT_EXCEEDED', feito.esperaS)
      return drawNova(porta, request, reply, codigo, { '': demais(feito.esperaS) })
    }
    return reply.redirect(`${porta.moldura.prefixo}/entrar/?aviso=senha`, 303)
  })
}

async function drawNova(
  porta: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  codigo: string,
  falhas: Falhas = {},
): Promise<string> {
  const { room, moldura, campoCsrf, draw } = porta
  const row = await findCodigo(room.db, 'redefinir', codigo, room.now())
  if (!row) return drawVencido(porta, request, reply)
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDaNovaSenha({ ...moldura, csrf, codigo, email: row.email, falhas })
  return draw(reply, { ...NOVA, conteudo, falhas })
}

function drawVencido({ moldura, draw, refuse }: Porta, request: FastifyRequest, reply: FastifyReply): string {
  refuse(request, reply, 'REQUISICAO_INVALIDA')
  return draw(reply, { ...NOVA, conteudo: paginaDoLinkVencido(moldura.prefixo) })
}
