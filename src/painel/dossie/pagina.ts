import { dataBrasileira, diasAte } from '../../documento/dia.ts'
import { formatDocumento } from '../../documento/documento.ts'
import { type Uf, unidades } from '../../documento/uf.ts'
import {
  type EstadoApresentado,
  type Fato,
  type Ficha,
  isGuardada,
  type ParteDaResposta,
  porMotivo,
  type Tom,
} from '../../platform/pages/apresentacao.ts'
import { countOf, formatInstante, haQuanto } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { enumerate } from '../../platform/texto.ts'
import { respostaEm } from '../chamadas.ts'
import { linkDoArquivo } from '../consultar/papeis.ts'
import { classeDoValor, drawFato, drawSelo } from '../consultar/pecas.ts'
import { drawMotivo } from '../consultar/respondida.ts'
import type { Divergencia } from './divergencias.ts'
import { type Dossie, falhasDe, type SecaoDoDossie } from './montagem.ts'

export type ArredoresDoDossie = {
  prefixo: string
  /** Where the page itself is, and its forms are sent to. */
  endereco: string
  agora: Date
  campos: Content
  /** What it costs at most to ask one again, or all: `até 27 créditos`. */
  precoDe: (pergunta: string) => string
  precoDeTudo: string
  /** Whether the calls are still kept, so that their own pages exist. */
  guardado: boolean
}

export const drawDossie = (dossie: Dossie, arredores: ArredoresDoDossie): Html =>
  html`<article class="dossie">${cabecalho(dossie, arredores)}${drawFaltam(dossie, arredores)}${resumo(dossie, arredores)}${divergencias(dossie)}<div class="secoes-do-dossie">${drawSecoes(dossie.secoes, arredores)}</div><p class="suave ressalva">${RESSALVA}</p></article>`

/** In their order; the cards between two of the whole width stand in columns. */
function drawSecoes(secoes: readonly SecaoDoDossie[], arredores: ArredoresDoDossie): Content {
  const runs: SecaoDoDossie[][] = []
  for (const secao of secoes) {
    const last = runs.at(-1)
    if (last?.[0] && !isDeMuitas(secao) && !isDeMuitas(last[0])) last.push(secao)
    else runs.push([secao])
  }
  return runs.map((run) => drawColunas(run.map((secao) => drawSecao(secao, arredores))))
}

/** The first cards and the last ones stand left, those between them right: as even as may be. */
function drawColunas(cards: readonly Html[]): Content {
  const sum = (some: readonly Html[]): number => some.reduce((all, card) => all + alturaDe(card), 0)
  const [melhor] = cards
    .flatMap((_, at) => cards.map((_, end) => [at + 1, end + 1] as const))
    .filter(([start, end]) => start < end)
    .map(([start, end]) => ({ start, end, sobra: Math.abs(sum(cards) - 2 * sum(cards.slice(start, end))) }))
    .toSorted((a, b) => a.sobra - b.sobra || b.end - a.end)
  if (!melhor) return cards
  const { start, end } = melhor
  const partes = [cards.slice(0, start), cards.slice(start, end), cards.slice(end)]
  return html`<div class="colunas">${partes.filter(({ length }) => length > 0).map((parte) => html`<div class="coluna">${parte}</div>`)}</div>`
}

/** About how many pixels a card of half the width is high, measured in 19 of them. */
const alturaDe = (card: Html): number => {
  const count = (tag: RegExp): number => String(card).match(tag)?.length ?? 0
  return 50 + 50 * count(/<(?:h3|h4|li|tr|p)\b/g) + 20 * count(/<dt/g)
}

/** Where the paper of a dossier is, below its page. */
export const PAPEL = 'dossie.pdf'

/** What such a paper is, and what it is not. */
export const RESSALVA =
  'Resumo feito por este serviço do que cada órgão respondeu na hora que se diz. Não é certidão: a que vale é o papel de cada órgão.'

function cabecalho(
  { documento, nome, feitoEm, creditos, secoes }: Dossie,
  arredores: ArredoresDoDossie,
): Html {
  const { endereco, campos, precoDeTudo, guardado } = arredores
  return html`<header class="topo"><div><p class="suave trilha">Dossiê ${documento.length === 11 ? 'do produtor' : 'da empresa'} · ${formatMinuto(feitoEm)} (Brasília)</p><h1>${nome || 'Sem nome nos cadastros'}</h1><p class="documento"><code>${formatDocumento(documento)}</code> <span class="suave">· ${creditos === 0 ? 'nada foi cobrado' : `custou ${countOf(creditos, 'crédito', 'créditos')}${secoes.some(isReaproveitada) ? '; as respostas reaproveitadas custam o mesmo' : ''}`}</span></p></div><div class="acoes sem-papel">${
    guardado && html`<a class="botao" href="${url(endereco + PAPEL)}">Baixar o PDF</a>`
  }<form method="post" action="${url(endereco)}">${campos}<button class="discreto" type="submit">Perguntar tudo de novo · ${precoDeTudo}</button></form></div></header>`
}

