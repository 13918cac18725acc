import { type Html, html } from '../platform/pages/html.ts'
import { cartaoDosAcessos, type VistaDosAcessos } from './acessos.ts'
import { cartaoDaChave, type VistaDaChave } from './chave.ts'
import { cartaoDaSenha, cartaoDoEmail, cartaoDoPlano, type VistaDaConta } from './conta.ts'

/** What the settings page is drawn with. */
export type VistaDasConfiguracoes = Omit<VistaDaConta, 'ajustes'> &
  VistaDosAcessos &
  VistaDaChave & { ajustes: VistaDaConta['ajustes']; feito: string }

/** What is said of what was done just before. Nothing else of an address is ever shown. */
const FEITOS: ReadonlyMap<string, string> = new Map([
  ['chave', 'A chave nova está pronta. Mostre-a abaixo, e troque-a nos seus programas.'],
  ['anterior', 'A chave anterior foi encerrada. Em até 5 segundos ninguém mais a aceita.'],
  ['senha', 'A senha foi trocada, e os outros acessos foram encerrados.'],
  ['acesso', 'O acesso foi encerrado.'],
  ['acessos', 'Os outros acessos foram encerrados.'],
  ['carta', 'A carta de confirmação saiu. Abra o link que está nela.'],
  ['email', 'O e-mail foi confirmado.'],
])

/** The settings of an account: its key, its password, its log-ins, its terms. */
export function paginaDasConfiguracoes(vista: VistaDasConfiguracoes): Html {
  const feito = FEITOS.get(vista.feito)
  return html`<div class="topo"><h1>Configurações</h1></div>
${feito !== undefined && html`<div class="faixa-aviso" role="status"><p>${feito}</p></div>\n`}<div class="ajustes">
<div>${cartaoDaChave(vista)}
${cartaoDosAcessos(vista)}
${cartaoDaSenha(vista)}</div>
<div>${cartaoDoPlano(vista.conta)}
${cartaoDoEmail(vista)}</div>
</div>`
}
