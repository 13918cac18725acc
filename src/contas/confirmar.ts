import { avisoDasFalhas, campos, type Falhas } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { nomeDaConta } from './entrada-senha.ts'
import { formulario, levado, porta } from './moldes.ts'

/** What the page of a confirmation is drawn with; `email` is that of a sign-up that waits for it. */
type Confirmar = { prefixo: string; csrf: Content; codigo: string; email: string | undefined; falhas: Falhas }

/** The page that the link of a confirmation leads to: a machine that opens it confirms nothing. */
export const paginaDeConfirmar = ({ prefixo, csrf, codigo, email, falhas }: Confirmar): Html =>
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
export const paginaDaRecusa = (prefixo: string, recusa: keyof typeof RECUSAS): Html =>
  porta({
    titulo: 'Este link não vale mais',
    formulario: html`<p>${RECUSAS[recusa]}</p><p><a class="botao" href="${url(`${prefixo}/entrar/`)}">Entrar</a></p>`,
    ligacoes: html`<a href="${url(`${prefixo}/recuperar-senha/`)}">Recuperar a senha</a>`,
  })
