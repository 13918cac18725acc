import { randomUUID } from 'node:crypto'
import { dataBrasileira } from '../../documento/dia.ts'
import { dateFormat } from '../../documento/formato.ts'
import { findUf } from '../../documento/uf.ts'
import { estadoOf } from '../../estados/estado.ts'
import { fonteCcc } from '../../inscricao/source-ccc.ts'
import { type Fato, type Ficha, instanteDe, type ParteDaResposta } from '../../platform/pages/apresentacao.ts'
import { comInstante, countOf, haQuanto, semPrograma } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { drawEstados, estadosEmCsv, partesCom, siglasDe } from './estados.ts'
import { FORMULARIO } from './nota.ts'
import { botaoDaAgenda, classeDoValor, drawFato, drawFatos, drawSelo, type NaPagina } from './pecas.ts'
import { enderecoDe } from './perguntar.ts'
import { DE_NOVO, findPergunta, NOTA, precoDe } from './perguntas.ts'
import { falhasDe } from './repetir.ts'
import {
  assuntoDe,
  custoDe,
  drawMotivo,
  type Feita,
  falhaDe,
  lista,
  membro,
  precoPago,
  texto,
} from './respondida.ts'

/** The answer: what it means, in one look, then what it holds. */
export function drawResposta(pagina: NaPagina, fichas: Content): Html {
  const { dita } = pagina
  const partes = dita.partes.map((parte, at) =>
    drawParte(parte, `parte-${at}`, isDaNota(pagina) && parte.dobrada === true && drawAvisos(pagina.feita)),
  )
  const sobre =
    dita.porEstado &&
    html`<section class="cartao da-chamada" aria-labelledby="da-chamada"><h2 id="da-chamada">Sobre esta resposta</h2>${drawChamada(pagina)}</section>`
  return html`<div class="resposta" id="resposta">${drawVeredito(pagina)}${dita.porEstado && drawEstados(dita.porEstado, pagina, sobre)}${fichas}<div class="ao-lado"><div class="partes">${partes}</div><div class="margem">${drawGuarda(pagina)}${drawValidade(pagina)}</div></div></div>`
}

function drawVeredito(pagina: NaPagina): Html {
  const { dita, feita } = pagina
  const { tom, veredito, nome, selo, frase, porEstado } = dita
  return html`<section class="cartao veredito ${tom}" aria-labelledby="veredito"><div class="o-que-deu"><div><p class="suave assunto">${[assuntoDe(feita, dita), !selo && nome].filter(Boolean).join(' · ')}${drawGuardada(pagina)}</p><h1 id="veredito">${selo ? html`${nome} ${drawSelo(selo)}` : veredito}</h1><div class="frase">${porEstado ? drawContagem(pagina) : comAoVivo(pagina, frase)}${conselhoDe(pagina)}</div></div>${drawAcoes(pagina)}</div>${!porEstado && drawChamada(pagina)}</section>`
}

/** Of all states, what it cost and its age are told in one line, so that the first state is in sight. */
function drawContagem({ dita: { respondido, contagem, porEstado = [] }, feita, agora }: NaPagina): Html {
  const { frases = [], contados = [] } = contagem ?? {}
  // Who failed stands in a line of its own, whose link leads to the reasons.
  const falhas = siglasDe(partesCom(porEstado, 'falhou'))
  const ditos = contados.map((one, at) =>
    at > 0 ? one.replace(/^[IC]/, (first) => first.toLowerCase()) : one,
  )
  const pago = precoPago(feita).replace(/(?<=^\d+) /, '\u00a0')
  const custo = html`<b>${ditos.length > 0 ? pago.replace(/^N/, 'n') : pago}</b>`
  return html`${frases.map((one) => html`<p>${one}</p>`)}${ditos.map((one) => `${one}\u00a0· `)}${custo}${
    respondido?.guardada !== true &&
    html`\u00a0· respondida ${ha(instanteDe(feita.respondida.request_id), agora)}`
  }${
    falhas.length > 0 &&
    html`<p class="quem-falhou">${falhas.length === porEstado.length ? 'Falharam todos' : `${falhas.length > 1 ? 'Falharam' : 'Falhou'}: ${falhas.join(', ')}`} <a href="#falhas">(por quê?)</a></p>`
  }`
}

