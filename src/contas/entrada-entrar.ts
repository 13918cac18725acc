import { avisoDasFalhas, campos, type Falhas } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { formulario, levado, porta, recado } from './moldes.ts'

/** What the page of the log-in is drawn with. */
export type VistaDoEntrar = {
  prefixo: string
  simulador: boolean
  csrf: Content
  email: string
  /** Where the visitor wanted to go; empty for the dashboard. */
  para: string
  falhas: Falhas
  /** What was done just before, by its name in the address. */
  aviso: string
  /** Whether a visitor can make an account here. */
  cadastro: 'aberto' | 'convite' | 'fechado'
  /** Whether an account begins with a letter, which an invented address never gets. */
  cartas: boolean
}

/** What is said of what was done just before. Nothing else of an address is ever shown. */
const AVISOS: ReadonlyMap<string, string> = new Map([
  ['saiu', 'Você saiu. Neste navegador ninguém mais entra sem a senha.'],
  ['senha', 'A senha foi trocada, e todos os acessos anteriores foram encerrados. Entre com a nova.'],
  ['email', 'O e-mail foi confirmado. Entre com ele e a sua senha.'],
])

/** The page where a person enters the dashboard. */
export function paginaDoEntrar(vista: VistaDoEntrar): Html {
  const { prefixo, csrf, email, para, falhas, cadastro } = vista
  const aviso = AVISOS.get(vista.aviso)
  const query = para === '' ? '' : `?para=${encodeURIComponent(para)}`
  return porta({
    titulo: 'Entrar',
    formulario: html`${aviso !== undefined && recado(aviso)}${avisoDasFalhas(falhas)}${formulario({
      acao: `${prefixo}/entrar/`,
      csrf,
      botao: 'Entrar',
      campos: html`${levado('para', para)}${campos([emailDe(email), SENHA], falhas)}`,
    })}`,
    ligacoes: html`<a href="${url(`${prefixo}/recuperar-senha/`)}">Esqueci a senha</a>${
      cadastro !== 'fechado' && html` <a href="${url(`${prefixo}/criar-conta/${query}`)}">Criar uma conta</a>`
    }`,
    aoLado: vista.simulador && cadastro === 'aberto' && !vista.cartas ? experimente(prefixo) : NO_PAINEL,
  })
}

/** The field of the e-mail that is an account's name. */
export const emailDe = (valor: string) =>
  ({ nome: 'email', rotulo: 'E-mail', tipo: 'email', autocomplete: 'username', maior: 254, valor }) as const

const SENHA = {
  nome: 'senha',
  rotulo: 'Senha',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
} as const

const experimente = (prefixo: string): Html =>
  html`<h2>Só quer experimentar?</h2><p>Este serviço está no modo simulador. Crie uma conta em dez segundos: qualquer nome, um e-mail que pode ser inventado e uma senha. A chave da API fica pronta na hora.</p><p><a class="botao" href="${url(`${prefixo}/criar-conta/`)}">Criar uma conta</a></p><p class="suave">Quem opera o serviço pode dar uma senha à conta inicial: <code>npx fiscal contas senha inicial@consulta-fiscal.local</code></p>`

const NO_PAINEL = html`<h2>No painel</h2><ul class="lista"><li>A chave da API, e como trocá-la</li><li>O uso de cada dia, por consulta</li><li>O registro de cada pedido, por 90 dias</li><li>O extrato de cada mês</li></ul>`
