import { dataBrasileira, diasAte } from '../../documento/dia.ts'
import { formatDocumento } from '../../documento/documento.ts'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import {
  type Apresentacao,
  type EstadoApresentado,
  type Ficha,
  porMotivo,
  textOf,
} from '../../platform/pages/apresentacao.ts'
import { writeCsv } from '../../platform/pages/csv.ts'
import { formatPrazo } from '../../platform/pages/formatos.ts'
import { mapaDoBrasil } from '../../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import type { ArquivoDaResposta } from './papeis.ts'
import { botaoDaAgenda, drawFatos, drawSelo, type NaPagina } from './pecas.ts'
import { drawMotivo, type Feita } from './respondida.ts'

type Desfecho = EstadoApresentado['desfecho']

type Dito = Pick<EstadoApresentado, 'desfecho' | 'palavra'>

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
  pendencia: 'lento',
  nada: 'neutro',
  falhou: 'ruim',
  nao_conectado: 'neutro',
} as const

export const classeDe = ({ desfecho }: Pick<EstadoApresentado, 'desfecho'>): number => classes[desfecho]

const seloDoEstado = ({ desfecho, palavra }: EstadoApresentado): Html =>
  drawSelo({ tom: tons[desfecho], palavra })

/** All states: what wants something done first, then what was found, what failed, and what is not there. */
export function drawEstados(estados: readonly EstadoApresentado[], pagina: NaPagina, sobre: Content): Html {
  const of = (...desfechos: readonly Desfecho[]) => estados.filter((one) => desfechos.includes(one.desfecho))
  const achados = [...of('pendencia'), ...of('achado')]
  const isMuitos = achados.length > 5
  // The longer column has the map, and below it room.
  const isPouco = of('falhou').length + achados.flatMap(({ fichas }) => fichas).length < 8
  const [comum = ''] = isMuitos ? achados.map(origemDe).filter((one) => one.startsWith('SEFAZ, ')) : []
  return html`<section class="cartao por-estado" aria-labelledby="por-estado"><h2 class="so-leitor" id="por-estado">Estado por estado</h2><div class="linhas">${comum !== '' && html`<p class="suave">${comum.replace('SEFAZ', `Respondeu a SEFAZ de cada estado${achados.every((one) => origemDe(one) === comum) ? '' : ', salvo onde se diz'}`)}</p>`}${achados.length > 0 && html`<ul class="achados ${isMuitos ? 'muitos' : ''}">${achados.map((one) => drawAchado(one, pagina, comum))}</ul>`}${drawFalhas(of('falhou'))}${drawSemConexao(of('nao_conectado'))}${drawNada(of('nada'))}</div><div class="no-mapa">${drawMapa(estados)}${!isPouco && sobre}</div>${isPouco && sobre}</section>`
}

/** Who answered and when, without the state: what the first says is said once for all that say the same. */
const origemDe = ({ uf, fichas: [first] }: EstadoApresentado): string =>
  textOf(first?.linha).replace(`SEFAZ-${uf}`, 'SEFAZ')

/** A certificate that ends within them is marked. */
const POUCOS_DIAS = 30

function drawAchado(estado: EstadoApresentado, pagina: NaPagina, comum: string): Html {
  const { uf, fichas, papel, validade } = estado
  const origem = origemDe(estado)
  const isComum = comum !== '' && origem === comum
  const isPeloCcc = comum !== '' && origem.startsWith(comum.replace('SEFAZ', 'Cadastro nacional (CCC)'))
  const agenda = validade && botaoDaAgenda(validade, { ...pagina, parte: uf })
  const arquivo =
    papel &&
    pagina.entrega(
      { ...papel, parte: uf, read: () => Buffer.from(papel.base64, 'base64') },
      {
        rotulo: html`<span class="so-largo">Baixar </span>PDF<span class="so-leitor"> de ${unidades[uf].nome}</span>`,
        classe: 'discreto',
      },
    )
  return html`<li id="estado-${uf}" class="${estado.desfecho}"><span class="sigla" aria-hidden="true">${uf}</span><div>${
    fichas.length > 0
      ? fichas.map(
          ({ titulo, selo, linha, fatos }, at) =>
            html`<div class="ficha"><h3><span class="so-leitor">${unidades[uf].nome}: </span>${titulo === selo?.palavra ? undefined : titulo} ${selo ? drawSelo(selo) : seloDoEstado(estado)}${validade && titulo === selo?.palavra && html` <span class="suave">vale até ${dataBrasileira(validade.dia)}${diasAte(validade.dia, pagina.agora) <= POUCOS_DIAS && html` · <b>${formatPrazo(diasAte(validade.dia, pagina.agora))}</b>`}</span>`}</h3>${isComum ? undefined : isPeloCcc ? at === 0 && PELO_CCC : drawLinha(linha, fichas[at - 1]?.linha, uf)}${
              fatos.length > 0 &&
              html`<details><summary>Ver tudo</summary>${drawFatos(fatos)}${titulo === selo?.palavra && agenda && html`<p class="agenda sem-papel">${agenda}</p>`}</details>`
            }</div>`,
        )
      : html`<h3>${unidades[uf].nome} ${seloDoEstado(estado)}</h3>`
  }</div>${papel && html`<div class="arquivos">${arquivo}</div>`}</li>`
}

const PELO_CCC = html`<p class="suave">pelo cadastro nacional (CCC)</p>`

/** What several cards of a state share is told with the first of them. */
function drawLinha(linha: Content, antes: Content, uf: Uf): Content {
  const { nome } = unidades[uf]
  if (linha === undefined || textOf(linha) === textOf(antes)) return undefined
  return html`<p class="suave">${antes === undefined && html`<span aria-hidden="true">${nome} · </span>`}${linha}</p>`
}