const AO_VIVO = 'consulte ao vivo'

/** `10/2026`, of a month (AAAA-MM). */
const mesDe = (mes: string): string => mes.split('-').toReversed().join('/')

/** The way from what the monthly base says to the same question of now. */
function comAoVivo({ feita: { entrada, respondida }, prefixo }: NaPagina, frase: Content): Content {
  if (typeof frase !== 'string' || !frase.includes(AO_VIVO)) return frase
  const base = respondida.base ? `da base de ${mesDe(respondida.base)}` : 'da última base mensal'
  const [antes, depois] = frase.replace('da última base mensal', base).split(AO_VIVO)
  const aoVivo = findPergunta('cnpj-ao-vivo')
  const query = new URLSearchParams({ documento: entrada.documento, pergunta: 'cnpj-ao-vivo' })
  return html`${antes}<a href="${url(`${enderecoDe(prefixo)}?${query}`)}">${AO_VIVO}</a>${aoVivo && ` (${precoDe(aoVivo, { preco_exclusivo: false })})`}${depois}`
}

/** What to do where a failure does not say it. */
const conselhoDe = ({ dita: { frase }, feita }: NaPagina): Content =>
  falhaDe(feita.respondida)?.isDeNovo &&
  !/de novo em|quem opera/.test(String(frase)) &&
  html`<p>Pergunte de novo agora. Se vier o mesmo, avise quem opera o serviço, com o número deste pedido.</p>`

/** The facts of an answer, what one should know of it, and the number of its call. */
function drawChamada(pagina: NaPagina): Html {
  const { dita, feita } = pagina
  const fatos = [...dita.fatos, ...fatosDaChamada(pagina)]
  return html`${fatos.length > 0 && html`<dl class="fatos-do-veredito">${fatos.map(drawFato)}</dl>`}${!isDaNota(pagina) && drawAvisos(feita)}<p class="suave pedido-da-resposta">Pedido <a href="${url(`${pagina.prefixo}/painel/registro/${feita.respondida.request_id}/`)}" data-copia="${feita.respondida.request_id}"><code>${feita.respondida.request_id}</code></a></p>`
}

/** The notices of a note stand with what the SEFAZ said of it. */
const isDaNota = ({ feita, dita }: NaPagina): boolean =>
  feita.pergunta === NOTA && dita.partes.some(({ dobrada }) => dobrada)

/** What one should know of an answer, in words for people; what is said of many states alike, once. */
export function avisosDitos(corpo: unknown): { ufs: readonly string[]; aviso: string }[] {
  const secoes = [corpo, membro(corpo, 'inscricoes_estaduais'), membro(corpo, 'cnd_estaduais')]
  const ditos = [corpo, ...secoes.flatMap((secao) => lista(membro(secao, 'results')))].flatMap((one) =>
    lista(membro(one, 'avisos')).map((aviso) => ({
      aviso: semPrograma(String(aviso)),
      uf: one === corpo ? '' : texto(membro(one, 'uf')),
    })),
  )
  const sabidos = ditos.filter(({ aviso, uf }) => uf !== '' || !NA_FRASE.test(aviso))
  return [...Map.groupBy(sabidos, deTodos)].map(([aviso, alike]) => {
    const ufs = [...new Set(alike.map(({ uf }) => uf).filter(Boolean))]
    return { ufs, aviso: ufs.length > 1 ? aviso : (alike[0]?.aviso ?? aviso) }
  })
}

/** How the notices begin that the sentence of a profile, or of a certificate, says. */
const NA_FRASE = /^(?:Todas as seções vieram null|Esta certidão de [A-Z]{2} abrange só)/

