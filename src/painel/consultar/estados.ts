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
import { countOf, formatPrazo } from '../../platform/pages/formatos.ts'
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

export const classeDe = ({ desfecho }: Pick<EstadoApresentado, 'desfecho'>): number => classes[desfecho]

/** All states: what wants something done first, then what was found, what failed, and what is not there. */
export function drawEstados(estados: readonly EstadoApresentado[], pagina: NaPagina, sobre: Content): Html {
  const of = (...desfechos: readonly Desfecho[]) => estados.filter((one) => desfechos.includes(one.desfecho))
  const [ressalvas, emOrdem] = [of('pendencia'), of('achado')]
  const achados = [...ressalvas, ...emOrdem]
  const falhas = drawFalhas(partesCom(estados, 'falhou'))
  // The card stands below the shorter column; what failed, below both where the rows are as high as the map.
  const altura = achados.length + (falhas === undefined ? 0 : 3)
  const lugar = achados.length > 11 ? 'no-mapa' : altura > 4 ? 'largo' : ''
  const origens = achados.map(origemDe).filter((one) => one.startsWith('SEFAZ, '))
  const often = (one: string): number => origens.filter((other) => other === one).length
  const [mais = ''] = origens.toSorted((one, other) => often(other) - often(one))
  const comum = achados.length > 1 ? mais : ''
  const perguntas = Object.keys(achados.find(({ de }) => de)?.de ?? {})
  const lista = (some: readonly EstadoApresentado[]): Html =>
    html`<ul class="achados ${perguntas.length > 0 ? 'duas' : ''}">${some.map((one) => drawAchado(one, pagina, comum))}</ul>`
  const grupo = (titulo: string, some: readonly EstadoApresentado[]): Html =>
    html`<p class="grupo suave">${titulo} <b>${some.length}</b></p>${lista(some)}`
  const isDeDois = achados.length > MUITAS_LINHAS && ressalvas.length > 0 && emOrdem.length > 0
  return html`<section class="cartao por-estado ${lugar}" aria-labelledby="por-estado"><h2 class="so-leitor" id="por-estado">Estado por estado</h2><div class="linhas">${comum !== '' && html`<p class="suave">${comum.replace('SEFAZ', `Respondeu a SEFAZ de cada um destes estados${achados.every((one) => origemDe(one) === comum) ? '' : ', salvo onde se diz'}`)}</p>`}${achados.length > 0 && html`${perguntas.length > 0 && html`<p class="cabecas suave" aria-hidden="true"><span>UF</span>${perguntas.map((one) => html`<span>${one}</span>`)}</p>`}${isDeDois ? [grupo('Com ressalva', ressalvas), grupo('Em ordem', emOrdem)] : lista(achados)}`}${altura <= 4 || achados.length < 5 ? falhas : undefined}${drawSemConexao(estados)}${drawNada(of('nada'))}</div>${achados.length > 4 && falhas}<div class="no-mapa">${drawMapa(estados)}${lugar === 'no-mapa' && sobre}</div>${lugar !== 'no-mapa' && sobre}</section>`
}

/** More rows than these are told in two lists: their order begins anew. */
const MUITAS_LINHAS = 8

/** Who answered and when, without the state: what the first says is said once for all that say the same. */
const origemDe = ({ uf, fichas: [first] }: EstadoApresentado): string =>
  textOf(first?.linha).replace(`SEFAZ-${uf}`, 'SEFAZ')

/** A certificate that ends within them is marked. */
const POUCOS_DIAS = 30

