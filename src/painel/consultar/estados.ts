import { dataBrasileira } from '../../documento/dia.ts'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import type { EstadoApresentado } from '../../platform/pages/apresentacao.ts'
import { mapaDoBrasil } from '../../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { botaoDaAgenda, drawFatos, drawSelo, type NaPagina } from './pecas.ts'

type Desfecho = EstadoApresentado['desfecho']

/** The classes of the map: found, nothing there, debt, failure; and what nobody can ask yet. */
const classes: Readonly<Record<Desfecho, 0 | 1 | 2 | 3 | 4>> = {
  nao_conectado: 0,
  achado: 1,
  nada: 2,
  pendencia: 3,
  falhou: 4,
}

const tons = {
  achado: 'bom',
  pendencia: 'nota',
  nada: 'neutro',
  falhou: 'ruim',
  nao_conectado: 'neutro',
} as const

export const classeDe = ({ desfecho }: Pick<EstadoApresentado, 'desfecho'>): number => classes[desfecho]

const seloDoEstado = ({ desfecho, palavra }: EstadoApresentado): Html =>
  drawSelo({ tom: tons[desfecho], palavra })

/** All states: what was found first, then what failed, what is not connected, and where there is nothing. */
export function drawEstados(estados: readonly EstadoApresentado[], pagina: NaPagina): Html {
  const of = (...desfechos: readonly Desfecho[]) => estados.filter((one) => desfechos.includes(one.desfecho))
  const achados = [...of('achado'), ...of('pendencia')]
  return html`<section class="cartao por-estado" aria-labelledby="por-estado"><h2 class="so-leitor" id="por-estado">Estado por estado</h2><div class="linhas">${achados.length > 0 && html`<ul class="achados">${achados.map((one) => drawAchado(one, pagina))}</ul>`}${drawFalhas(of('falhou'), pagina)}${drawSemConexao(of('nao_conectado'))}${drawNada(of('nada'))}</div><div class="no-mapa">${drawMapa(estados)}</div></section>`
}

function drawAchado(estado: EstadoApresentado, pagina: NaPagina): Html {
  const { uf, fichas, papel, validade } = estado
  const arquivos: Content = [
    papel &&
      pagina.entrega(
        { ...papel, parte: uf, read: () => Buffer.from(papel.base64, 'base64') },
        {
          rotulo: html`Baixar PDF<span class="so-leitor"> de ${unidades[uf].nome}</span>`,
          classe: 'discreto',
        },
      ),
    validade && botaoDaAgenda(validade, { ...pagina, parte: uf }),
  ]
  return html`<li id="estado-${uf}" class="${estado.desfecho}"><span class="sigla" aria-hidden="true">${uf}</span><div>${
    fichas.length > 0
      ? fichas.map(
          ({ titulo, selo, linha, fatos }) =>
            html`<div class="ficha"><h3><span class="so-leitor">${unidades[uf].nome}: </span>${titulo === selo?.palavra ? undefined : titulo} ${selo ? drawSelo(selo) : seloDoEstado(estado)}${validade && html` <span class="suave">vale até ${dataBrasileira(validade.dia)}</span>`}</h3>${linha !== undefined && html`<p class="suave">${linha}</p>`}${
              fatos.length > 0 && html`<details><summary>Ver tudo</summary>${drawFatos(fatos)}</details>`
            }</div>`,
        )
      : html`<h3>${unidades[uf].nome} ${seloDoEstado(estado)}</h3>`
  }</div>${(papel || validade) && html`<div class="arquivos">${arquivos}</div>`}</li>`
}

/** The states that failed, by why, with the way to ask them alone. */
function drawFalhas(falhas: readonly EstadoApresentado[], pagina: NaPagina): Content {
  if (falhas.length === 0) return undefined
  const { guarda, campoCsrf, precoDoEstado } = pagina
  return html`<section class="falhas" aria-labelledby="falhas"><div><h3 id="falhas">${falhas.length === 1 ? 'Falhou' : 'Falharam'} agora: ${falhas.map(({ uf }) => uf).join(', ')}</h3><ul class="suave">${[
    ...Map.groupBy(falhas, semSigla),
  ].map(
    ([motivo, alike]) =>
      html`<li>${alike.map(({ uf }) => html`<b id="estado-${uf}">${uf}</b> `)}${motivo}</li>`,
  )}</ul><p class="suave">Nada foi cobrado por ${falhas.length === 1 ? 'ele' : 'eles'}.</p></div>${
    guarda &&
    precoDoEstado !== '' &&
    html`<form method="post" action="${url(`${guarda.base}repetir`)}" class="sem-papel">${campoCsrf}<button class="botao" type="submit">Perguntar só a ${falhas.length === 1 ? 'este' : 'estes'} · ${precoDoEstado}</button></form>`
  }</section>`
}

