import type { AjustesDaConta } from '../contas/ajustes.ts'
import type { Conta } from '../contas/conta.ts'
import { nomeDaConta } from '../contas/entrada-senha.ts'
import { precoXmlOf } from '../contas/resumo.ts'
import { escreverReais, planos } from '../platform/ledger/rules.ts'
import { contar, formatNumero, quando } from '../platform/pages/formatos.ts'
import { avisoDasFalhas, type CampoDoFormulario, campos, type Falhas } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'

/** What the cards of the account are drawn with. */
export type VistaDaConta = {
  base: string
  csrf: Content
  conta: Conta
  ajustes: Pick<AjustesDaConta, 'senha_em' | 'email_confirmado_em'>
  /** Whether the service sends letters. */
  cartas: boolean
  /** What is wrong with the password that was sent. */
  falhas: Falhas
}

/** Who the account is, and whether its e-mail is proved: only a letter can prove it. */
export const cartaoDoEmail = ({ base, csrf, conta, ajustes, cartas }: VistaDaConta): Html =>
  cartao(
    { titulo: 'Conta', id: 'conta' },
    html`<dl class="fatos"><dt>Nome</dt><dd>${conta.nome}</dd><dt>E-mail</dt><dd>${conta.email} ${
      ajustes.email_confirmado_em === null
        ? cartas && html`<span class="selo lento">Não confirmado</span>`
        : html`<span class="selo bom">Confirmado</span>`
    }</dd><dt>Criada</dt><dd>${quando(conta.criada_em)}</dd></dl>${
      cartas &&
      ajustes.email_confirmado_em === null &&
      html`<form method="post" action="${url(`${base}email/carta/`)}">${csrf}<button class="discreto" type="submit">Enviar a carta de confirmação</button></form>`
    }<p class="suave">O e-mail é o seu nome para entrar${cartas && ', e para onde vai o link de uma senha nova'}.</p>`,
  )

/** What the account may do, at which price. */
export function cartaoDoPlano(conta: Conta): Html {
  const { creditos, requisicoesPorMinuto } = planos[conta.plano]
  const xml = precoXmlOf(conta)
  return cartao(
    {
      titulo: 'Plano',
      id: 'plano',
      classe: 'menor',
      lado: html`<span class="selo nota">${conta.plano}</span>`,
    },
    html`<dl class="fatos"><dt>Créditos por mês</dt><dd>${formatNumero(creditos)}</dd><dt>Requisições por minuto</dt><dd>${formatNumero(requisicoesPorMinuto)}</dd><dt>XML de uma NF-e</dt><dd>${contar(xml.creditos, 'crédito', 'créditos')}${
      xml.reais !== '' && `, ${escreverReais(xml.reais)}`
    }${conta.preco_exclusivo && ' (preço negociado)'}</dd></dl><p class="suave">Quem muda o plano, os créditos extras e os preços é quem opera o serviço.</p>`,
  )
}

const ATUAL: CampoDoFormulario = {
  nome: 'atual',
  rotulo: 'Senha atual',
  tipo: 'password',
  autocomplete: 'current-password',
  maior: 200,
}
const NOVA: CampoDoFormulario = {
  nome: 'nova',
  rotulo: 'Senha nova',
  dica: '10 caracteres ou mais.',
  tipo: 'password',
  autocomplete: 'new-password',
  menor: 10,
  maior: 200,
}

/** The change of the password. */
export const cartaoDaSenha = ({ base, csrf, conta, ajustes: { senha_em }, falhas }: VistaDaConta): Html =>
  cartao(
    { titulo: 'Senha', id: 'senha' },
    html`${avisoDasFalhas(falhas)}<form class="formulario" method="post" action="${url(`${base}senha/`)}">${csrf}${nomeDaConta(conta.email)}${campos([ATUAL, NOVA], falhas)}<p><button class="botao" type="submit">Trocar a senha</button></p></form><p class="suave">${senha_em !== null && html`A de agora é de ${quando(senha_em)}. `}A troca encerra todos os outros acessos.</p>`,
  )
