import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import { formatNumero, formatQuando } from '../platform/pages/formatos.ts'
import {
  avisoDeProblemas,
  campoDeDia,
  formularioDeFiltros,
  opcoesDeEndpoint,
  selecao,
} from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { tabelaDeChamadas } from './componentes-chamadas.ts'
import { desfechos, opcoesDeUf, type PerguntaAoRegistro, primeiroDia, queryDe } from './registro-pagina.ts'

type Marco = NonNullable<PerguntaAoRegistro['marco']>

/** A page of the log. */
export type FolhaDoRegistro = {
  pergunta: PerguntaAoRegistro
  hoje: string
  usos: Parameters<typeof tabelaDeChamadas>[0]
  segue: Marco | undefined
  parou: Marco | undefined
  /** The most calls that a search reads. */
  olhar: number
  prefixo: string
}

/** Where the log stands. */
export const enderecoDoRegistro = (prefixo: string): string => `${prefixo}/painel/registro/`

/** The content of a page of the log: filters, calls, and the ways to the older and the newer ones. */
export const paginaDoRegistro = (folha: FolhaDoRegistro): Html =>
  html`<div class="topo"><div><h1>Registro</h1><p class="suave">Cada chamada da conta nos últimos ${DIAS_DO_REGISTRO} dias, a mais nova primeiro. Horários de Brasília.</p></div><a class="discreto" href="${url(`${enderecoDoRegistro(folha.prefixo)}registro.csv${queryDe(folha.pergunta)}`)}">Baixar CSV</a></div>
${avisoDeProblemas(folha.pergunta.problemas)}
${filtros(folha)}
<section class="cartao" aria-label="Chamadas">${folha.usos.length > 0 ? tabelaDeChamadas(folha.usos, folha.prefixo) : vazio(folha)}${ateOnde(folha)}${passagem(folha)}</section>`

const filtros = ({ pergunta, hoje, prefixo }: FolhaDoRegistro): Html =>
  formularioDeFiltros(
    enderecoDoRegistro(prefixo),
    html`${selecao({ nome: 'endpoint', rotulo: 'Consulta', todas: 'Todas' }, opcoesDeEndpoint, pergunta.endpoint)}${selecao({ nome: 'desfecho', rotulo: 'Resultado', todas: 'Todos' }, desfechos, pergunta.desfecho)}${selecao({ nome: 'uf', rotulo: 'UF', todas: 'Todas' }, opcoesDeUf, pergunta.uf)}${campoDeDia({ nome: 'dia', rotulo: 'Dia', min: primeiroDia(hoje), max: hoje }, pergunta.dia)}<div class="largo"><label for="pedido">Número do pedido</label><input id="pedido" name="pedido" value="${pergunta.pedido ?? ''}" maxlength="100" autocomplete="off" spellcheck="false" placeholder="o request_id inteiro"/></div>`,
  )

const isFiltered = ({ endpoint, desfecho, uf, dia }: PerguntaAoRegistro): boolean =>
  [endpoint, desfecho, uf, dia].some((one) => one !== undefined)

function vazio({ pergunta, parou, prefixo }: FolhaDoRegistro): Content {
  if (pergunta.pedido !== undefined)
    return html`<p class="vazio">Nenhuma chamada desta conta com o pedido <code>${pergunta.pedido}</code> nos últimos ${DIAS_DO_REGISTRO} dias. Envie o número inteiro, como vem em <code>request_id</code>.</p>`
  if (parou) return undefined
  if (isFiltered(pergunta) || pergunta.marco)
    return html`<p class="vazio">Nenhuma ${pergunta.marco ? 'outra ' : ''}chamada com estes filtros.</p>`
  return html`<p class="vazio">Nenhuma chamada ainda. <a href="${url(`${prefixo}/painel/experimentar/`)}">Experimente uma consulta</a>: ela aparece aqui em seguida.</p>`
}

/** How far a search looked that hardly found anything. */
const ateOnde = ({ usos, parou, olhar, pergunta }: FolhaDoRegistro): Content =>
  parou &&
  html`<p class="suave">Foram olhadas ${formatNumero(olhar)} chamadas, até ${formatQuando(parou.criado_em)}${usos.length === 0 && ', e nenhuma é assim'}. A busca segue em <em>${pergunta.sentido === 'antigas' ? 'Mais antigas' : 'Mais novas'}</em>.</p>`

function passagem({ pergunta, usos, segue, prefixo }: FolhaDoRegistro): Content {
  const isBack = pergunta.sentido === 'antigas'
  const { marco } = pergunta
  const [first, last] = [usos[0] ?? marco, usos.at(-1) ?? marco]
  const novas = isBack ? marco && first : segue
  const antigas = isBack ? segue : last
  const link = (lado: 'antes' | 'depois', to: Marco | undefined, texto: string, rel: string): Content =>
    to &&
    html`<a class="discreto" rel="${rel}" href="${url(`${enderecoDoRegistro(prefixo)}${queryDe(pergunta, { lado, marco: to })}`)}">${texto}</a>`
  if (!novas && !antigas) return undefined
  return html`<nav class="passagem" aria-label="Páginas do registro">${marco && html`<a class="discreto" href="${url(`${enderecoDoRegistro(prefixo)}${queryDe(pergunta)}`)}">As mais novas de todas</a>`}${link('depois', novas, '← Mais novas', 'prev')}${link('antes', antigas, 'Mais antigas →', 'next')}</nav>`
}
