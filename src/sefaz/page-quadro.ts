import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { formatDiaCurto } from '../platform/pages/formatos.ts'
import {
  BOM,
  type Dia,
  faixaDeDias,
  graficoDeTempos,
  legendaDasClasses,
  mapaDoBrasil,
  seloDaSituacao,
} from '../platform/pages/graficos.ts'
import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { enumerate } from '../platform/texto.ts'
import {
  type Agora,
  countOf,
  drawIncidentes,
  formatInstante,
  formatParte,
  formatSegundos,
  summarize,
  viewIncidente,
} from './page-incidentes.ts'
import {
  type AmbienteNacional,
  adviceOf,
  availabilityOf,
  type DiaVisto,
  diasOf,
  textOfAtivacao,
  type Vista,
} from './page-vista.ts'
import {
  autorizadores,
  autorizadorOf,
  type Doc,
  docs,
  nomeDoDoc,
  nomesDasClasses,
  svcOf,
  tellConselho,
} from './rules.ts'
import { addUpPalavra } from './rules-historico.ts'
import { sayStanding } from './rules-quadro.ts'

function drawPalavra({ dias }: Vista, doc: Doc): Html {
  const rows = autorizadores
    .filter((one) => one.doc === doc)
    .map(({ id, nome }) => ({ nome, ...addUpPalavra([...(dias.get(id)?.values() ?? [])]) }))
    .filter(({ conferidas }) => conferidas > 0)
  return cartao(
    { titulo: 'A palavra da própria SEFAZ', id: 'palavra', classe: 'meio' },
    html`<p>Das leituras em que o autorizador disse estar no ar enquanto nós o consultávamos, em quantas uma consulta nossa falhou, em 90 dias.</p>${
      rows.length === 0
        ? html`<p class="vazio">Ainda não houve consultas nossas, de ${nomeDoDoc[doc]}, que confirmassem ou desmentissem.</p>`
        : html`<table class="palavra"><thead><tr><th scope="col">Autorizador</th><th scope="col" class="num">Conferidas</th><th scope="col" class="num">Desmentidas</th><th scope="col" class="num">Em %</th></tr></thead><tbody>${rows.map(
            ({ nome, conferidas, desmentidas }) =>
              html`<tr><th scope="row">${nome}</th><td class="num">${conferidas.toLocaleString('pt-BR')}</td><td class="num">${desmentidas.toLocaleString('pt-BR')}</td><td class="num">${formatParte(desmentidas / conferidas)}</td></tr>`,
          )}</tbody></table>`
    }`,
  )
}

const doNacional = {
  respondendo: ['bom', 'Responde'],
  instavel: ['lento', 'Falha às vezes'],
  falhando: ['ruim', 'Falha'],
  sem_leitura: ['', 'Sem consultas'],
} as const satisfies Record<AmbienteNacional['situacao'], readonly [string, string]>

/** The national environment, which nobody probes. How many calls we made there is not for the public. */
const drawNacional = ({ nacional }: Vista): Html =>
  cartao(
    { titulo: 'Ambiente nacional', id: 'nacional', classe: 'meio' },
    html`<p>O ambiente nacional, de onde vêm as notas pela chave, não tem serviço de status, e nós não o sondamos. Vale o que as nossas próprias consultas encontraram na última hora.</p>${
      nacional.length === 0
        ? html`<p class="vazio">Nenhuma consulta na última hora.</p>`
        : html`<dl class="fatos nacional">${nacional.map(
            ({ nome, situacao }) =>
              html`<dt>${nome}</dt><dd><span class="selo ${doNacional[situacao][0]}">${doNacional[situacao][1]}</span></dd>`,
          )}</dl>`
    }`,
  )

const drawOrigem = ({ quadro, intervaloS }: Vista): Html =>
  cartao(
    { titulo: 'De onde vêm estes dados', id: 'fonte' },
    html`<p>${
      quadro?.rodada.fonte === 'paginas'
        ? 'Sem certificado do operador, lemos as páginas públicas de disponibilidade que as próprias autoridades mantêm: dizem se um autorizador está disponível, não dizem tempos e nada dizem da NFC-e.'
        : 'O serviço de status de cada autorizador é perguntado com o certificado do operador; o tempo vai da pergunta à resposta inteira, sem o da conexão. Um autorizador que serve vários estados é perguntado uma vez, e a leitura vale para todos.'
    } Cada um é perguntado a cada ${textoDoIntervalo(intervaloS)}; quem pede menos perguntas é perguntado menos.</p><dl class="classes"><div><dt>Normal</dt><dd>média abaixo de 2 s</dd></div><div><dt>Lento</dt><dd>de 2 a 6 s</dd></div><div><dt>Muito lento</dt><dd>de 6 a 30 s</dd></div><div><dt>Erro</dt><dd>recusou, disse estar parado ou não pôde ser alcançado</dd></div><div><dt>Não respondeu</dt><dd>passaram 30 s sem resposta</dd></div><div><dt>Indisponível</dt><dd>sem leitura das últimas três rodadas</dd></div></dl><p class="suave">A média é a das três últimas leituras. Três leituras ruins seguidas abrem um incidente, três boas o encerram. O histórico deixa de fora as rodadas em que nenhum serviço respondeu, e as leituras em que um autorizador recusou a nossa pergunta.</p>`,
  )

