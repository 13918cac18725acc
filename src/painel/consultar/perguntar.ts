import { randomUUID } from 'node:crypto'
import { ufs, unidades } from '../../documento/uf.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { DIAGNOSTICO } from '../../rejeicoes/page-busca.ts'
import { nomeDoEndpoint } from '../chamadas.ts'
import { FORMULARIO } from './nota.ts'
import {
  type Lido,
  MAIOR_DOCUMENTO,
  marcas,
  maximoDe,
  NOTA,
  nomesDosTipos,
  type PerguntaDoPainel,
  perguntas,
  perguntasDoDossie,
  precoDe,
  type TipoLido,
} from './perguntas.ts'
import { membro, texto } from './respondida.ts'

/** What stands in the one form from which all is asked. */
export type AoPerguntar = {
  /** What was typed, and what it was read as. */
  texto: string
  lido: Lido | undefined
  uf: string
  marcas: readonly string[]
  /** The question with which somebody came from another page: it is the first. */
  escolhida?: PerguntaDoPainel | undefined
  /** Why what was sent could not be asked. */
  falha?: string | undefined
  /** The question whose answer is below. */
  feita?: PerguntaDoPainel | undefined
  conta: { preco_exclusivo: boolean }
  campoCsrf: Content
  prefixo: string
  /** Whether answers are kept: only then they are shown while they come. */
  guarda: boolean
}

export const DOSSIE = 'dossie'

/** The button that asks the authority anew, with every mark that its question has for that. */
export const OUTRA_VEZ = 'de-novo'

export const enderecoDe = (prefixo: string): string => `${prefixo}/painel/consultar/`

/** Where an endpoint is asked without code; undefined for what is no question of a bookkeeper. */
export function enderecoDaPergunta(prefixo: string, endpoint: string): string | undefined {
  const found = perguntas.find((one) => one.endpoint === endpoint)
  return found && `${enderecoDe(prefixo)}${found.id === NOTA ? `${NOTA}/` : `?pergunta=${found.id}`}`
}

/** The form, with the questions as cards; those of an answer are a line of chips below its verdict. */
export function drawPerguntar(dados: AoPerguntar): Html {
  const { feita, lido, prefixo, campoCsrf, guarda } = dados
  return html`<form class="perguntar ${feita ? 'curto' : ''}" id="perguntar" method="post" action="${url(enderecoDe(prefixo))}" data-ao-vivo="${guarda ? 'sim' : ''}" data-lido="${prefixo}/painel/consultar/documento" data-tipo="${tipoCerto(lido)}" data-recusado="${recusadoDe(lido)}">${campoCsrf}<input type="hidden" name="${FORMULARIO}" value="${randomUUID()}"/><div class="cartao pedido"><div class="linha-do-pedido">${drawCampo(dados)}${drawEstado(dados)}<button class="discreto ver" type="submit" formaction="${url(`${enderecoDe(prefixo)}#ofertas`)}" aria-label="Ver perguntas">Ver<span class="so-largo"> perguntas</span></button></div><div class="abaixo-do-campo">${drawDito(dados)}${drawOpcoes(dados)}</div></div>${!feita && drawOfertas(dados)}</form>`
}

const drawCampo = ({ texto, falha }: AoPerguntar): Html =>
  html`<div class="campo documento"><label for="documento">CPF, CNPJ, <span class="so-largo">inscrição estadual</span><span class="so-estreito">IE</span> ou chave<span class="so-largo"> da nota</span></label>${
    falha === undefined
      ? html`<input id="documento" name="documento" value="${texto}" maxlength="${MAIOR_DOCUMENTO}" autocomplete="off" autocapitalize="characters" spellcheck="false" required="" placeholder="00.000.000/0001-00" aria-describedby="dito"/>`
      : html`<input id="documento" name="documento" value="${texto}" maxlength="${MAIOR_DOCUMENTO}" autocomplete="off" autocapitalize="characters" spellcheck="false" required="" autofocus="" aria-invalid="true" aria-describedby="dito"/>`
  }</div>`

/** Of a registration that lacks only its state, what is asked of one state may be pressed, and says so. */
export function recusadoDe(lido: Lido | undefined): '' | 'sim' | 'estado' {
  if (lido?.problema === undefined) return ''
  return lido.tipo === 'ie' && !lido.uf ? 'estado' : 'sim'
}