/** A notice without what is of its state alone. */
const deTodos = ({ aviso, uf }: { aviso: string; uf: string }): string =>
  uf === ''
    ? aviso
    : aviso
        .replace(new RegExp(`\\ba [A-Z]+-${uf}\\b`, 'g'), 'a secretaria da fazenda')
        .replace(new RegExp(` em ${uf}\\b`, 'g'), '')
        .replace(new RegExp(` de ${uf}\\b`, 'g'), ' do estado')
        .replace(/, em \d\d\/[^.]*(?=\.)/, '')

function drawAvisos({ respondida: { corpo } }: Feita): Content {
  const avisos = avisosDitos(corpo)
  if (avisos.length === 0) return undefined
  const ditos = html`<ul class="avisos">${avisos.map(
    ({ ufs, aviso }) =>
      html`<li>${ufs.length > 0 && html`<b>${ufs.join(', ')}:</b> `}${drawMotivo(aviso)}</li>`,
  )}</ul>`
  return avisos.length === 1
    ? ditos
    : html`<details class="convem-saber"><summary>O que convém saber (${avisos.length})</summary>${ditos}</details>`
}

/** Who answered, how long ago, and what it cost: the same for every question. */
function fatosDaChamada({ dita: { respondido, porEstado }, feita, agora, restantes }: NaPagina): Fato[] {
  const isPaga = (feita.respondida.cobrados ?? 0) > 0
  const valor = custoDe(feita, restantes, isPaga && respondido?.guardada === true)
  const custou = { rotulo: 'Custou', valor }
  if (!respondido || respondido.em === '') {
    const { base } = feita.respondida
    return base
      ? [{ rotulo: 'Respondeu', valor: `Receita Federal, base de ${mesDe(base)}` }, custou]
      : [custou]
  }
  const { quem, em } = respondido
  // Of all states the line below the verdict says how long ago.
  return [{ rotulo: 'Respondeu', valor: porEstado ? quem : html`${quem}, ${ha(em, agora)}` }, custou]
}

export const ha = (em: string | number, agora: Date): Html => comInstante(em, haQuanto(em, agora))

/** An answer that was not asked for now says so where it cannot be overlooked. */
const drawGuardada = ({ dita: { respondido }, agora }: NaPagina): Content =>
  respondido?.guardada === true &&
  html`<span class="selo nota">Resposta reaproveitada, dada ${ha(respondido.em, agora)}</span>`

function drawAcoes(pagina: NaPagina): Content {
  const { dita, entrega } = pagina
  const { papel, conferencia, porEstado } = dita
  if (porEstado) return html`<div class="acoes-do-veredito sem-papel">${drawDosEstados(pagina)}</div>`
  if (!papel && !conferencia) return drawOutras(pagina)
  return html`<div class="acoes-do-veredito">${papel?.tipo === 'pdf' && FOLHA}${
    papel &&
    entrega(
      { ...papel, parte: '', read: () => Buffer.from(papel.base64, 'base64') },
      { rotulo: papel.tipo === 'pdf' ? 'Baixar o PDF' : 'Baixar o XML', classe: 'botao' },
    )
  }${papel?.tipo === 'pdf' && html`<p class="suave papel-da-resposta">${papel.nosso ? 'Impressão nossa da página do órgão: confira nela, pois não é o PDF oficial.' : 'O PDF como o órgão o mandou, sem mudança nossa.'}</p>`}${
    conferencia &&
    html`<a class="discreto" href="${url(conferencia.endereco)}" target="_blank" rel="noopener noreferrer">Conferir ${/^(?:SEF|Receita)/.test(conferencia.nome) ? 'na' : 'em'} ${conferencia.nome}<span class="so-leitor"> em outra aba</span></a>`
  }</div>`
}