/** Why it failed, in words that are the same for two states: `A SEFAZ não respondeu a tempo.` */
const semSigla = ({ uf, motivo }: EstadoApresentado): string =>
  motivo.replace(new RegExp(`[-/ ]${uf}\\b`, 'g'), '')

/** What the operator would have to set; nobody failed there. */
const drawSemConexao = (estados: readonly EstadoApresentado[]): Content =>
  estados.length > 0 &&
  html`<details class="sem-conexao"><summary>${estados.length} ${estados.length === 1 ? 'não consultável' : 'não consultáveis'}: ${estados.map(({ uf }) => uf).join(', ')} <span class="suave">(por quê?)</span></summary><ul>${estados.map(
    ({ uf, palavra, motivo }) =>
      html`<li id="estado-${uf}"><b>${unidades[uf].nome}</b> <span class="selo">${palavra}</span><p class="suave">${motivo}</p></li>`,
  )}</ul></details>`

const drawNada = (estados: readonly EstadoApresentado[]): Content =>
  estados.length > 0 &&
  html`<details class="sem-nada"><summary>${estados.length} ${(estados[0]?.palavra ?? '').toLowerCase()}</summary><ul>${estados.map(
    ({ uf, palavra }) =>
      html`<li id="estado-${uf}">${unidades[uf].nome} <span class="suave">${palavra}</span></li>`,
  )}</ul></details>`

const drawMapa = (estados: readonly EstadoApresentado[]): Html => {
  const known = new Map(estados.map((one) => [one.uf, one]))
  return html`${mapaDoBrasil(
    (uf: Uf) => {
      const estado = known.get(uf)
      return estado
        ? { status_code: classeDe(estado), status: estado.palavra }
        : { status_code: 0, status: 'Sem resposta ainda' }
    },
    (uf) => `#estado-${uf}`,
    'Mapa do Brasil: o que cada estado respondeu',
  )}${legenda(ufs.map((uf) => classeDe(known.get(uf) ?? { desfecho: 'nao_conectado' })))}`
}

const nomes = ['Sem resposta', 'Encontrada', 'Nada no estado', 'Com ressalva', 'Falhou'] as const

const legenda = (contados: readonly number[]): Html =>
  html`<ul class="legenda">${([1, 3, 2, 4, 0] as const).map((classe) => {
    const quantos = contados.filter((one) => one === classe).length
    const item = html`<svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${classe}"/>${
      classe === 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
    }</svg><span>${nomes[classe]}</span> <b>${quantos}</b>`
    return quantos === 0
      ? html`<li data-classe="${classe}" hidden="">${item}</li>`
      : html`<li data-classe="${classe}">${item}</li>`
  })}</ul>`

/** What the module of the page fills in while the states answer. Without it nobody sees it. */
export const drawMolde = (prefixo: string): Html =>
  html`<template id="molde"><section class="cartao veredito lento" id="ao-vivo" aria-labelledby="veredito"><div class="o-que-deu"><div><p class="suave assunto" id="assunto"></p><h1 id="veredito">Perguntando aos 27 estados</h1><p class="frase" id="fala" role="status" aria-live="polite">As respostas aparecem à medida que chegam. Quem falhar não é cobrado.</p></div><p class="contagem"><b>0</b> de 27</p></div><p class="suave pedido-da-resposta">Pedido <a id="pedido" href="${url(`${prefixo}/painel/registro/`)}"><code></code></a></p></section><section class="cartao por-estado" aria-label="Estado por estado"><div class="linhas"><ul class="achados"></ul><p class="suave falhas-ao-vivo"></p></div><div class="no-mapa">${drawMapa([])}</div></section></template>`