const tipoCerto = (lido: Lido | undefined): TipoLido | undefined =>
  recusadoDe(lido) === 'sim' ? undefined : lido?.tipo

/** Above an answer the field is narrow, and has room for the two letters of a state. */
const drawEstado = ({ uf, feita }: AoPerguntar): Html =>
  html`<div class="campo estado"><label for="uf">Estado${!feita && html` <span class="suave so-largo para-um-so">(para um só)</span><span class="suave falta">(obrigatório)</span>`}</label><select id="uf" name="uf"><option value="">${feita ? 'UF' : 'Escolha'}</option>${ufs.map(
    (one) => {
      const nome = !feita && ` · ${unidades[one].nome}`
      return one === uf
        ? html`<option value="${one}" selected="">${one}${nome}</option>`
        : html`<option value="${one}">${one}${nome}</option>`
    },
  )}</select></div>`

/** What the document was read as, or why it is none. The module of the page says it at once. */
function drawDito({ lido, falha }: AoPerguntar): Html {
  const problema = falha ?? lido?.problema
  if (falha === undefined && recusadoDe(lido) === 'estado')
    return html`<p class="dito" id="dito" role="status">${problema}</p>`
  if (problema !== undefined) return html`<p class="dito ruim" id="dito" role="alert">${problema}</p>`
  if (lido) return html`<p class="dito bom" id="dito" role="status">${ditoDe(lido)}</p>`
  return html`<p class="dito" id="dito" role="status">Com ou sem pontos. Nada é consultado até você escolher uma pergunta.</p>`
}

export const ditoDe = ({ tipo, uf }: Lido): string =>
  tipo === 'ie' && uf
    ? `${nomesDosTipos.ie} válida ${unidades[uf].em} ${unidades[uf].nome}.`
    : `${nomesDosTipos[tipo]} ${tipo === 'chave' ? 'válida' : 'válido'}.`

const drawOpcoes = ({ marcas: ticked }: AoPerguntar): Html =>
  html`<details class="opcoes"><summary>Opções</summary>${marcas.map(({ nome, rotulo }) => {
    const id = `opcao-${nome}`
    return html`<div class="campo"><label for="${id}">${
      ticked.includes(nome)
        ? html`<input type="checkbox" id="${id}" name="${nome}" value="true" checked=""/>`
        : html`<input type="checkbox" id="${id}" name="${nome}" value="true"/>`
    } ${rotulo}</label></div>`
  })}</details>`

/** The questions that a document is asked by; all, as long as nobody knows which it is. */
export const perguntasDe = (tipo: TipoLido | undefined): readonly PerguntaDoPainel[] =>
  tipo === undefined ? perguntas : perguntas.filter(({ tipos }) => tipos.includes(tipo))

const grupos: readonly (readonly [titulo: string, perguntas: readonly string[]])[] = [
  ['Secretarias da fazenda', ['ie-todos', 'ie', 'cnd-todos', 'cnd']],
  ['Receita Federal', ['cnd-federal', 'cnpj', 'cnpj-ao-vivo']],
  ['No campo', ['cnir', 'sigef', 'perfil']],
  ['Nota', [NOTA]],
  ['Tudo junto', []],
]

function drawOfertas(dados: AoPerguntar): Html {
  const { lido, prefixo, escolhida } = dados
  const tipo = tipoCerto(lido)
  const serve = new Set(perguntasDe(tipo))
  return html`<div class="todas-as-ofertas"><h2 id="ofertas" tabindex="-1">O que você quer saber?</h2>${
    escolhida &&
    html`<section class="grupo-de-ofertas" aria-labelledby="escolhida"><h3 id="escolhida">A que você escolheu</h3><ul class="ofertas">${drawOferta(escolhida, dados, serve.has(escolhida))}</ul></section>`
  }${grupos.map(
    ([titulo, dele], at) =>
      html`<section class="grupo-de-ofertas" aria-labelledby="grupo-${at}"><h3 id="grupo-${at}">${titulo}</h3><ul class="ofertas">${perguntas
        .filter((one) => dele.includes(one.id) && one !== escolhida)
        .map((one) => drawOferta(one, dados, serve.has(one)))}${
        dele.includes(NOTA)
          ? (tipo === undefined || tipo === 'chave') && drawDiagnostico(prefixo)
          : at === grupos.length - 1 && drawDossie(tipo)
      }</ul></section>`,
  )}</div>`
}

