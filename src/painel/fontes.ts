import { ufs, unidades } from '../documento/uf.ts'
import { contar, formatAgora } from '../platform/pages/formatos.ts'
import { formularioDeFiltros, type OpcaoDeFiltro, selecao } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { certezas, dizerCaptcha, servicos } from './palavras.ts'
import { type Saude, seloDaFonte, ultimaHora, ultimoErro } from './saude.ts'

/** A source as its row shows it. */
type FonteVista = Saude & {
  uf: string
  servico: string
  ordem: number
  nome: string
  host: string
  endereco: string
  captcha: { tipo: string; quando: string; resolvido: boolean }
  certeza: string
  em: string
  nota: string
  horario: string
}

/** All that the page of the sources is drawn from. */
export type QuadroDeFontes = {
  agora: number
  fontes: readonly FonteVista[]
  /** How many there are without the filters. */
  total: number
  uf: string | undefined
  servico: string | undefined
  prefixo: string
}

/** The choices of the filters. */
export const opcoesDeServico: readonly OpcaoDeFiltro[] = Object.entries(servicos)
export const opcoesDeLugar: readonly OpcaoDeFiltro[] = [
  ['BR', 'Fontes nacionais'],
  ...ufs.map((uf): OpcaoDeFiltro => [uf, `${uf} · ${unidades[uf].nome}`]),
]

/** The content of the page of the sources. */
export function paginaDasFontes(quadro: QuadroDeFontes): Html {
  const { agora, fontes, total, uf, servico, prefixo } = quadro
  const ready = fontes.filter(({ situacao }) => situacao === 'disponivel').length
  const shown = fontes.length === total ? '' : ` de ${total}`
  return html`<div class="topo"><div><h1>Fontes</h1><p class="suave">Quem responde a cada consulta, e como respondeu na última hora. Lido em ${formatAgora(agora)}.</p></div></div>
${formularioDeFiltros(
  `${prefixo}/painel/fontes/`,
  html`${selecao({ nome: 'uf', rotulo: 'De onde', todas: 'Todas' }, opcoesDeLugar, uf)}${selecao({ nome: 'servico', rotulo: 'Consulta', todas: 'Todas' }, opcoesDeServico, servico)}`,
)}
${cartao(
  {
    titulo: `${contar(fontes.length, 'fonte', 'fontes')}${shown}, ${contar(ready, 'consultada', 'consultadas')}`,
    id: 'fontes',
    lado: html`<a href="${url(`${prefixo}/sefaz/`)}">Situação das SEFAZ</a>`,
  },
  fontes.length === 0
    ? html`<p class="vazio">Nenhuma fonte com estes filtros.</p>`
    : html`<table class="fontes"><thead><tr><th scope="col">Fonte</th><th scope="col">Consulta</th><th scope="col">Agora</th><th scope="col">Última hora</th><th scope="col">Último erro</th><th scope="col">Captcha</th><th scope="col">O que se sabe</th></tr></thead><tbody>${fontes.map(linha)}</tbody></table>`,
)}
<p class="suave">“O que se sabe” diz de onde vêm o endereço e o protocolo, e de quando. Uma fonte que falha várias vezes seguidas fica em pausa, e a consulta segue para a próxima da ordem.</p>`
}

const linha = (fonte: FonteVista): Html =>
  html`<tr><th scope="row" class="nome"><span class="sigla">${fonte.uf}</span> <a href="${url(fonte.endereco)}" rel="noreferrer">${fonte.nome}</a><span class="suave abaixo">${fonte.host}</span></th><td class="servico">${servicos[fonte.servico] ?? fonte.servico}${fonte.ordem > 1 && html` <span class="suave abaixo">${fonte.ordem}ª opção</span>`}</td><td class="agora">${seloDaFonte(fonte)}</td>${[
    celula('Última hora', ultimaHora(fonte)),
    celula('Último erro', ultimoErro(fonte)),
    celula('Captcha', dizerCaptcha(fonte.captcha)),
    celula('O que se sabe', sabido(fonte)),
  ]}</tr>`

/** A cell that tells its column on a phone, where there is no head. */
const celula = (coluna: string, valor: Content): Html =>
  html`<td><b class="coluna" aria-hidden="true">${coluna}: </b>${valor}</td>`

const sabido = ({ certeza, em, horario, nota }: FonteVista): Content => [
  `${certezas[certeza] ?? certeza}${em === '' ? '' : `, ${em.split('-').toReversed().join('/')}`}`,
  horario !== '' && html`<span class="suave abaixo">${horario}</span>`,
  nota !== '' && html`<span class="suave abaixo">${nota}</span>`,
]
