import { readFileSync } from 'node:fs'
import { scaleLinear } from 'd3-scale'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import { type Html, html, url } from './html.ts'

export type Serie = { nome: string; valores: readonly number[] }

export type Barra = { rotulo: string; dito: string }

const ALTURA = 200
const PASSO = 10
const LARGURA = 8

export const CORES = 5

/** The words of the axes are HTML beside them; `texto` says in words what is drawn. */
export function barrasEmpilhadas(
  series: readonly Serie[],
  { barras, texto }: { barras: readonly Barra[]; texto: string },
): Html {
  const bases = series.map((_, at) =>
    barras.map((_, bar) => series.slice(0, at).reduce((sum, { valores }) => sum + (valores[bar] ?? 0), 0)),
  )
  const totals = barras.map((_, bar) => series.reduce((sum, { valores }) => sum + (valores[bar] ?? 0), 0))
  const scale = scaleLinear()
    .domain([0, Math.max(...totals, 1)])
    .range([ALTURA, 0])
    .nice(4)
  const ticks = scale.ticks(4).filter(Number.isInteger)
  const y = (value: number): number => Math.round(scale(value) * 10) / 10
  const width = barras.length * PASSO
  return html`<figure class="grafico barras"><ul class="legenda">${series.map(
    ({ nome }, at) =>
      html`<li><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="s${at + 1}"/></svg>${nome}</li>`,
  )}</ul><div class="quadro"><div class="eixo-y" aria-hidden="true">${ticks
    .toReversed()
    .map(
      (tick) => html`<span>${tick.toLocaleString('pt-BR')}</span>`,
    )}</div><svg viewBox="0 0 ${width} ${ALTURA}" preserveAspectRatio="none" role="img" aria-label="${texto}"><path class="regua" d="${ticks.map((tick) => `M0 ${y(tick)}h${width}`).join('')}"/>${series.map(
    ({ valores }, at) =>
      html`<path class="s${at + 1}" d="${valores
        .map((value, bar) => {
          if (value === 0) return ''
          const base = bases[at]?.[bar] ?? 0
          const [foot, top] = [y(base), y(base + value)]
          return `M${bar * PASSO + 1} ${top}h${LARGURA}v${round(foot - top)}h-${LARGURA}z`
        })
        .join('')}"/>`,
  )}${barras.map(
    ({ dito }, bar) =>
      html`<rect class="alvo" x="${bar * PASSO}" width="${PASSO}" height="${ALTURA}"><title>${dito}</title></rect>`,
  )}</svg><div class="eixo-x" aria-hidden="true">${barras.map(({ rotulo }) => html`<span>${rotulo}</span>`)}</div></div></figure>`
}

const round = (value: number): number => Math.round(value * 10) / 10

export type Curva = { nome: string; classe: string; valores: readonly (number | undefined)[] }

const ALTURA_DA_CURVA = 100

const TETOS = [0.2, 0.5, 1, 2, 5, 10, 20, 30]

/** The words of the axes are HTML beside it; `texto` says the same in words. `maior` fits on the axis. */
export function graficoDeTempos(
  linhas: readonly Curva[],
  { texto, dias, maior }: { texto: string; dias: readonly string[]; maior: number },
): Html {
  const teto = TETOS.find((one) => one >= maior) ?? maior
  const days = Math.max(...linhas.map(({ valores }) => valores.length), 2)
  return html`<figure class="grafico"><ul class="legenda">${linhas.map(
    ({ nome, classe }) =>
      html`<li><svg viewBox="0 0 14 14" aria-hidden="true"><path class="linha ${classe}" d="M0 7h14"/></svg>${nome}</li>`,
  )}</ul><div class="quadro"><div class="eixo-y" aria-hidden="true">${[1, 0.5, 0].map(
    (share) => html`<span>${(teto * share).toLocaleString('pt-BR')} s</span>`,
  )}</div><svg viewBox="0 0 ${days - 1} ${ALTURA_DA_CURVA}" preserveAspectRatio="none" role="img" aria-label="${texto}"><path class="regua" d="M0 0h${days - 1}M0 ${ALTURA_DA_CURVA / 2}h${days - 1}M0 ${ALTURA_DA_CURVA}h${days - 1}"/>${linhas
    .toReversed()
    .map(
      ({ classe, valores }) =>
        html`<path class="linha ${classe}" d="${(classe === 'p95' ? drawColunas : drawCurva)(valores, teto)}"/>`,
    )}</svg></div><div class="eixo-x" aria-hidden="true">${dias.map((dia) => html`<span>${dia}</span>`)}</div></figure>`
}

const alturaDe = (value: number, teto: number): number =>
  Math.round((1 - value / teto) * ALTURA_DA_CURVA * 10) / 10

/** A pale column a day, behind the line: what jumps from day to day hides a line that does not. */
const drawColunas = (valores: readonly (number | undefined)[], teto: number): string =>
  valores
    .map((value, at) =>
      value === undefined
        ? ''
        : `M${at - 0.5} ${ALTURA_DA_CURVA}V${alturaDe(value, teto)}h1V${ALTURA_DA_CURVA}z`,
    )
    .join('')

/** A day without a value breaks the line; one alone is a short stroke. */
function drawCurva(valores: readonly (number | undefined)[], teto: number): string {
  const at = (index: number): number | undefined => valores[index]
  return valores
    .map((value, index) => {
      if (value === undefined) return ''
      const y = alturaDe(value, teto)
      if (at(index - 1) !== undefined) return `L${index} ${y}`
      return at(index + 1) === undefined ? `M${index} ${y}h.01` : `M${index} ${y}`
    })
    .join('')
}

export type Dia = { dia: string; parte: number | undefined }

const LARGURA_DA_FAIXA = 4
const ALTURA_DA_FAIXA = 20

/** From this share on a day is green: 14 minutes of failures make it yellow, 72 red. */
export const BOM = 0.99
const RUIM = 0.95

/** The oldest first. A worse day is lower as well as of another colour. */
export const faixaDeDias = (dias: readonly Dia[], texto: string): Html =>
  html`<svg class="faixa" viewBox="0 0 ${dias.length * LARGURA_DA_FAIXA - 1} ${ALTURA_DA_FAIXA}" preserveAspectRatio="none" role="img" aria-label="${texto}">${(
    [0, 1, 2, 4] as const
  ).map((classe) => barras(dias, classe))}</svg>`

/** All days of a class are one path, so that a year of strips stays a light page. */
function barras(dias: readonly Dia[], classe: 0 | 1 | 2 | 4): Html | false {
  const d = dias
    .flatMap(({ parte }, at) => {
      if (classOf(parte) !== classe) return []
      const altura = classe === 4 ? 9 : classe === 2 ? 15 : ALTURA_DA_FAIXA
      return [`M${at * LARGURA_DA_FAIXA} ${ALTURA_DA_FAIXA - altura}h3v${altura}h-3z`]
    })
    .join('')
  return d !== '' && html`<path class="f${classe}" d="${d}"/>`
}

function classOf(parte: number | undefined): 0 | 1 | 2 | 4 {
  if (parte === undefined) return 0
  if (parte >= BOM) return 1
  return parte >= RUIM ? 2 : 4
}

const LARGURA_DO_RISCO = 100
const ALTURA_DO_RISCO = 24
const BARRA = 4

export function risco(valores: readonly number[]): Html {
  const most = Math.max(...valores, 1)
  const last = Math.max(valores.length - 1, 1)
  const points = valores.map((value, at) => {
    const y = ALTURA_DO_RISCO - 1 - (value / most) * (ALTURA_DO_RISCO - 3)
    return `${roundPoint((at / last) * LARGURA_DO_RISCO)} ${roundPoint(y)}`
  })
  const line = `M${points.join('L')}`
  return html`<svg class="risco" viewBox="0 0 ${LARGURA_DO_RISCO} ${ALTURA_DO_RISCO}" preserveAspectRatio="none" aria-hidden="true"><path class="chao" d="${line}V${ALTURA_DO_RISCO}H0z"/><path class="linha" d="${line}"/></svg>`
}

export function barraDeParte(share: number): Html {
  const full = roundPoint(Math.min(Math.max(share, 0), 1) * LARGURA_DO_RISCO)
  return html`<svg class="cheia" viewBox="0 0 ${LARGURA_DO_RISCO} ${BARRA}" preserveAspectRatio="none" aria-hidden="true"><rect class="fundo" width="${LARGURA_DO_RISCO}" height="${BARRA}" rx="1"/><rect class="parte" width="${full}" height="${BARRA}" rx="1"/></svg>`
}

const roundPoint = (value: number): number => Math.round(value * 10) / 10

/** The outline of each state, and where its code stands: beside it for a small one (data/README.md). */
type Mapa = { viewBox: string; estados: Record<Uf, { x: number; y: number; fora?: true; contorno: string }> }

const mapa: Mapa = JSON.parse(
  readFileSync(new URL('../../../data/mapa-do-brasil.json', import.meta.url), 'utf8'),
)

export const CREDITOS_DO_MAPA = 'Mapa: Victor Cazanave e MapSVG (CC BY 4.0), com os contornos simplificados.'

/** The Federal District lies inside Goiás, which would cover it. */
const desenhados = ufs.toSorted((a, b) => Number(a === 'DF') - Number(b === 'DF'))

export type NoMapa = { status_code: number; status: string }

/** Colour is not the only sign: a failure is hatched, and each link says the class in words. */
export const mapaDoBrasil = (
  situacaoDe: (uf: Uf) => NoMapa,
  enderecoDe: (uf: Uf) => string,
  nome = 'Mapa do Brasil: a situação de cada estado',
): Html =>
  html`<svg class="mapa" viewBox="${mapa.viewBox}" role="group" aria-label="${nome}">