/** A row: what came to each question, the paper, and one fold with all that was told. */
function drawAchado(estado: EstadoApresentado, pagina: NaPagina, comum: string): Html {
  const { uf, de, fichas, papel, validade } = estado
  const { nome } = unidades[uf]
  const agenda = validade && botaoDaAgenda(validade, { ...pagina, parte: uf })
  const arquivo =
    papel &&
    pagina.entrega(
      { ...papel, parte: uf, read: () => Buffer.from(papel.base64, 'base64') },
      {
        rotulo: html`<span class="so-largo">Baixar </span>PDF<span class="so-leitor"> de ${nome}</span>`,
        classe: 'discreto',
      },
    )
  const tudo = fichas.filter(({ fatos }) => fatos.length > 0)
  return html`<li id="estado-${uf}" class="${estado.desfecho}"><span class="sigla" aria-hidden="true">${uf}</span>${Object.entries(de ?? { '': estado }).map(([pergunta, dita]) => html`<div class="celula">${dita.fichas.length === 0 ? html`<p class="suave"><span class="so-leitor">${pergunta}: </span>${dita.desfecho === 'falhou' ? drawSelo({ tom: 'ruim', palavra: dita.palavra }) : dita.palavra}</p>` : dita.fichas.map((ficha, at) => html`${drawTitulo(ficha, dita, pagina.agora)}${drawLinha(ficha.linha, dita.fichas[at - 1]?.linha, uf, comum)}`)}</div>`)}${arquivo && html`<div class="arquivos">${arquivo}</div>`}${
    tudo.length > 0 &&
    html`<details><summary>Ver tudo<span class="so-leitor"> de ${nome}</span></summary>${tudo.map((ficha) => html`${tudo.length > 1 && html`<h4>${isCertidao(ficha) ? 'Certidão' : ficha.titulo}</h4>`}${drawFatos(ficha.fatos)}`)}${agenda && html`<p class="agenda sem-papel">${agenda}</p>`}</details>`
  }</li>`
}

/** A certificate has no number for a title: its badge says what it is. */
const isCertidao = ({ titulo, selo }: Ficha): boolean => titulo === selo?.palavra

function drawTitulo(ficha: Ficha, estado: EstadoApresentado, agora: Date): Html {
  const { uf, validade } = estado
  const dias = validade && isCertidao(ficha) && diasAte(validade.dia, agora)
  return html`<h3><span class="so-leitor">${unidades[uf].nome}: </span>${!isCertidao(ficha) && ficha.titulo} ${ficha.selo && drawSelo(ficha.selo)}${typeof dias === 'number' && html` <span class="suave">${dias > POUCOS_DIAS && html`<span class="so-largo">vale </span>`}até\u00a0${dataBrasileira(validade?.dia ?? '')}${dias <= POUCOS_DIAS && html` · <b>${formatPrazo(dias)}</b>`}</span>`}</h3>`
}

/** What all rows share stands above them, and what several cards of a state share with the first. */
function drawLinha(linha: Content, antes: Content, uf: Uf, comum: string): Content {
  const origem = textOf(linha).replace(`SEFAZ-${uf}`, 'SEFAZ')
  if (origem === '' || origem === comum || textOf(linha) === textOf(antes)) return undefined
  if (`${origem} (reaproveitada)` === comum) return html`<p class="suave">perguntada agora</p>`
  const dita = /^Cadastro nacional/.test(origem)
    ? 'pelo cadastro nacional (CCC)'
    : origem.replace(/^SEFAZ, /, '')
  return html`<p class="suave">${comum === '' ? html`<span aria-hidden="true">${unidades[uf].nome} · </span>${linha}` : dita}</p>`
}

type Parte = { uf: Uf; pergunta: string; palavra: string; motivo: string }

/** The states, each by the question to which this came. */
export const partesCom = (estados: readonly EstadoApresentado[], desfecho: Desfecho): readonly Parte[] =>
  estados.flatMap((one) =>
    Object.entries(one.de ?? { '': one }).flatMap(([pergunta, dita]) =>
      dita.desfecho === desfecho ? { uf: one.uf, pergunta, palavra: dita.palavra, motivo: dita.motivo } : [],
    ),
  )

export const siglasDe = (partes: readonly { uf: Uf }[]): readonly Uf[] => [
  ...new Set(partes.map(({ uf }) => uf)),
]