const drawFaltam = ({ faltam }: Dossie, arredores: ArredoresDoDossie): Content =>
  faltam.length > 0 &&
  html`<div class="faixa-aviso lento" role="status"><div><p>Sem resposta ainda: ${enumerate(faltam.map(({ titulo }) => titulo))}</p><p>Se você acabou de pedir, recarregue a página em instantes.</p>${faltam.map((one) => botaoDeNovo(one, arredores))}</div></div>`

const botaoDeNovo = (
  { pergunta, titulo }: Pick<SecaoDoDossie, 'pergunta' | 'titulo'>,
  { endereco, campos, precoDe, guardado }: ArredoresDoDossie,
): Content =>
  guardado &&
  html`<form class="de-novo sem-papel" method="post" action="${url(endereco)}">${campos}<input type="hidden" name="so" value="${pergunta}"/><button class="discreto" type="submit">Perguntar de novo · ${precoDe(pergunta)}<span class="so-leitor">: ${titulo}</span></button></form>`

const resumo = ({ secoes }: Dossie, { agora }: ArredoresDoDossie): Html =>
  html`<section class="cartao" aria-labelledby="em-resumo"><h2 id="em-resumo">Em resumo</h2><table class="resumo-do-dossie"><thead><tr><th scope="col">Consulta</th><th scope="col">O que se achou</th><th scope="col">Quem respondeu, e quando</th><th scope="col" class="num">Créditos</th></tr></thead><tbody>${secoes.map(
    (secao) =>
      html`<tr><th scope="row"><a href="${url(`#${secao.pergunta}`)}">${secao.titulo}</a></th><td>${drawSelo(seloDoResumo(secao, agora))}<span class="suave">${ditoDosFora(secao)}</span></td><td>${origemDe(secao, agora)}</td><td class="num">${secao.cobrados}<span class="unidade"> ${secao.cobrados === 1 ? 'crédito' : 'créditos'}</span></td></tr>`,
  )}</tbody></table></section>`

/** From so many days before the end of a certificate on, its badge is yellow. */
const PERTO_DO_FIM = 30

/** The verdict, and of a certificate its last day: a list of green badges hides what ends tomorrow. */
export function seloDoResumo(
  { apresentacao: { tom, veredito, validade } }: SecaoDoDossie,
  agora: Date,
): { tom: Tom; palavra: string } {
  if (!validade) return { tom, palavra: veredito }
  const isPerto = diasAte(validade.dia, agora) < PERTO_DO_FIM
  return { tom: isPerto ? 'lento' : tom, palavra: `${veredito} até ${dataBrasileira(validade.dia)}` }
}

/** ` 8 não consultáveis`: what the verdict of all states is not of. */
export function ditoDosFora({ apresentacao: { porEstado = [] } }: SecaoDoDossie): string {
  const fora = porEstado.filter(({ desfecho }) => desfecho === 'nao_conectado').length
  return fora > 0 ? ` ${countOf(fora, 'não consultável', 'não consultáveis')}` : ''
}

/** `28/11/2026 17:46`, in Brasília. */
export const formatMinuto = (quando: Date): string => formatInstante(quando).slice(0, 16)

/** SEFAZ-RS, 28/11/2026 17:46, há 3 min. */
export function origemDe(secao: SecaoDoDossie, agora: Date): string {
  const { origem } = secao
  const { respondido } = secao.apresentacao
  if (!respondido) return origem
  const { quem, em } = respondido
  if (em === '') return quem
  const idade = haQuanto(em, agora)
  return `${quem}, ${formatMinuto(new Date(em))}${/^agora$| s$/.test(idade) ? '' : `, ${idade.replaceAll(' ', '\u00a0')}`}${isReaproveitada(secao) ? ' (reaproveitada)' : ''}`
}

/** Whether the log has it so too: the body of a CNIR does not tell, and its instant does. */
function isReaproveitada({ request_id, apresentacao: { respondido, porEstado } }: SecaoDoDossie): boolean {
  if (!respondido) return false
  return respondido.guardada || (!porEstado && isGuardada(request_id, respondido.em))
}