<defs><pattern id="trama" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="trama" d="M0 0v7"/></pattern></defs>
${desenhados.map((uf) => estado(uf, situacaoDe(uf), enderecoDe(uf)))}</svg>`

/** A map that leads nowhere: each state is its outline, with the class and the words that it is given. */
export const mapaPintado = (de: (uf: Uf) => { classe: string; dito: string }, nome: string): Html =>
  html`<svg class="mapa pintado" viewBox="${mapa.viewBox}" role="img" aria-label="${nome}">${desenhados.map(
    (uf) =>
      html`<path data-uf="${uf}" class="${de(uf).classe}" d="${mapa.estados[uf].contorno}"><title>${unidades[uf].nome}: ${de(uf).dito}</title></path>`,
  )}</svg>`

function estado(uf: Uf, { status_code, status }: NoMapa, endereco: string): Html {
  const { x, y, fora, contorno } = mapa.estados[uf]
  const isFalha = status_code >= 4
  return html`<a href="${url(endereco)}" data-uf="${uf}"><title>${unidades[uf].nome}: ${status}</title><path class="f${status_code}" d="${contorno}"/>${
    isFalha && html`<path fill="url(#trama)" d="${contorno}"/>`
  }<text x="${x}" y="${y}" class="${fora ? 'fora' : ''}">${uf}</text></a>`
}

/** Where something lies: the more of the whole a state has (0 to 1), the darker. `texto` says it in words. */
export function mapaDasPartes(partes: ReadonlyMap<Uf, number>, texto: string): Html {
  const { x, y, lado } = recorteDe([...partes.keys()])
  return html`<svg class="mapa-das-partes" viewBox="${x} ${y} ${lado} ${lado}" role="img" aria-label="${texto}">${desenhados.map(
    (uf) => html`<path class="${tomDaParte(partes.get(uf))}" d="${mapa.estados[uf].contorno}"/>`,
  )}${desenhados
    .filter((uf) => partes.has(uf))
    .map((uf) => {
      const { x, y } = mapa.estados[uf]
      return html`<text x="${x}" y="${y}" font-size="${round(lado / 15)}">${uf}</text>`
    })}</svg>`
}

function tomDaParte(parte: number | undefined): string {
  if (parte === undefined) return 'sem'
  if (parte >= 0.5) return 'maior'
  return parte >= 0.15 ? 'media' : 'menor'
}

const BRASIL = 640
const MENOR_RECORTE = 260

/** A square round these states, with their neighbours: a small one would be a dot on the whole map. */
function recorteDe(estados: readonly Uf[]): { x: number; y: number; lado: number } {
  const pontos = estados.flatMap((uf) => pontosDe(mapa.estados[uf].contorno))
  const [xs, ys] = [pontos.map(([x]) => x), pontos.map(([, y]) => y)]
  const sides = (all: readonly number[]) => ({ de: Math.min(...all), ate: Math.max(...all) })
  const [h, v] = [sides(xs), sides(ys)]
  const lado = Math.min(BRASIL, Math.max(MENOR_RECORTE, 1.3 * Math.max(h.ate - h.de, v.ate - v.de)))
  const start = ({ de, ate }: { de: number; ate: number }): number =>
    round(Math.min(Math.max((de + ate - lado) / 2, 0), BRASIL - lado))
  return { x: start(h), y: start(v), lado: round(lado) }
}

/** The points of an outline: each part begins where `M` says, and goes on by steps. */
function pontosDe(contorno: string): [number, number][] {
  const pontos: [number, number][] = []
  let [x, y] = [0, 0]
  for (const [, comando = '', numeros = ''] of contorno.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const all = (numeros.match(/-?\d*\.?\d+/g) ?? []).map(Number)
    for (let at = 0; at + 1 < all.length; at += 2) {
      const [a = 0, b = 0] = [all[at], all[at + 1]]
      ;[x, y] = comando === 'M' ? [a, b] : [x + a, y + b]
      pontos.push([x, y])
    }
  }
  return pontos
}

const ordem = [1, 2, 3, 4, 5, 0] as const

export const legendaDasClasses = (
  classes: Readonly<Record<(typeof ordem)[number], string>>,
  contagem: readonly number[],
): Html =>
  html`<ul class="legenda">${ordem.map(
    (code) =>
      html`<li data-classe="${code}"><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${code}"/>${
        code >= 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
      }</svg><span>${classes[code]}</span> <b>${contagem[code] ?? 0}</b></li>`,
  )}</ul>`

const cores = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim'] as const

export const seloDaSituacao = ({ status_code, status }: NoMapa): Html =>
  html`<span class="selo ${cores[status_code]}">${status}</span>`
