import { planos } from '../platform/ledger/rules.ts'
import { avisoDasFalhas, type CampoDoFormulario, campos, type Falhas } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { emailDe } from './entrada-entrar.ts'
import { formulario, levado, porta } from './moldes.ts'

/** What the page of the sign-up is drawn with. */
export type VistaDoCadastro = {
  prefixo: string
  simulador: boolean
  csrf: Content
  cadastro: 'aberto' | 'convite'
  cartas: boolean
  nome: string
  email: string
  convite: string
  para: string
  falhas: Falhas
}

/** The page where a person makes an account. */
export function paginaDoCadastro(vista: VistaDoCadastro): Html {
  const { prefixo, csrf, cadastro, para, falhas } = vista
  const query = para === '' ? '' : `?para=${encodeURIComponent(para)}`
  return porta({
    titulo: 'Criar uma conta',
    formulario: html`${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/criar-conta/`,
      csrf,
      botao: 'Criar a conta',
      campos: html`${levado('para', para)}${campos(camposDe(vista), falhas)}`,
    })}`,
    ligacoes: html`Já tem uma conta? <a href="${url(`${prefixo}/entrar/${query}`)}">Entrar</a>`,
    aoLado: html`<h2>O que vem com ela</h2><ul class="lista"><li>${planos.lite.creditos} créditos por mês, no plano lite</li><li>A chave da API, pronta ${vista.cartas ? 'assim que você abre o link da carta que enviamos' : 'na hora'}</li><li>Só se paga o que é entregue: falha não custa nada</li></ul>${
      vista.simulador &&
      html`<p class="suave">No modo simulador ${!vista.cartas && 'o e-mail pode ser inventado, e '}os créditos não custam nada.</p>`
    }${cadastro === 'convite' && html`<p class="suave">Neste serviço só cria conta quem tem um convite. Peça um a quem opera o serviço.</p>`}`,
  })
}

function camposDe({ nome, email, convite, cadastro }: VistaDoCadastro): readonly CampoDoFormulario[] {
  const campoDoConvite: CampoDoFormulario = {
    nome: 'convite',
    rotulo: 'Código do convite',
    dica: 'Quem opera o serviço o faz, com npx fiscal contas convidar.',
    tipo: 'text',
    autocomplete: 'off',
    maior: 100,
    valor: convite,
  }
  const campoDoNome: CampoDoFormulario = {
    nome: 'nome',
    rotulo: 'Nome',
    dica: 'O seu, ou o da empresa.',
    tipo: 'text',
    autocomplete: 'name',
    maior: 100,
    valor: nome,
  }
  return [...(cadastro === 'convite' ? [campoDoConvite] : []), campoDoNome, emailDe(email), SENHA_NOVA]
}

/** The field of a password that is to be. */
export const SENHA_NOVA: CampoDoFormulario = {
  nome: 'senha',
  rotulo: 'Senha',
  dica: '10 caracteres ou mais. Algumas palavras juntas são fáceis de lembrar e difíceis de adivinhar.',
  tipo: 'password',
  autocomplete: 'new-password',
  menor: 10,
  maior: 200,
}

/** The same page where nobody can make an account. */
export const paginaDoCadastroFechado = (prefixo: string): Html =>
  porta({
    titulo: 'Criar uma conta',
    formulario: html`<p>O cadastro deste serviço está fechado. Peça uma conta a quem o opera: ele cria uma com <code>npx fiscal contas criar</code>.</p>`,
    ligacoes: html`Já tem uma conta? <a href="${url(`${prefixo}/entrar/`)}">Entrar</a>`,
  })

/** What a sign-up by letter ends in, whether or not the e-mail has an account already. */
export const paginaDaCartaEnviada = (email: string): Html =>
  porta({
    titulo: 'Confira o seu e-mail',
    formulario: html`<p>Enviamos uma carta a <strong>${email}</strong>. Abra o link que está nela para terminar.</p><p class="suave">Não chegou em alguns minutos? Confira a caixa de spam e o endereço, e tente de novo.</p>`,
  })