/** All of a company or a producer on one page, which says itself what it costs. */
const drawDossie = (tipo: TipoLido | undefined): Content =>
  (tipo === undefined || tipo === 'cpf' || tipo === 'cnpj') &&
  html`<li class="oferta" data-tipos="cpf cnpj"><h4>Dossiê completo</h4><p class="suave">Tudo o que se acha do contribuinte, em uma página e em PDF, e onde os cadastros divergem.</p><button class="botao" type="submit" name="pergunta" value="${DOSSIE}"><span class="verbo">Ver o que pergunta · </span>${maximoDe(perguntasDoDossie({ tipo: 'cnpj', rural: false }))}</button></li>`

/** On a phone the card of the diagnosis is far down: this way to it is in sight. */
export const drawRecusada = (prefixo: string): Html =>
  html`<p class="suave">Uma nota foi recusada? <a href="${url(prefixo + DIAGNOSTICO)}">Veja o que corrigir</a></p>`

const drawDiagnostico = (prefixo: string): Html =>
  html`<li class="oferta" data-tipos="chave"><h4>${nomeDoEndpoint('/api/v1/rejeicoes/diagnosticar')}</h4><p class="suave">Solte o XML que a SEFAZ recusou e leve o que corrigir, com o motivo; se a correção é certa, também o XML corrigido.</p><a class="discreto" href="${url(prefixo + DIAGNOSTICO)}"><span class="verbo">Diagnosticar · </span>grátis</a></li>`

function drawOferta(one: PerguntaDoPainel, { conta, lido }: AoPerguntar, isServed: boolean): Html {
  const { id, nome, ajuda, tipos, pedeUf, porEstado } = one
  const conteudo = html`<h4>${nome}</h4><p class="suave">${ajuda}${id === 'ie' && html`<b class="falta"> Falta o estado.</b>`}</p><button class="botao" type="submit" name="pergunta" value="${id}" data-uf="${pedeUf ? 'sim' : ''}" data-ao-vivo="${porEstado ? 'sim' : ''}"><span class="verbo">${id === NOTA ? 'Pedir' : 'Consultar'} · </span>${precoDe(one, conta, tipoCerto(lido))}<span class="so-leitor">: ${nome}</span></button>`
  return isServed
    ? html`<li class="oferta" data-tipos="${tipos.join(' ')}">${conteudo}</li>`
    : html`<li class="oferta" data-tipos="${tipos.join(' ')}" hidden="">${conteudo}</li>`
}

/** The likeliest after an answer; the profile of a producer has what some of them ask. */
const PROVAVEIS = ['cnd-federal', 'cnd-todos', 'cnpj', 'ie-todos', 'cnir', 'sigef', 'ie', 'cnd']
const DEPOIS_DO_PERFIL = ['cnd-federal', 'cnir', 'sigef']

/** Below a verdict: the same asked anew where that may help, the likeliest, the others in a fold. */
export function drawFichas(
  feita: PerguntaDoPainel,
  { lido, conta, uf }: Pick<AoPerguntar, 'lido' | 'conta' | 'uf'>,
  isDeNovo: boolean,
): Html {
  const tipo = lido?.tipo ?? feita.tipos[0]
  // Who has found the one state of somebody wants its certificate, and not all of them.
  const isDoEstado = uf !== '' && ['ie', 'ie-todos'].includes(feita.id)
  const usual = feita.id === 'perfil' ? DEPOIS_DO_PERFIL : PROVAVEIS
  const ordem = isDoEstado ? ['cnd', ...usual] : usual
  const all = perguntasDe(tipo).filter((one) => one !== feita)
  const primeiras = ordem.flatMap((id) => all.find((one) => one.id === id) ?? []).slice(0, 2)
  const outras = all.filter((one) => !primeiras.includes(one))
  const button = (one: PerguntaDoPainel, nome: string, rotulo: string): Html =>
    html`<button class="ficha-de-pergunta" type="submit" form="perguntar" name="${nome}" value="${one.id}" data-uf="${one.pedeUf ? 'sim' : ''}" data-ao-vivo="${one.porEstado ? 'sim' : ''}">${rotulo} · ${precoDe(one, conta, lido?.tipo)}</button>`
  const draw = (some: readonly PerguntaDoPainel[]) =>
    some.map((one) =>
      button(one, 'pergunta', isDoEstado && one.id === 'cnd' ? `${one.nome}, ${uf}` : one.nome),
    )
  return html`<div class="fichas sem-papel" role="group" aria-label="Perguntar mais"><div>${isDeNovo && button(feita, OUTRA_VEZ, feita.deNovo)}${draw(primeiras)}${(tipo === 'cpf' || tipo === 'cnpj') && html`<button class="ficha-de-pergunta" type="submit" form="perguntar" name="pergunta" value="${DOSSIE}">Dossiê completo</button>`}</div>${outras.length > 0 && html`<details><summary>Outras perguntas (${outras.length})</summary><div>${draw(outras)}</div></details>`}</div>`
}