function divergencias(dossie: Dossie): Html {
  const { titulo, frase } = ditoDasComparacoes(dossie)
  const all = dossie.divergencias
  return html`<section class="cartao ${all.length > 0 && 'divergencias'}" aria-labelledby="divergencias"><h2 id="divergencias">${titulo}</h2>${frase !== '' && html`<p>${frase}</p>`}${all.map(drawDivergencia)}</section>`
}

/** What registers agree in is told of what was compared alone. */
export function ditoDasComparacoes({ divergencias: all, comparacoes, cadastros, secoes }: Dossie): {
  titulo: string
  frase: string
} {
  const nomes = comparacoes.map(({ campo }) => (campo === 'CPF ou CNPJ' ? campo : campo.toLowerCase()))
  const ditas = comparacoes.map(({ cadastros: quantos }, at) => `${nomes[at]} (${quantos} cadastros)`)
  const comparado = ditas.length > 0 ? `Comparados: ${enumerate(ditas)}.${ditoDasAreas(secoes)}` : ''
  if (all.length > 0)
    return {
      titulo: `${countOf(all.length, 'divergência', 'divergências')} entre cadastros`,
      frase: comparado,
    }
  if (ditas.length > 0)
    return {
      titulo: `Nenhuma divergência de ${enumerate(nomes)}`,
      frase: `${comparado} Maiúsculas, acentos e abreviações não contam.`,
    }
  const motivos = ['nenhum cadastro respondeu', 'só um cadastro respondeu'] as const
  return {
    titulo: 'Divergências',
    frase: `Nada para comparar: ${motivos[cadastros] ?? 'os cadastros não dizem as mesmas coisas'}.`,
  }
}

/** The land that both registers know: each has an area of its own, which says nothing of the other's. */
function ditoDasAreas(secoes: readonly SecaoDoDossie[]): string {
  const ditas = secoes.flatMap(({ pergunta, apresentacao: { veredito } }) => {
    const [area] = pergunta === 'cnir' || pergunta === 'sigef' ? (/[\d.,]+ ha$/.exec(veredito) ?? []) : []
    return area === undefined ? [] : `${pergunta.toUpperCase()}, ${area}`
  })
  return ditas.length < 2 ? '' : ` A área não foi comparada: ${ditas.join('; ')}.`
}

const drawDivergencia = ({ campo, frase, ditos }: Divergencia): Html =>
  html`<div class="divergencia"><h3>${campo}</h3><p>${frase}</p><dl>${ditos.map(
    ({ fonte, dito }) => html`<div><dt>${fonte}</dt><dd>${dito}</dd></div>`,
  )}</dl></div>`

/** Its fold is open, also on paper: only the module of the page shuts it, on a phone. */
function drawSecao(secao: SecaoDoDossie, arredores: ArredoresDoDossie): Html {
  const { pergunta, titulo, apresentacao } = secao
  const { tom, veredito, frase, fatos, partes, porEstado } = apresentacao
  const tudo = html`${drawFatos(fatos)}${partes.map(drawParte)}${porEstado && drawEstados(secao, arredores)}`
  return html`<section class="cartao secao-do-dossie ${tom} ${isDeMuitas(secao) && 'larga'}" aria-labelledby="${pergunta}"><header><h2 id="${pergunta}">${titulo}</h2><p class="suave">${origemDe(secao, arredores.agora)}</p></header><p class="achado-do-dossie">${veredito}</p><div class="frase-do-dossie">${frase}</div>${String(tudo) !== '' && html`<details open=""><summary class="sem-papel">Ver tudo</summary>${tudo}</details>`}${deNovo(secao, arredores)}</section>`
}

const drawFatos = (fatos: readonly Fato[]): Content =>
  fatos.length > 0 && html`<dl class="fatos-do-dossie">${fatos.map(drawFato)}</dl>`

const drawParte = (parte: ParteDaResposta): Html =>
  html`<div class="parte-do-dossie"><h3>${parte.titulo}</h3>${conteudoDe(parte)}</div>`

