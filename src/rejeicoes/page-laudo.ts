import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { DIAGNOSTICO, INDICE } from './enderecos.ts'
import { formularioDoXml } from './formulario.ts'
import { cartaoDasDivergencias, cartaoDeHoje, regrasDoDia } from './laudo-do-dia.ts'
import { cartaoDasEmendas, cartaoDasVerificacoes, cartaoDoEsquema, ocorrencias } from './laudo-partes.ts'
import type { Catalogo } from './ler.ts'
import { nomeDaRejeicao } from './page-ficha.ts'
import { cartaoDoCorrigido } from './page-formulario.ts'
import type { Rejeicao } from './rejeicao.ts'
import { nomesDosModelos } from './rejeicoes-textos.ts'
import type { Laudo, Suspeita } from './rules-laudo.ts'
import { cartaoAoLado } from './verificacoes.ts'

/**
 * What the page of a diagnosis is drawn from. `xml` is the note as it was sent; `avisos` are those of the way
 * that the file came; `rejeicao` is the one on whose page the form stood.
 */
export type LaudoNaPagina = {
  laudo: Laudo
  xml: string
  catalogo: Catalogo
  avisos: readonly string[]
  rejeicao: Rejeicao | undefined
}

/** The content of the page of a diagnosis: what is most likely first, beside what is wrong and right. */
export function paginaDoLaudo(
  { laudo, xml, catalogo, avisos, rejeicao }: LaudoNaPagina,
  prefixo: string,
): Html {
  const { suspeitas, emendas, corrigido } = laudo
  const exemplo = exemploDoLaudo(laudo, catalogo, rejeicao)
  return html`<div class="topo"><div>${trilhaDoLaudo(rejeicao, prefixo)}<h1>Diagnóstico da nota</h1>${identidade(laudo)}${regrasDoDia(laudo)}</div><a class="botao sem-papel" href="${url(prefixo + (rejeicao ? `${rejeicao.url_blog}#diagnostico` : DIAGNOSTICO))}">Outro XML</a></div>
${faixa(laudo)}
<div class="grade ficha"><div class="${exemplo && 'maior'} pilha">
${[...avisos, ...laudo.avisos].length > 0 && cartao({ titulo: 'Avisos', id: 'avisos' }, html`<ul class="pontos">${[...avisos, ...laudo.avisos].map((one) => html`<li>${one}</li>`)}</ul>`)}
${suspeitas.map((one, at) => cartaoDaSuspeita(one, at, { catalogo, prefixo, aoLado: exemplo?.codigo }))}
${cartaoDasDivergencias(laudo, prefixo)}
${cartaoDasEmendas(emendas)}
${corrigido !== null && cartaoDoCorrigido(corrigido, { xml, emendas: emendas.length, prefixo })}
${cartaoDeHoje(laudo, prefixo)}
${cartaoDoEsquema(laudo)}
${cartaoDasVerificacoes(laudo, catalogo, prefixo)}
</div>${exemplo && cartaoAoLado(exemplo, { laudo, prefixo, todos: exemplo === rejeicao })}
${cartao({ titulo: 'Conferir de novo', id: 'de-novo', classe: 'sem-papel' }, formularioDoXml(prefixo, rejeicao?.codigo))}
</div>`
}

/** The way back to the catalogue, and to the page on which the form stood. */
export const trilhaDoLaudo = (rejeicao: Rejeicao | undefined, prefixo: string): Html =>
  html`<nav aria-label="Onde esta página está" class="suave trilha"><a href="${url(prefixo + INDICE)}">Rejeições</a>${
    rejeicao && html` › <a href="${url(prefixo + rejeicao.url_blog)}">${nomeDaRejeicao(rejeicao)}</a>`
  }</nav>`

/** The rejection whose pair stands beside: that of the form's page, or else the likeliest that has one. */
function exemploDoLaudo(
  { suspeitas }: Laudo,
  { porCodigo }: Catalogo,
  rejeicao: Rejeicao | undefined,
): Rejeicao | undefined {
  const candidates = [rejeicao, ...suspeitas.map(({ codigo }) => porCodigo.get(codigo))]
  return candidates.find((one) => one !== undefined && one.verificacoes_analiticas.length > 0)
}

const identidade = ({ modelo, chave }: Laudo): Html =>
  html`<p class="suave">${modelo === null ? 'Nota de modelo desconhecido' : nomesDosModelos[modelo]}${chave !== null && html`, chave <code class="chave">${chave}</code>`}</p>`

/** All in one line. What was not decided is not said to be good. */
function faixa(laudo: Laudo): Html {
  const { resumo } = laudo
  const open = resumo.indeterminado
  const rest = `${resumo.ok} ${resumo.ok === 1 ? 'verificação passou' : 'verificações passaram'}${
    open > 0
      ? `; ${open} não ${open === 1 ? 'pôde' : 'puderam'} ser ${open === 1 ? 'decidida' : 'decididas'} só com o XML`
      : ''
  }.`
  const [tom, titulo] = tituloDaFaixa(laudo)
  return html`<div class="faixa-aviso ${tom}"><div><p>${titulo}</p><p>${rest}</p></div></div>`
}

function tituloDaFaixa({
  suspeitas: [first],
  esquema,
  regras,
}: Laudo): readonly [tom: string, titulo: string] {
  if (first?.origem === 'informado') return ['nada', `Nada neste XML confirma a rejeição ${first.codigo}`]
  if (first) return ['ruim', `Rejeição mais provável: ${first.codigo}, ${first.titulo}`]
  if (regras.autorizada) return ['bom', 'Esta nota foi autorizada: nada nela se acusa']
  return esquema.valido
    ? ['bom', 'Não encontramos motivo de rejeição neste XML']
    : ['ruim', 'O XML não segue o esquema oficial']
}

/** The errors of the schema that its suspicion repeats: all of them have a card. */
const DO_ESQUEMA = 3

/** What found a suspicion. */
const daOrigem: Readonly<Record<Suspeita['origem'], string>> = {
  esquema: 'Pelo esquema oficial',
  assinatura: 'Pela assinatura',
  chave: 'Pela chave de acesso',
  verificacao: 'Por uma verificação',
  cadastro: 'Pelo cadastro',
  informado: 'Informada por você',
}

function cartaoDaSuspeita(
  { codigo, titulo, url_blog, origem, ocorrencias: places }: Suspeita,
  at: number,
  { catalogo, prefixo, aoLado }: { catalogo: Catalogo; prefixo: string; aoLado: number | undefined },
): Html {
  const entry = catalogo.porCodigo.get(codigo)
  const steps = entry?.solucao_passos ?? []
  return html`<section class="cartao suspeita" aria-labelledby="suspeita-${at + 1}"><header><h2 id="suspeita-${at + 1}"><span class="numero-ordem">${at + 1}.</span> <a href="${url(prefixo + url_blog)}">${codigo}: ${titulo}</a></h2><span class="selo ${at === 0 ? 'ruim' : 'lento'}">${daOrigem[origem]}</span></header>${
    places.length > 0
      ? ocorrencias(places, origem === 'esquema' ? DO_ESQUEMA : undefined)
      : html`<p class="suave">Nada no XML aponta o lugar: veja as causas na página do código.</p>`
  }${
    steps.length > 0 &&
    html`<details><summary>Como resolver</summary><ol class="pontos">${steps.map((one) => html`<li>${one}</li>`)}</ol></details>`
  }${(entry?.verificacoes_analiticas.length ?? 0) > 0 && html`<p class="sem-papel"><a href="${url(codigo === aoLado ? '#par' : `${prefixo}${url_blog}#verificacao-1`)}">Ver o errado e o certo da ${codigo}</a></p>`}</section>`
}