const textoDoIntervalo = (seconds: number): string =>
  seconds % 60 === 0 ? countOf(seconds / 60, 'minuto', 'minutos') : `${seconds} segundos`

const drawTabela = (vista: Vista, doc: Doc, enderecoDe: (uf: Uf) => string): Html =>
  html`<table class="estados"><thead><tr><th scope="col">Estado</th><th scope="col">Autorizador</th><th scope="col">Agora</th><th scope="col" class="num">Tempo médio</th><th scope="col">90 dias</th><th scope="col" class="num">Disponível</th></tr></thead><tbody>${ufs.map(
    (uf) => drawLinha(uf, { vista, doc, endereco: enderecoDe(uf) }),
  )}</tbody></table>${legendaDosDias(vista)}`

/** The bars alone tell a part of a day by colour and height. */
const legendaDosDias = ({ calendario: [primeiro = ''] }: Vista, siglas = ''): Html =>
  html`<p class="suave legenda-dos-dias">Uma barra por dia, de ${formatDiaCurto(primeiro)} a hoje. Verde: no ar 99% do dia ou mais; amarelo: de 95% a 99%; vermelho: menos de 95%; cinza: sem leitura. Dia amarelo sem incidente: falhas soltas, menos de três leituras seguidas.${siglas}</p>`

function drawLinha(uf: Uf, { vista, doc, endereco }: { vista: Vista; doc: Doc; endereco: string }): Html {
  const situacao = sayStanding(vista.quadro, doc, uf)
  const days = diasOf(vista, doc, uf)
  const { nome } = unidades[uf]
  return html`<tr data-uf="${uf}"><th scope="row"><a href="${url(endereco)}"><span class="sigla">${uf}</span> ${nome}</a></th><td class="autorizador suave">${
    autorizadorOf(doc, uf).nome
  }</td><td class="agora">${seloDaSituacao(situacao)}</td><td class="num tempo">${
    situacao.status_avg > 0 && formatSegundos(situacao.status_avg)
  }</td><td class="historia">${drawFaixa(vista, days, nome)}</td><td class="num parte">${textoDaParte(days)}</td></tr>`
}

function drawFaixa({ calendario }: Vista, days: readonly (DiaVisto | undefined)[], nome: string): Html {
  const shown = days.map((day, at): Dia => ({ dia: calendario[at] ?? '', parte: availabilityOf([day]) }))
  const ruins = shown.filter(({ parte }) => parte !== undefined && parte < BOM).length
  return faixaDeDias(shown, `${nome}: ${textoDaParte(days)} em 90 dias, ${ruins} com falhas`)
}

function textoDaParte(days: readonly (DiaVisto | undefined)[]): string {
  const share = availabilityOf(days)
  return share === undefined ? '–' : formatParte(share)
}

const PASSADOS = 5

/** The content of the public page, for one document. `prefixo` stands before each address. */
export function drawQuadro(vista: Vista, doc: Doc, prefixo: string): Html {
  const agora = summarize(vista)
  const enderecoDe = (uf: Uf): string => `${prefixo}/sefaz/${uf.toLowerCase()}/`
  const passados = vista.incidentes.filter(({ fim }) => fim !== null).slice(0, PASSADOS)
  return html`<div class="topo"><div><h1>SEFAZ agora</h1>${drawLeitura(agora)}</div><nav class="abas" aria-label="Documento">${docs.map(
    (one) =>
      html`<a href="${url(addressOfQuadro(one, prefixo))}" aria-current="${one === doc ? 'true' : 'false'}">${nomeDoDoc[one]}</a>`,
  )}</nav></div>
${drawAviso(agora)}
<div class="grade" id="sefaz" data-doc="${doc}" data-eventos="${prefixo}/sefaz/eventos">
${docs.map((one) => drawDoc(one, agora))}
${cartao(
  {
    titulo: `${nomeDoDoc[doc]} por estado`,
    id: 'mapa',
    classe: 'menor',
    lado: html`<span class="selo bom ao-vivo" hidden=""></span>`,
  },
  html`${mapaDoBrasil((uf) => sayStanding(vista.quadro, doc, uf), enderecoDe)}${legendaDasClasses(nomesDasClasses, agora.docs[doc].contagem)}`,
)}
${cartao(
  { titulo: 'Incidentes', id: 'incidentes', classe: 'maior' },
  html`<div id="abertos">${drawIncidentes(agora.incidentes, agora.semIncidentes)}</div>${
    passados.length > 0 &&
    html`<div id="encerrados"><h3>Encerrados recentemente</h3>${drawIncidentes(
      passados.map((one) => viewIncidente(one, vista)),
      '',
    )}${passados.length > 2 && html`<a class="ver-os-demais" href="#encerrados">Ver os demais</a>`}</div>`
  }`,
)}
${cartao({ titulo: `Estados, ${nomeDoDoc[doc]}`, id: 'estados' }, drawTabela(vista, doc, enderecoDe))}
${drawPalavra(vista, doc)}
${drawNacional(vista)}
${drawOrigem(vista)}
</div>
<p class="suave sem-papel">Para programas: <a href="${url(`${prefixo}/documentacao`)}"><code>GET /api/v1/sefaz/status</code></a> na API, ou <a href="${url(`${prefixo}/sefaz/api/v2/summary.json`)}"><code>summary.json</code></a>, sem chave, para leitores de páginas de status.</p>`
}

