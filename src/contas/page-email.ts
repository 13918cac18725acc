import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { avisoDasFalhas, campoDe, campos, type Falhas, parametroDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { confirmarEmail, emailDoCadastro } from './cadastro.ts'
import { nomeDaConta } from './page-senha.ts'
import { type AbrirPorta, demais, formulario, levado, type Porta, porta } from './porta.ts'

/** What the page of a confirmation is drawn with; `email` is that of a sign-up that waits for it. */
type Confirmar = { prefixo: string; csrf: Content; codigo: string; email: string | undefined; falhas: Falhas }

/** The page that the link of a confirmation leads to: a machine that opens it confirms nothing. */
const paginaDeConfirmar = ({ prefixo, csrf, codigo, email, falhas }: Confirmar): Html =>
  porta({
    titulo: 'Confirmar o e-mail',
    formulario: html`<p>${
      email === undefined
        ? 'Falta um toque: confirme que foi você quem pediu, e que este e-mail é seu.'
        : html`Falta um passo para abrir a conta de <strong>${email}</strong>: a senha que você escolheu no cadastro.`
    }</p>${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/confirmar-email/`,
      csrf,
      botao: 'Confirmar o e-mail',
      campos: html`${levado('codigo', codigo)}${email !== undefined && html`${nomeDaConta(email)}${campos([SENHA_DO_CADASTRO], falhas)}`}`,
    })}`,
    ligacoes: html`Não foi você? Feche esta página, e nada acontece.`,
  })

const SENHA_DO_CADASTRO = {
  nome: 'senha',
  rotulo: 'Senha do cadastro',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
} as const

/** What is said of a confirmation that made nothing: its code is over, or what it would make is there. */
const RECUSAS = {
  'codigo-invalido':
    'O link já foi usado, venceu, ou não foi copiado inteiro. Se a conta já existe, entre com ela.',
  'convite-invalido':
    'O convite com que a conta foi pedida já foi usado, ou venceu. Peça outro a quem opera o serviço.',
  'email-em-uso': 'Já existe uma conta com este e-mail. Entre com ela, ou recupere a senha.',
} as const

/** The page of a confirmation that made nothing. */
const paginaDaRecusa = (prefixo: string, recusa: keyof typeof RECUSAS): Html =>
  porta({
    titulo: 'Este link não vale mais',
    formulario: html`<p>${RECUSAS[recusa]}</p><p><a class="botao" href="${url(`${prefixo}/entrar/`)}">Entrar</a></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/recuperar-senha/`)}">Recuperar a senha</a>`,
  })

const PAGINA = {
  titulo: 'Confirmar o e-mail',
  descricao: 'Confirme que o e-mail da conta é seu, com o link que a carta trouxe.',
}

const SENHA_ERRADA =
  'Esta não é a senha do cadastro. Se não foi você quem o fez, feche esta página e crie a sua conta.'

/** Where the link of a confirmation leads to. A GET confirms nothing, because machines open links too. */
export const portaDaConfirmacao: AbrirPorta = (scope, porta) => {
  const { room, moldura, escrever, recusar } = porta
  const { prefixo } = moldura
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    desenhar(porta, request, reply, parametroDe(request, 'codigo')),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [codigo, senha] = [campoDe(request, 'codigo'), campoDe(request, 'senha')]
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await confirmarEmail(room, { codigo, senha, ...quem })
    if (feito === 'senha-errada') {
      recusar(request, reply, 'CREDENCIAIS_INVALIDAS')
      return desenhar(porta, request, reply, codigo, { senha: SENHA_ERRADA })
    }
    if (typeof feito === 'string') {
      recusar(request, reply, 'REQUISICAO_INVALIDA')
      return escrever(reply, { ...PAGINA, conteudo: paginaDaRecusa(prefixo, feito) })
    }
    if ('esperaS' in feito) {
      recusar(request, reply, 'RATE_LIMIT_EXCEEDED', feito.esperaS)
      return desenhar(porta, request, reply, codigo, { '': demais(feito.esperaS) })
    }
    const isIn = request.logado?.conta.id === feito.id
    return reply.redirect(
      prefixo + (isIn ? '/painel/configuracoes/?feito=email' : '/entrar/?aviso=email'),
      303,
    )
  })
}

async function desenhar(
  { room, moldura, campoCsrf, escrever }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  codigo: string,
  falhas: Falhas = {},
): Promise<string> {
  const email = await emailDoCadastro(room, codigo)
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDeConfirmar({ ...moldura, csrf, codigo, email, falhas })
  return escrever(reply, { ...PAGINA, conteudo, falhas })
}