/** What failed, by why: both questions to a state may have for one reason. The verdict asks them anew. */
function drawFalhas(falhas: readonly Parte[]): Content {
  const siglas = siglasDe(falhas)
  if (siglas.length === 0) return undefined
  const ditas = [...Map.groupBy(falhas, ({ uf, motivo }) => `${uf} ${motivo}`).values()].flatMap(
    ([first, other]) =>
      first
        ? { ...first, pergunta: first.pergunta + (other ? ` e ${other.pergunta.toLowerCase()}` : '') }
        : [],
  )
  const dicas = new Set(ditas.map(({ motivo }) => DICA.exec(motivo)?.[0]))
  const [dica = ''] = dicas.size === 1 ? dicas : []
  const grupos = [...Map.groupBy(ditas, ({ pergunta }) => pergunta)]
    .flatMap(([pergunta, own]) =>
      porMotivo(own).map(([motivo, alike]) => ({ pergunta, motivo, quem: siglasDe(alike).join(', ') })),
    )
    .toSorted((one, other) => one.quem.localeCompare(other.quem))
    .map(
      ({ pergunta, motivo, quem }) =>
        html`<li><b>${quem}</b> ${pergunta && `${pergunta}: `}${drawMotivo(motivo.replace(dica, ''))}</li>`,
    )
  return html`<section class="falhas" aria-labelledby="falhas"><h3 id="falhas">${siglas.length === 1 ? 'Falhou' : 'Falharam'} agora: ${siglas.join(', ')}</h3><ul class="suave">${grupos}</ul><p class="suave">Nada foi cobrado pelo que falhou.${dica.replace(DICA, ' Se falhar outra vez, espere $1.')}</p></section>`
}

/** What a failure advises last; said once where all say it. */
const DICA = / Tente de novo em ([^.]+)\.$/

/** What the operator would have to set; nobody failed there. */
function drawSemConexao(estados: readonly EstadoApresentado[]): Content {
  const partes = partesCom(estados, 'nao_conectado')
  if (partes.length === 0) return undefined
  const ditas = [...Map.groupBy(partes, ({ pergunta }) => pergunta)]
  const titulo = ditas.some(([pergunta]) => pergunta === '')
    ? `${countOf(partes.length, 'não consultável', 'não consultáveis')}: ${siglasDe(partes).join(', ')}`
    : `Não consultáveis: ${ditas.map(([pergunta, own]) => `${pergunta.toLowerCase()} em ${siglasDe(own).join(', ')}`).join('; ')}`
  return html`<details class="sem-conexao"><summary>${titulo} <span class="suave">(por quê?)</span></summary><ul>${estados.map(
    ({ uf, desfecho }) => {
      const own = partes.filter((one) => one.uf === uf)
      return (
        own.length > 0 &&
        html`<li id="${desfecho === 'nao_conectado' ? 'estado' : 'parte'}-${uf}"><b>${unidades[uf].nome}</b> <span class="selo">${own[0]?.palavra}</span>${own.map(({ pergunta, motivo }) => html`<p class="suave">${pergunta && `${pergunta}: `}${drawMotivo(motivo)}</p>`)}</li>`
      )
    },
  )}</ul></details>`
}

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
    (uf) => (known.get(uf)?.desfecho === 'falhou' ? '#falhas' : `#estado-${uf}`),
    'Mapa do Brasil: o que cada estado respondeu',
  )}${legenda(
    ufs.map((uf) => known.get(uf) ?? { desfecho: 'nao_conectado', palavra: '' }),
    known.size === 0 ? ['Sem resposta ainda'] : estados.some(({ de }) => de) ? DE_DUAS : ['Não consultável'],
  )}`
}

/** Of a profile a word of one of its questions would say nothing of the other. */
const DE_DUAS = ['Não consultável ou só em parte', 'Em ordem', 'Sem inscrição nem certidão']

const legenda = (ditos: readonly Dito[], nomes: readonly string[]): Html =>
  html`<ul class="legenda">${([1, 3, 2, 4, 0] as const).map((classe) => {
    const dela = ditos.filter((one) => classeDe(one) === classe)
    const item = html`<svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${classe}"/>${
      classe === 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
    }</svg><span>${nomes[classe] ?? ((classe !== 4 && comumDe(dela)) || ['', 'Algo encontrado', 'Sem inscrição', 'Com ressalva', 'Falhou'][classe])}</span> <b>${dela.length}</b>`
    return dela.length === 0
      ? html`<li data-classe="${classe}" hidden="">${item}</li>`
      : html`<li data-classe="${classe}">${item}</li>`
  })}</ul>`

/** What all of one colour say alike, as that they are negative; of two, that each is one or the other. */
function comumDe(ditos: readonly Dito[]): string {
  const ditas = ditos.map(({ palavra }) => palavra.split(' · '))
  const all = [...new Set(ditas.flat())]
  const comuns = all.filter((one) => ditas.every((own) => own.includes(one)))
  return comuns.join(' · ') || (all.length === 2 ? `${all[0]} ou ${all[1]?.toLowerCase()}` : '')
}

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