/** The address of the page for a document. */
export const addressOfQuadro = (doc: Doc, prefixo: string): string =>
  `${prefixo}/sefaz/${doc === 'nfe' ? '' : `?doc=${doc}`}`

const drawLeitura = ({ lida }: Agora): Html =>
  lida
    ? html`<p class="suave" id="leitura">Última leitura em <time datetime="${lida.iso}">${lida.texto}</time> (Brasília)<span id="proxima">${lida.proxima && `; a próxima, às ${lida.proxima}`}</span></p>`
    : html`<p class="suave" id="leitura">Ainda sem leitura</p>`

/** The band that says all in one line. What the live events change is announced apart. */
const drawAviso = ({ aviso: { tom, titulo, texto } }: Agora): Html =>
  html`<div class="faixa-aviso ${tom}" id="aviso"><div><p>${titulo}</p><p>${texto}</p></div></div><p class="so-leitor" role="status" id="anuncio"></p>`

const drawDoc = (doc: Doc, { docs: all }: Agora): Html =>
  html`<section class="cartao terco placar" data-cartao="${doc}" aria-label="${nomeDoDoc[doc]}"><p class="suave">${nomeDoDoc[doc]}</p><p class="numero"><span>${all[doc].normais}</span>/${ufs.length} <small>estados normais</small></p><p class="suave resumo">${all[doc].resumo}</p></section>`

/** The content of a state's page. `prefixo` stands before each address. */
export function drawEstado(vista: Vista, uf: Uf, prefixo: string): Html {
  const agora = summarize(vista)
  const ids = new Set(docs.map((doc) => autorizadorOf(doc, uf).id))
  const seus = vista.incidentes.filter(({ quedas }) => quedas.some((one) => ids.has(one.autorizador)))
  return html`<div class="topo"><div><p class="suave trilha"><a href="${url(`${prefixo}/sefaz/`)}">SEFAZ agora</a></p><h1>${unidades[uf].nome} (${uf})</h1>${drawLeitura(agora)}</div>${drawVizinhos(uf, prefixo)}</div>
${!vista.quadro && html`<div class="faixa-aviso nada"><div><p>${agora.aviso.titulo}</p><p>${agora.aviso.texto}</p></div></div>`}
<div class="grade" id="sefaz" data-uf="${uf}" data-eventos="${prefixo}/sefaz/eventos">
${docs.map((doc) => drawDocumento(vista, doc, uf))}
${legendaDosDias(vista, ' SVAN, SVRS e SVSP são as SEFAZ virtuais que autorizam por outros estados; SVC-AN e SVC-RS, as de contingência, do Ambiente Nacional e do Rio Grande do Sul. Offline: o documento sai antes, e é transmitido depois.')}
${cartao(
  {
    titulo: 'Incidentes que atingiram este estado',
    id: 'incidentes',
    lado: html`<span class="suave">90 dias</span>`,
  },
  drawIncidentes(
    seus.map((one) => viewIncidente(one, vista)),
    'Nenhum incidente em 90 dias.',
  ),
)}
</div><p class="so-leitor" role="status" id="anuncio"></p>`
}