/** A document of the simulator, for one endpoint. */
type Exemplo = {
  endpoint: string
  valores: Readonly<Record<string, string>>
  nota: string
  /** What comes of it in one word: a code, the status of a certificate, or nothing for a plain answer. */
  espera: string
  http: number
}

/** Reads an entry of the simulator's list; undefined for what is none. */
export function readExemplo(entrada: unknown): Exemplo | undefined {
  const endpoint = texto(membro(entrada, 'endpoint'))
  const envio = membro(entrada, 'envio')
  const sent = { ...Object(membro(entrada, 'parametros')), ...Object(membro(envio, 'corpo')) }
  const espera = membro(entrada, 'espera')
  if (endpoint === '') return undefined
  return {
    endpoint,
    valores: Object.fromEntries(Object.entries(sent).map(([nome, value]) => [nome, String(value)])),
    nota: texto(membro(entrada, 'nota')),
    espera:
      texto(membro(espera, 'error_code')) ||
      texto(membro(espera, 'source_error')) ||
      texto(membro(espera, 'status')),
    http: Number(membro(espera, 'http')),
  }
}

/** Of each question: a few that are answered well, then one of each other outcome. */
const MAIS = 7
const BOAS = 2

function choose(exemplos: readonly Exemplo[]): readonly Exemplo[] {
  const seen = new Set<string>()
  const good = exemplos.filter(({ http }) => http === 200).slice(0, BOAS)
  const others = exemplos.filter(({ espera, http }) => {
    const kind = `${http} ${espera}`
    // What is wrong in the parameters of the API cannot be asked with this form.
    return http !== 400 && espera !== '' && !seen.has(kind) && seen.add(kind)
  })
  return [...new Set([...good, ...others])].slice(0, MAIS)
}

/** Documents that the simulator answers, in a fold: they fill the form in, and nothing is asked by them. */
export function drawExemplos(exemplos: readonly Exemplo[], base: string, nota: Content): Html | false {
  if (exemplos.length === 0) return false
  const seen = new Set<string>()
  const grupos = perguntas.flatMap((pergunta) => {
    if (seen.has(pergunta.endpoint)) return []
    seen.add(pergunta.endpoint)
    const chosen = choose(exemplos.filter(({ endpoint }) => endpoint === pergunta.endpoint))
    return chosen.length > 0 && pergunta.tipos[0] !== 'chave' ? [drawGrupo(pergunta, chosen, base)] : []
  })
  return html`<details class="cartao exemplos"><summary><h2>Documentos do simulador</h2> <span class="suave">fictícios, cada um responde de um jeito</span></summary><div class="grupos">${grupos}${nota}</div></details>`
}

const drawGrupo = ({ nome }: PerguntaDoPainel, exemplos: readonly Exemplo[], base: string): Html =>
  html`<div><h3>${nome}</h3><ul>${exemplos.map(({ valores, nota }) => {
    const { uf = '', cpf, cnpj, ie } = valores
    const documento = cnpj ?? cpf ?? ie ?? ''
    const query = new URLSearchParams({ documento, ...(uf && { uf }) })
    return html`<li><a href="${url(`${base}?${query}`)}">${nota || documento}</a>${uf && html` <span class="suave">${uf}</span>`}</li>`
  })}</ul></div>`