/** Without a paper: a failed question anew, the page of who failed, the certificate of the same state. */
function drawOutras(pagina: NaPagina): Content {
  const { feita } = pagina
  const falha = falhaDe(feita.respondida)
  const [endereco, onde] = outroCaminho(feita)
  const isIe = feita.pergunta === 'ie' && !falha && feita.entrada.tipo !== 'ie'
  const isDeOutros = pagina.dita.tom === 'neutro'
  const acoes = [
    falha?.isDeNovo && drawPergunta(pagina, feita.pergunta, 'Perguntar de novo'),
    falha?.isDeNovo && html`<p class="suave papel-da-resposta">Só se paga se a resposta vier.</p>`,
    endereco &&
      html`<a class="${falha?.isDeNovo ? 'discreto' : 'botao'}" href="${url(endereco)}" target="_blank" rel="noopener noreferrer">${onde}<span class="so-leitor"> em outra aba</span></a>`,
    isIe &&
      (isDeOutros
        ? drawPergunta(pagina, 'ie-todos', 'Inscrição em todos os estados')
        : drawPergunta(pagina, 'cnd', 'Certidão do estado')),
  ].filter(Boolean)
  return acoes.length > 0 && html`<div class="acoes-do-veredito sem-papel">${acoes}</div>`
}

/** Where somebody finds himself what a state did not answer: its own page, else the national register. */
function outroCaminho({ pergunta, entrada, respondida }: Feita): readonly [endereco?: string, onde?: string] {
  const [uf, falha] = [findUf(entrada.uf), falhaDe(respondida)]
  if (!uf || !falha) return []
  const { ie, cnd } = estadoOf(uf)
  const propria = pergunta === 'cnd' ? cnd[0] : ie.find(({ familia }) => familia !== 'cadastro')
  const endereco = falha.pagina ?? (falha.isDeNovo ? propria?.url : undefined)
  if (endereco) return [endereco, `Consultar na SEFAZ-${uf}`]
  return falha.isDeNovo && entrada.tipo === 'cnpj' ? [fonteCcc.url, 'Ver no cadastro nacional'] : []
}

/** A question about the same document, asked at once of the authority, whatever is kept. */
function drawPergunta({ feita, prefixo, campoCsrf }: NaPagina, id: string, rotulo: string): Content {
  const pergunta = findPergunta(id)
  if (!pergunta || id === NOTA) return undefined
  const { documento, uf, marcas } = feita.entrada
  const ditas = Object.fromEntries(marcas.map((nome) => [nome, 'true']))
  const campos = { ...ditas, documento, uf, [FORMULARIO]: randomUUID(), [DE_NOVO]: 'true' }
  return html`<form method="post" action="${url(enderecoDe(prefixo))}">${campoCsrf}${Object.entries(
    campos,
  ).map(
    ([nome, valor]) => html`<input type="hidden" name="${nome}" value="${valor}"/>`,
  )}<button class="botao" type="submit" name="pergunta" value="${id}">${rotulo} · ${precoDe(pergunta, { preco_exclusivo: false }, feita.entrada.tipo)}</button></form>`
}

/** Those that failed are asked alone, and all of them are a table. */
function drawDosEstados({ dita, feita, entrega, guarda, campoCsrf, precoDoEstado }: NaPagina): Content {
  const quantos = falhasDe(feita).length
  const csv = estadosEmCsv(dita, feita)
  return [
    guarda &&
      precoDoEstado !== '' &&
      html`<form method="post" action="${url(`${guarda.base}repetir`)}">${campoCsrf}<button class="botao" type="submit">Perguntar de novo ${feita.pergunta === 'perfil' ? 'o que falhou' : quantos === 1 ? 'ao que falhou' : `aos ${quantos} que falharam`} · ${precoDoEstado}</button></form>`,
    csv &&
      entrega(
        { ...csv, parte: '', read: () => csv.conteudo },
        { rotulo: html`Baixar CSV<span class="so-leitor"> dos estados</span>`, classe: 'discreto' },
      ),
  ]
}

const FOLHA = html`<svg class="folha-do-papel" viewBox="0 0 60 78" aria-hidden="true"><path class="folha" d="M3 2h40l14 14v60H3z"/><path class="dobra" d="M43 2v14h14"/><path class="texto" d="M12 14h22M12 22h16M12 34h36M12 41h36M12 48h36M12 55h24M12 66h14"/></svg>`