function drawVizinhos(uf: Uf, prefixo: string): Html {
  const at = ufs.indexOf(uf)
  const antes = ufs.at(at - 1) ?? uf
  const depois = ufs[(at + 1) % ufs.length] ?? uf
  const link = (to: Uf, texto: string, rel: string): Html =>
    html`<a rel="${rel}" href="${url(`${prefixo}/sefaz/${to.toLowerCase()}/`)}">${texto}</a>`
  return html`<div class="vizinhanca"><span class="selo bom ao-vivo" hidden=""></span><nav class="abas" aria-label="Estados vizinhos na lista">${link(antes, `← ${unidades[antes].nome}`, 'prev')}${link(depois, `${unidades[depois].nome} →`, 'next')}</nav></div>`
}

function drawDocumento(vista: Vista, doc: Doc, uf: Uf): Html {
  const situacao = sayStanding(vista.quadro, doc, uf)
  const autorizador = autorizadorOf(doc, uf)
  const conselho = adviceOf(vista, doc, uf)
  const svc = svcOf(doc, uf)
  const days = diasOf(vista, doc, uf)
  const outros = autorizador.ufs.filter((one) => one !== uf)
  return cartao(
    {
      titulo: nomeDoDoc[doc],
      id: `doc-${doc}`,
      classe: 'terco',
      lado: html`<span data-doc="${doc}">${seloDaSituacao(situacao)}</span>`,
    },
    html`<dl class="fatos"><dt>Tempo médio</dt><dd data-tempo="${doc}">${situacao.status_avg > 0 ? formatSegundos(situacao.status_avg) : '–'}</dd><dt>Autorizador</dt><dd>${autorizador.nome}${drawOutros(outros)}</dd><dt>Contingência</dt><dd>${svc?.nome ?? 'Offline'}</dd>${
      svc &&
      situacao.status_code !== 1 &&
      html`<dt>Ativação</dt><dd>${textOfAtivacao(conselho?.ativacao)}${conselho?.ativacao && html` <span class="suave">dita em ${formatInstante(conselho.ativacao.em)}</span>`}</dd>`
    }</dl>${conselho && html`<p class="conselho">${tellConselho(conselho, situacao)}</p>`}<div class="dias"><p><b>${textoDaParte(days)}</b> <span class="suave">disponível em 90 dias</span></p>${drawFaixa(vista, days, nomeDoDoc[doc])}</div>${drawTempos(vista, doc, uf)}`,
  )
}

/** Many are folded, so that the cards beside each other stay level. */
function drawOutros(outros: readonly Uf[]): Html | false {
  if (outros.length <= 4)
    return outros.length > 0 && html` <span class="suave">também de ${enumerate(outros)}</span>`
  return html` <details class="suave"><summary>também de mais ${outros.length} estados</summary>${enumerate(outros)}</details>`
}

/** The three of a state have one axis, so that they can be compared. */
function drawTempos(vista: Vista, doc: Doc, uf: Uf): Html {
  const { calendario } = vista
  const days = diasOf(vista, doc, uf)
  const maior = Math.max(0, ...docs.flatMap((one) => diasOf(vista, one, uf).map((day) => day?.p95 ?? 0)))
  const timed = days.filter((day) => day?.p50 !== undefined)
  if (timed.length === 0) return html`<p class="vazio">Ainda sem tempos de resposta.</p>`
  const ultimo = timed.at(-1)
  const words = [calendario[0], calendario[Math.floor(calendario.length / 2)], calendario.at(-1)]
  return html`<h3>Tempo de resposta por dia</h3>${graficoDeTempos(
    [
      { nome: 'metade responde em até', classe: 'p50', valores: days.map((day) => day?.p50) },
      { nome: '95% em até', classe: 'p95', valores: days.map((day) => day?.p95) },
    ],
    {
      texto: `Tempo de resposta da ${nomeDoDoc[doc]} em ${timed.length} dias; no último, metade em até ${formatSegundos(ultimo?.p50 ?? 0)} e 95% em até ${formatSegundos(ultimo?.p95 ?? 0)}`,
      dias: words.map((word = '') => formatDiaCurto(word)),
      maior,
    },
  )}<details><summary>Ver os números</summary><div class="rolavel" role="region" tabindex="0" aria-label="Números da ${nomeDoDoc[doc]} por dia"><table class="numeros"><thead><tr><th scope="col">Dia</th><th scope="col" class="num">Metade em até</th><th scope="col" class="num">95% em até</th><th scope="col" class="num">Disponível</th></tr></thead><tbody>${days.toReversed().map(drawDia)}</tbody></table></div></details>`
}

function drawDia(day: DiaVisto | undefined): Html | false {
  if (!day) return false
  const share = availabilityOf([day])
  return html`<tr><th scope="row">${formatDiaCurto(day.dia)}</th><td class="num">${day.p50 !== undefined && formatSegundos(day.p50)}</td><td class="num">${day.p95 !== undefined && formatSegundos(day.p95)}</td><td class="num">${share !== undefined && formatParte(share)}</td></tr>`
}