/** The states that failed, by why. The verdict has the way to ask them alone. */
function drawFalhas(falhas: readonly EstadoApresentado[]): Content {
  if (falhas.length === 0) return undefined
  return html`<section class="falhas" aria-labelledby="falhas"><div><h3 id="falhas">${falhas.length === 1 ? 'Falhou' : 'Falharam'} agora: ${falhas.map(({ uf }) => uf).join(', ')}</h3><ul class="suave">${porMotivo(
    falhas,
  ).map(
    ([motivo, alike]) =>
      html`<li>${alike.map(({ uf }) => html`<b id="estado-${uf}">${uf}</b> `)}${drawMotivo(motivo)}</li>`,
  )}</ul><p class="suave">Nada foi cobrado por ${falhas.length === 1 ? 'ele' : 'eles'}.</p></div></section>`
}

/** What the operator would have to set; nobody failed there. */
const drawSemConexao = (estados: readonly EstadoApresentado[]): Content =>
  estados.length > 0 &&
  html`<details class="sem-conexao"><summary>${estados.length} ${estados.length === 1 ? 'não consultável' : 'não consultáveis'}: ${estados.map(({ uf }) => uf).join(', ')} <span class="suave">(por quê?)</span></summary><ul>${estados.map(
    ({ uf, palavra, motivo }) =>
      html`<li id="estado-${uf}"><b>${unidades[uf].nome}</b> <span class="selo">${palavra}</span><p class="suave">${drawMotivo(motivo)}</p></li>`,
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
  )}${legenda(
    ufs.map((uf) => known.get(uf) ?? { desfecho: 'nao_conectado', palavra: '' }),
    known.size === 0 ? 'Sem resposta ainda' : 'Não consultável',
  )}`
}

const legenda = (ditos: readonly Dito[], semResposta: string): Html =>
  html`<ul class="legenda">${([1, 3, 2, 4, 0] as const).map((classe) => {
    const dela = ditos.filter((one) => classeDe(one) === classe)
    // Where all of one colour say the same, as that it is negative, the legend says it too.
    const [palavra = '', ...outras] = classe % 4 === 0 ? [] : new Set(dela.map((one) => one.palavra))
    const item = html`<svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${classe}"/>${
      classe === 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
    }</svg><span>${palavra !== '' && outras.length === 0 ? palavra : [semResposta, 'Algo encontrado', 'Sem inscrição', 'Com ressalva', 'Falhou'][classe]}</span> <b>${dela.length}</b>`
    return dela.length === 0
      ? html`<li data-classe="${classe}" hidden="">${item}</li>`
      : html`<li data-classe="${classe}">${item}</li>`
  })}</ul>`

/** What the module of the page fills in while the states answer. Without it nobody sees it. */
export const drawMolde = (prefixo: string): Html =>
  html`<template id="molde"><section class="cartao veredito lento" id="ao-vivo" aria-labelledby="veredito"><div class="o-que-deu"><div><p class="suave assunto" id="assunto"></p><h1 id="veredito">Perguntando aos 27 estados</h1><p class="frase" id="fala" role="status" aria-live="polite">As respostas aparecem à medida que chegam. Quem falhar não é cobrado.</p></div><p class="contagem"><b>0</b> de 27</p></div><p class="suave pedido-da-resposta">Pedido <a id="pedido" href="${url(`${prefixo}/painel/registro/`)}"><code></code></a></p></section><section class="cartao por-estado" aria-label="Estado por estado"><div class="linhas"><ul class="achados"></ul><p class="suave falhas-ao-vivo"></p></div><div class="no-mapa">${drawMapa([])}</div></section></template>`

/** All states as a table, a line each, and one for each thing that was found there. */
export function estadosEmCsv(
  { nome, porEstado }: Apresentacao,
  { entrada: { documento } }: Feita,
): ArquivoDaResposta | undefined {
  if (!porEstado) return undefined
  const linhas = porEstado.flatMap((estado): Readonly<Record<string, string>>[] => {
    const { uf, palavra, motivo, fichas } = estado
    const comum = { UF: uf, Estado: unidades[uf].nome, Resultado: palavra }
    if (fichas.length === 0) return [{ ...comum, [POR_QUE]: motivo }]
    return fichas.map((ficha) => ({ ...comum, ...ditoNaLinha(ficha, estado, nome) }))
  })
  // Of what nobody told there is no column.
  const ditas = linhas.flatMap((linha) => Object.keys(linha).filter((coluna) => linha[coluna] !== ''))
  const colunas = [...new Set(ditas)].filter((one) => one !== POR_QUE)
  if (ditas.includes(POR_QUE)) colunas.push(POR_QUE)
  const doc = formatDocumento(documento)
  const celulas = linhas.map((linha) => [doc, ...colunas.map((coluna) => linha[coluna] ?? '')])
  const escrita = writeCsv(['Consultado', ...colunas], celulas)
  return { tipo: 'csv', nome: `estados-${documento}.csv`, conteudo: Buffer.from(escrita) }
}

const POR_QUE = 'Por quê'

function ditoNaLinha(
  { titulo, selo, linha, fatos }: Ficha,
  { palavra, validade }: EstadoApresentado,
  nome: string,
): Readonly<Record<string, string>> {
  const isCertidao = titulo === selo?.palavra
  return {
    Resultado: selo?.palavra ?? palavra,
    'Quem respondeu': textOf(linha),
    'Inscrição estadual': isCertidao ? '' : textOf(titulo),
    Nome: isCertidao ? '' : nome,
    'Válida até': isCertidao && validade ? dataBrasileira(validade.dia) : '',
    ...Object.fromEntries(fatos.map(({ rotulo, valor }) => [rotulo, textOf(valor)])),
  }
}
