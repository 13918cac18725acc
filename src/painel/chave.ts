import type { AjustesDaConta } from '../contas/lookup.ts'
import { quando } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'

export type VistaDaChave = {
  base: string
  csrf: Content
  ajustes: Pick<AjustesDaConta, 'chave' | 'ultima_chamada'>
  /** Whether its owner asked to see it: only then it stands in the page. */
  revelada: boolean
}

export function cartaoDaChave(vista: VistaDaChave): Html {
  const { base, ajustes } = vista
  const { texto, desde } = ajustes.chave
  if (texto === undefined) return cartao(CABECA, semChave(base))
  return cartao(
    CABECA,
    html`${texto === 'outro-segredo' ? OUTRO_SEGREDO : chave(texto, vista)}<dl class="fatos"><dt>Criada em</dt><dd>${desde !== null && quando(desde)}</dd><dt>Última chamada da conta</dt><dd>${ultimaChamada(ajustes)}</dd></dl>${anterior(vista)}<p class="ao-pe"><a class="discreto" href="${url(`${base}chave/nova/`)}">Gerar outra chave</a> <span class="suave">Só se ela vazou, ou se é hora de trocá-la: os seus programas precisam da nova.</span></p>`,
  )
}

const CABECA = { titulo: 'Chave da API', id: 'chave-da-api', classe: 'chave' }

const semChave = (base: string): Html =>
  html`<p>Esta conta não tem chave. Sem ela, só o painel faz consultas.</p><p><a class="botao" href="${url(`${base}chave/nova/`)}">Gerar uma chave</a></p>`

const OUTRO_SEGREDO = html`<div class="faixa-aviso lento"><div><p>A chave continua valendo, mas não pode ser mostrada</p><p>Ela foi guardada com outro segredo do servidor. Quem opera o serviço pode restaurar o segredo anterior (SERVER_SECRET); ou gere outra chave abaixo.</p></div></div>`

const chave = (texto: string, { base, csrf, revelada }: VistaDaChave): Html =>
  revelada
    ? html`<p class="segredo"><code id="chave">${texto}</code> <span class="acoes"><button class="discreto" type="button" data-copiar="chave" hidden="">Copiar</button> <a class="discreto" href="${url(base)}">Esconder</a></span></p><p class="suave">Envie-a no cabeçalho <code>X-API-Key</code>, e em nenhum outro lugar. Quem a tem gasta os créditos da conta.</p>`
    : html`<form class="segredo" method="post" action="${url(`${base}chave/mostrar/`)}">${csrf}<code><span class="so-leitor">Chave escondida, que termina em </span><span aria-hidden="true">fk_••••••••••••••••••••</span>${texto.slice(-4)}</code><button class="discreto" type="submit">Mostrar a chave</button></form>`

/** The log does not say by which key a call came: it may be this one, one before it, or the dashboard. */
const ultimaChamada = ({ ultima_chamada, chave: { desde } }: VistaDaChave['ajustes']): Content => {
  if (ultima_chamada === null) return 'nenhuma nos últimos 90 dias'
  const isBefore = desde !== null && ultima_chamada < desde
  return html`${quando(ultima_chamada)}${isBefore && ', antes desta chave'}`
}

const anterior = ({ base, csrf, ajustes: { chave } }: VistaDaChave): Content =>
  chave.anterior_ate !== null &&
  html`<div class="faixa-aviso lento"><div><p>A chave anterior vale até ${quando(chave.anterior_ate)}</p><form method="post" action="${url(`${base}chave/anterior/`)}">${csrf}<button class="discreto" type="submit">Encerrar a anterior agora</button></form></div></div>`

export const CARENCIAS = [0, 1, 6, 24] as const

const HOUR_MS = 3_600_000

export const paginaDaChaveNova = ({
  base,
  csrf,
  agora,
  chave: { texto, anterior_ate },
}: Pick<VistaDaChave, 'base' | 'csrf'> & { agora: Date; chave: AjustesDaConta['chave'] }): Html =>
  html`<div class="topo"><h1>Gerar outra chave</h1></div>
<section class="cartao" aria-label="Gerar outra chave"><form class="formulario" method="post" action="${url(`${base}chave/nova/`)}">${csrf}${
    texto === undefined
      ? html`<p>A chave fica pronta na hora, e é a única da conta.</p><input type="hidden" name="carencia" value="0"/>`
      : html`<p>Os programas que usam a chave de agora passam a receber <code>NAO_AUTENTICADO</code> quando ela deixa de valer. Até lá as duas valem: há tempo de trocá-la em todos.</p><fieldset><legend>A chave de agora deixa de valer</legend>${CARENCIAS.map((horas) => opcao(horas, agora))}</fieldset>${
          anterior_ate !== null &&
          html`<p class="suave">A anterior a ela, que ainda valia até ${quando(anterior_ate)}, não passa desse instante.</p>`
        }`
  }<p class="acoes"><button class="${texto === undefined ? 'botao' : 'perigo'}" type="submit">Gerar a chave</button> <a href="${url(base)}">Cancelar</a></p></form></section>`

const opcao = (horas: (typeof CARENCIAS)[number], agora: Date): Html => {
  const ate = new Date(agora.getTime() + horas * HOUR_MS)
  const texto =
    horas === 0
      ? 'agora: se ela vazou, escolha esta (leva até 5 segundos)'
      : html`em ${horas} ${horas === 1 ? 'hora' : 'horas'}, ${quando(ate)}`
  return horas === 0
    ? html`<label class="opcao"><input type="radio" name="carencia" value="${horas}" checked=""/> <span>${texto}</span></label>`
    : html`<label class="opcao"><input type="radio" name="carencia" value="${horas}"/> <span>${texto}</span></label>`
}