function drawParte(parte: ParteDaResposta, id: string, avisos: Content): Html {
  const conteudo = drawConteudo(parte)
  return parte.dobrada
    ? html`<details class="cartao parte"><summary><h2>${parte.titulo}</h2></summary>${conteudo}${avisos}</details>`
    : html`<section class="cartao parte" aria-labelledby="${id}"><header><h2 id="${id}">${parte.titulo}</h2></header>${conteudo}</section>`
}

function drawConteudo(parte: ParteDaResposta): Content {
  if ('fatos' in parte) return drawFatos(parte.fatos)
  if ('fichas' in parte) return html`<ul class="fichas-da-resposta">${parte.fichas.map(drawFicha)}</ul>`
  if ('conteudo' in parte) return parte.conteudo
  const { colunas, linhas } = parte.tabela
  return html`<div class="rolavel" tabindex="0" role="group" aria-label="${parte.titulo}"><table><thead><tr>${colunas.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead><tbody>${linhas.map(
    (linha) =>
      html`<tr>${linha.map((one, at) => html`<td class="${classeDoValor(one)}" data-rotulo="${colunas[at]}">${one}</td>`)}</tr>`,
  )}</tbody></table></div>`
}

const drawFicha = ({ titulo, selo, linha, fatos }: Ficha): Html =>
  html`<li><h3>${titulo}${selo && html` ${drawSelo(selo)}`}</h3>${linha !== undefined && html`<p class="suave">${linha}</p>`}${fatos.length > 0 && drawFatos(fatos)}</li>`

/** Of an answer that did not come there is nothing to keep, to print or to download. */
function drawGuarda({ dita, guarda, grande, agora }: NaPagina): Content {
  const { tom, partes, papel, validade, porEstado } = dita
  const isVazia = tom === 'ruim' || (tom === 'lento' && !porEstado)
  if (isVazia && partes.length === 0 && !papel) return undefined
  if (!guarda)
    return html`<section class="cartao sem-papel" aria-labelledby="guarda"><h2 id="guarda">${grande ? 'Grande demais para guardar' : 'Não fica guardada'}</h2><p class="suave">${
      grande
        ? 'Esta resposta é maior do que se guarda: ela está só nesta página.'
        : 'A sua conta escolheu não guardar respostas: ela está só nesta página.'
    } Baixe os arquivos antes de sair.</p></section>`
  const { ate, base, preco } = guarda
  const minutos = Math.max(1, Math.round((ate.getTime() - agora.getTime()) / 60_000))
  const quanto =
    minutos >= 120
      ? `${Math.round(minutos / 60)} horas`
      : minutos === 60
        ? 'uma hora'
        : countOf(minutos, 'minuto', 'minutos')
  return html`<section class="cartao sem-papel" aria-labelledby="guarda"><h2 id="guarda">Esta resposta fica guardada por ${quanto}</h2><p class="suave">Recarregar, voltar${papel || validade || porEstado ? ', imprimir e baixar de novo' : ' e imprimir'} não custam nada. Depois, perguntar de novo custa ${preco}.</p><p class="acoes"><button class="discreto" type="button" data-imprimir="" aria-label="Imprimir" hidden=""></button><button class="discreto" type="button" data-copiar-link="${base}" aria-label="Copiar o link" hidden=""></button><span class="suave" role="status"></span></p></section>`
}

/** The last day, for the calendar. */
function drawValidade({ dita: { validade }, feita, agora, entrega }: NaPagina): Content {
  if (!validade) return undefined
  return html`<section class="cartao sem-papel" aria-labelledby="vence"><h2 id="vence">Não deixe vencer</h2><p class="suave">Vence em ${dataBrasileira(validade.dia)}, ${semanaDe(validade.dia)}.</p>${botaoDaAgenda(validade, { parte: '', feita, agora, entrega })}</section>`
}

const diaDaSemana = dateFormat({ weekday: 'long', timeZone: 'UTC' })

/** `sábado`, of a day (AAAA-MM-DD). */
const semanaDe = (dia: string): string => diaDaSemana.format(new Date(`${dia}T12:00:00Z`))
