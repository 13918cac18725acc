import { formatNumero } from '../../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { cartao } from '../../platform/pages/layout.ts'
import { type AmostraDeCodigo, blocoDeCodigo } from './codigo.ts'
import { type ConsultaDaApi, lista, membro } from './consulta.ts'
import { type Exemplo, escreverExemplos } from './exemplos.ts'
import { escreverFormulario, type Formulario } from './formulario.ts'
import { escreverPapel, escreverPorEstado, lerEstado, type Papel } from './por-estado.ts'
import { corpoDe, escreverDados, escreverDesfecho, type Respondida, realcarJson } from './resposta.ts'

/** A call that was made by a page, with all that is shown of it. */
export type Feita = {
  respondida: Respondida
  codigo: AmostraDeCodigo
  /** The files of the answer, sealed; those of states by their UF. */
  papeis: ReadonlyMap<string, Papel>
}

/** What the page of a lookup is drawn with. */
export type PaginaDaConsulta = Formulario & {
  exemplos: readonly Exemplo[]
  /** What a lookup says of itself besides. */
  nota?: Content
  feita: Feita | undefined
  prefixo: string
}

/** The page of a lookup: its form, and the answer to the call that was just made. */
export function escreverConsulta(pagina: PaginaDaConsulta): Html {
  const { consulta, feita, exemplos, endereco, nota, prefixo } = pagina
  return html`<div class="topo"><div><p class="suave"><a href="${url(`${prefixo}/painel/experimentar/`)}">Experimentar</a> · ${consulta.tema}</p><h1>${consulta.nome}</h1><p class="descricao">${consulta.descricao}</p></div></div>
<div class="experimentar">${feita && escreverFeita(feita, pagina)}<div class="pergunta">${escreverFormulario(pagina)}${nota}${escreverExemplos(exemplos, endereco)}</div>${consulta.parte === 'uf' && escreverMolde(pagina)}</div>`
}

function escreverFeita({ respondida, codigo, papeis }: Feita, pagina: PaginaDaConsulta): Html {
  const { corpo, http } = respondida
  const { prefixo, campoCsrf } = pagina
  const unico = papeis.get('')
  return html`<div class="respondida">${escreverDesfecho(respondida, prefixo)}${
    http === 200 && escreverCorpo(corpo, pagina, papeis)
  }${unico && html`<section class="cartao" aria-labelledby="papel"><header><h2 id="papel">${unico.tipo === 'pdf' ? 'A certidão em PDF' : 'O XML da nota'}</h2></header>${escreverPapel(unico, campoCsrf)}<p class="suave">O arquivo está nesta página: abri-lo não consulta nem cobra de novo.</p></section>`}${blocoDeCodigo(codigo)}<section class="cartao" aria-labelledby="json"><header><h2 id="json">Em JSON</h2></header>${realcarJson(corpo)}</section></div>`
}

/** The answer for people: maps where it is about all states, and its members by their names. */
function escreverCorpo(corpo: unknown, { campoCsrf }: PaginaDaConsulta, papeis: Feita['papeis']): Content {
  const todos = { papeis, campoCsrf }
  const mapa = (titulo: string, id: string, entradas: unknown): Content =>
    isPorEstado(entradas) &&
    escreverPorEstado({ ...todos, titulo, id, estados: lista(entradas).map(lerEstado) })
  const results = membro(corpo, 'results')
  if (isPorEstado(results)) return mapa('Os 27 estados', 'estados', results)
  const inscricoes = membro(membro(corpo, 'inscricoes_estaduais'), 'results')
  const certidoes = membro(membro(corpo, 'cnd_estaduais'), 'results')
  if (inscricoes === undefined && certidoes === undefined) return cartaoDosDados(corpoDe(corpo))
  return [
    cartaoDosDados(membro(membro(corpo, 'receita_federal'), 'result')),
    mapa('Inscrições estaduais', 'inscricoes', inscricoes),
    mapa('Certidões estaduais', 'certidoes', certidoes),
  ]
}

const isPorEstado = (value: unknown): boolean => {
  const [first] = lista(value)
  return (
    first !== undefined && membro(first, 'uf') !== undefined && membro(first, 'source_status') !== undefined
  )
}

function cartaoDosDados(value: unknown): Content {
  const dados = escreverDados(value)
  return (
    dados &&
    html`<section class="cartao" aria-labelledby="dados"><header><h2 id="dados">O que foi respondido</h2></header>${dados}</section>`
  )
}

/** What the module of the page fills in while states answer. Without it nobody sees it. */
const escreverMolde = ({ campoCsrf, prefixo }: PaginaDaConsulta): Html =>
  html`<template id="molde"><div class="respondida" id="resposta"><section class="cartao desfecho" aria-labelledby="desfecho"><header><h2 id="desfecho">Resposta</h2><span class="selo lento" id="andamento">Consultando</span></header><p id="fala" role="status" aria-live="polite">Os estados estão sendo consultados.</p><dl class="dados"><div><dt>Custo</dt><dd id="custo">A ver no fim</dd></div><div><dt>Pedido</dt><dd><a id="pedido" href="${url(`${prefixo}/painel/registro/`)}"><code></code></a></dd></div></dl></section>${escreverPorEstado(
    { titulo: 'Os 27 estados', id: 'estados', estados: [], papeis: new Map(), campoCsrf },
  )}${blocoDeCodigo({})}<section class="cartao" aria-labelledby="json"><header><h2 id="json">Em JSON</h2></header><pre class="json" id="texto-json" tabindex="0" role="region" aria-label="Resposta em JSON"></pre></section></div></template>`

/** The lookups by their themes, each with what it costs. */
export function escreverLista(
  consultas: readonly ConsultaDaApi[],
  {
    enderecoDe,
    restantes,
    diagnostico,
  }: { enderecoDe: (id: string) => string; restantes: number; diagnostico: string },
): Html {
  const temas = new Map<string, ConsultaDaApi[]>()
  for (const one of consultas) temas.set(one.tema, [...(temas.get(one.tema) ?? []), one])
  return html`<div class="topo"><div><h1>Experimentar</h1><p class="suave">Cada consulta é feita de verdade, em nome da sua conta: entra no registro e no uso, e custa o que se diz. Restam <b>${formatNumero(restantes)}</b> créditos.</p></div></div>
<div class="grade">${[...temas].map(([tema, dele], at) =>
    cartao(
      { titulo: tema, id: `tema-${at}`, classe: 'meio' },
      html`<ul class="consultas">${dele.map((one) => linha(one, enderecoDe(one.id), diagnostico))}</ul>`,
    ),
  )}</div>`
}

/** The diagnosis of a note has a page of its own, without a key. */
function linha({ id, nome, custo }: ConsultaDaApi, endereco: string, diagnostico: string): Content {
  const where = id === 'diagnosticar' ? diagnostico : endereco
  return html`<li><a href="${url(where)}"><b>${nome}</b></a><span class="suave">${custo}</span></li>`
}