function conteudoDe(parte: ParteDaResposta): Content {
  if ('fatos' in parte) return drawFatos(parte.fatos)
  if ('fichas' in parte) return parte.fichas.map(drawFicha)
  if ('conteudo' in parte) return parte.conteudo
  const { colunas, linhas } = parte.tabela
  return html`<div class="rola" tabindex="0" role="region" aria-label="${parte.titulo}"><table><thead><tr>${colunas.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${linhas.map(
    (linha) => html`<tr>${linha.map((one) => html`<td class="${classeDoValor(one)}">${one}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const drawFicha = ({ titulo, selo, linha, fatos }: Ficha): Html =>
  html`<div class="ficha-do-dossie"><h4>${titulo} ${selo && drawSelo(selo)}</h4>${
    linha !== undefined && html`<p class="suave">${linha}</p>`
  }${drawFatos(fatos)}</div>`

/** The title of a card of a state: its number, or nothing where the seal says the same. */
export const tituloNoEstado = (uf: Uf, { titulo, selo }: Ficha): string =>
  String(titulo) === selo?.palavra ? unidades[uf].nome : `${unidades[uf].nome} · ${titulo}`

/** There may be 54: many take the whole width, and the facts of their registrations stand in lines. */
const isDeMuitas = ({ apresentacao: { porEstado = [] } }: SecaoDoDossie): boolean =>
  porEstado.filter(({ fichas }) => fichas.length > 0).length > 3

/** A paper of a call, while that is kept. */
const linkDoPapel = (
  { request_id }: SecaoDoDossie,
  parte: Uf | '',
  { prefixo, guardado }: ArredoresDoDossie,
) =>
  guardado &&
  linkDoArquivo(
    respostaEm(prefixo, request_id),
    { tipo: 'pdf', parte },
    {
      rotulo: html`PDF<span class="so-leitor"> da certidão${parte && ` de ${unidades[parte].nome}`}</span>`,
      classe: 'discreto sem-papel',
    },
  )

/** The states in groups: what was found whole, what failed with its reason, the others by their codes. */
function drawEstados(secao: SecaoDoDossie, arredores: ArredoresDoDossie): Html {
  const { porEstado = [] } = secao.apresentacao
  const drawFatosDe = ({ titulo, selo, fatos }: Ficha): Content =>
    isDeMuitas(secao) && titulo !== selo?.palavra
      ? html`<dl class="em-linha">${fatos.map(({ rotulo, valor }) => html`<div><dt>${rotulo}</dt> <dd>${valor}</dd></div>`)}</dl>`
      : drawFatos(fatos)
  return html`${porEstado.map(({ uf, fichas, papel }) => fichas.map((ficha) => html`<div class="ficha-do-dossie do-estado"><div><h3>${tituloNoEstado(uf, ficha)} ${ficha.selo && drawSelo(ficha.selo)}</h3>${ficha.linha !== undefined && html`<p class="suave">${ficha.linha}</p>`}</div>${drawFatosDe(ficha)}${papel && linkDoPapel(secao, uf, arredores)}</div>`))}${gruposDe(
    porEstado,
  ).map(
    ({ titulo, texto, motivos }) =>
      html`<div class="grupo-do-dossie"><p><b>${titulo}</b> ${texto}</p>${motivos.length > 0 && html`<ul>${motivos.map((motivo) => html`<li>${drawMotivo(motivo)}</li>`)}</ul>`}</div>`,
  )}`
}

export type GrupoDeEstados = { titulo: string; texto: string; motivos: readonly string[] }

export function gruposDe(estados: readonly EstadoApresentado[]): readonly GrupoDeEstados[] {
  const of = (desfecho: EstadoApresentado['desfecho']) =>
    estados.filter((one) => one.desfecho === desfecho && one.fichas.length === 0)
  const grupo = (titulo: string, all: readonly EstadoApresentado[], withMotivos: boolean) =>
    all.length === 0
      ? []
      : [
          {
            titulo: `${titulo} (${all.length}):`,
            texto: enumerate(all.map(({ uf }) => uf)),
            motivos: withMotivos
              ? porMotivo(all).map(([motivo, own]) => `${enumerate(own.map(({ uf }) => uf))}: ${motivo}`)
              : [],
          },
        ]
  return [
    ...grupo('Falharam agora', of('falhou'), true),
    ...grupo('Não consultáveis por este serviço', of('nao_conectado'), false),
    // Each in its own word: in this trade "nada consta" is a clean certificate.
    ...[...Map.groupBy(of('nada'), ({ palavra }) => palavra || 'Sem resultado')].flatMap(([palavra, all]) =>
      grupo(palavra, all, false),
    ),
  ]
}

function deNovo(secao: SecaoDoDossie, arredores: ArredoresDoDossie): Content {
  const falhas = falhasDe(secao)
  if (falhas === 'toda') return botaoDeNovo(secao, arredores)
  const pagina = url(respostaEm(arredores.prefixo, secao.request_id))
  return (
    arredores.guardado &&
    html`<p class="de-novo sem-papel">${secao.apresentacao.papel && linkDoPapel(secao, '', arredores)} <a href="${pagina}">${falhas.length > 0 ? `Perguntar de novo só ${falhas.length === 1 ? 'ao que falhou' : `aos ${falhas.length} que falharam`}` : 'Ver esta consulta'}</a></p>`
  )
}
