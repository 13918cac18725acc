import { avisoDasFalhas, campos, type Falhas } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { SENHA_NOVA } from './entrada-cadastro.ts'
import { emailDe } from './entrada-entrar.ts'
import { formulario, levado, porta } from './moldes.ts'

/** What the page of the reset is drawn with. */
type Recuperar = { prefixo: string; csrf: Content; email: string; falhas: Falhas }

/** The page where a letter with a link to a new password is asked for. */
export const paginaDeRecuperar = ({ prefixo, csrf, email, falhas }: Recuperar): Html =>
  porta({
    titulo: 'Recuperar a senha',
    formulario: html`<p>Diga o e-mail da conta. Enviamos a ele um link para escolher outra senha.</p>${avisoDasFalhas(falhas)}${formulario(
      {
        acao: `${prefixo}/recuperar-senha/`,
        csrf,
        botao: 'Enviar o link',
        campos: campos([emailDe(email)], falhas),
      },
    )}`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">Voltar</a>`,
    aoLado: html`<h2>Se o link não chegar</h2><p>Confira a caixa de spam e o endereço, e peça de novo em alguns minutos. Quem opera o serviço também pode fazer o link, com <code>npx fiscal contas senha</code>.</p>`,
  })

/** The same where the service sends no letters. */
export const paginaDeRecuperarSemCartas = (prefixo: string): Html =>
  porta({
    titulo: 'Recuperar a senha',
    formulario: html`<p>Este serviço não envia e-mails. Quem o opera faz o link de uma senha nova com este comando, e o entrega a você:</p><p><code>npx fiscal contas senha seu-email@exemplo.com.br</code></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">Voltar</a>`,
  })

/** What is said once the letter was asked for: the same whether or not the e-mail has an account. */
export const paginaDoPedidoFeito = (prefixo: string, email: string): Html =>
  porta({
    titulo: 'Confira o seu e-mail',
    formulario: html`<p>Se houver uma conta com o e-mail <strong>${email}</strong>, uma carta sai para ele agora, com um link que vale por pouco tempo.</p><p class="suave">Não chegou em alguns minutos? Confira a caixa de spam e o endereço, e peça de novo.</p>`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">Voltar</a>`,
  })

/** What the page of a new password is drawn with. */
type NovaSenha = { prefixo: string; csrf: Content; codigo: string; email: string; falhas: Falhas }

/** The page where the link of a letter leads to. Opening it uses nothing up. */
export const paginaDaNovaSenha = ({ prefixo, csrf, codigo, email, falhas }: NovaSenha): Html =>
  porta({
    titulo: 'Escolher outra senha',
    formulario: html`<p>Conta de <strong>${email}</strong>. Todos os acessos abertos com a senha anterior são encerrados.</p>${avisoDasFalhas(falhas)}${formulario(
      {
        acao: `${prefixo}/nova-senha/`,
        csrf,
        botao: 'Trocar a senha',
        campos: html`${levado('codigo', codigo)}${nomeDaConta(email)}${campos([SENHA_NOVA], falhas)}`,
      },
    )}`,
  })

/** What a password manager keeps the new password under; a person does not see it. */
export const nomeDaConta = (email: string): Html =>
  html`<input type="email" autocomplete="username" value="${email}" readonly="" hidden=""/>`

/** What a link that is over leads to. */
export const paginaDoLinkVencido = (prefixo: string): Html =>
  porta({
    titulo: 'Este link não vale mais',
    formulario: html`<p>Ele já foi usado, venceu, ou não foi copiado inteiro.</p><p><a class="botao" href="${url(`${prefixo}/recuperar-senha/`)}">Pedir outro</a></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/entrar/`)}">Entrar</a>`,
  })
