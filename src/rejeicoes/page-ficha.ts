import { dataBrasileira } from '../documento/dia.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { assuntoDe, enderecoDoAssunto, formularioDoXml, INDICE } from './page-busca.ts'
import { type Ligacoes, listaDeRejeicoes } from './page-indice.ts'
import { parDaVerificacao } from './page-trecho.ts'
import type { Rejeicao, VerificacaoDoCatalogo, Vigencia } from './rules.ts'
import type { Laudo } from './rules-laudo.ts'
import { rotuloDe } from './textos.ts'

const NOME = /(?<![\p{L}\d/@])(?:[A-Za-z@*.][\w@*]*\/)*[A-Za-z@]\w*(?![\p{L}\d/])/gu

/** A text in which the names of fields, and what backticks enclose, are code. */
function comCodigo(texto: string): readonly (string | Html)[] {
  return texto.split('`').flatMap((part, at) => (at % 2 === 1 ? [html`<code>${part}</code>`] : mark(part)))
}

function mark(texto: string): (string | Html)[] {
  const parts: (string | Html)[] = []
  let from = 0
  for (const { 0: name, index } of texto.matchAll(NOME)) {
    if (!isCampo(name)) continue
    parts.push(texto.slice(from, index), html`<code>${name}</code>`)
    from = index + name.length
  }
  return [...parts, texto.slice(from)]
}

/** Words have no capital inside; other paths are known by the table of fields. */
const isCampo = (name: string): boolean =>
  /[a-z][A-Z]|^@/.test(name) || (name.includes('/') && rotuloDe(name.replace(/^\.\//, '')) !== undefined)

export const nomesDosModelos = { '55': 'NF-e', '65': 'NFC-e' } as const

/** For a title: the name of a document is not broken at its hyphen. */
export const semQuebra = (titulo: string): string => titulo.replace(/\b(NFC?|CT|MDF)-e\b/g, '$1\u2011e')

export function clip(texto: string, most: number): string {
  if (texto.length <= most) return texto
  const start = texto.slice(0, most - 1)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), most / 2)).toWellFormed()}…`
}

const cartoesDasVerificacoes = ({
  codigo,
  regras,
  verificacoes_analiticas,
}: Pick<Rejeicao, 'codigo' | 'regras' | 'verificacoes_analiticas'>): readonly Html[] =>
  verificacoes_analiticas.map((one, at) =>
    cartao(
      { titulo: one.titulo, id: `verificacao-${at + 1}` },
      html`<p>${comCodigo(one.descricao)}</p>${parDaVerificacao(one, codigo)}<dl class="fatos da-regra"><dt>Vale para</dt><dd>${validade(one)}</dd><dt>Precisa de</dt><dd>${dependencia(one)}</dd>${
        !regras.some(
          ({ regra, documento }) => regra === one.fonte.regra && documento === one.fonte.documento,
        ) && html`<dt>Regra oficial</dt><dd>${one.fonte.regra}, ${one.fonte.documento}</dd>`
      }</dl>`,
    ),
  )

/** On the way from its page all pairs are there, those that failed first; else those that failed, or one. */
export function cartaoAoLado(
  { codigo, titulo, url_blog, verificacoes_analiticas: checks }: Rejeicao,
  { laudo, prefixo, todos }: { laudo: Laudo; prefixo: string; todos: boolean },
): Html {
  const failed = new Set(
    laudo.verificacoes.flatMap(({ id, resultado }) => (resultado === 'falha' ? [id] : [])),
  )
  const [first, rest] = [
    checks.filter(({ id }) => failed.has(id)),
    checks.filter(({ id }) => !failed.has(id)),
  ]
  const shown = todos ? [...first, ...rest] : first.length > 0 ? first : rest.slice(0, 1)
  const isFound = laudo.suspeitas.some((one) => one.codigo === codigo && one.origem !== 'informado')
  const lado = !isFound && html`<span class="selo">não encontrada neste XML</span>`
  return cartao(
    { titulo: `Exemplo da ${codigo}`, id: 'par', classe: 'menor ao-lado', lado },
    html`${!isFound && html`<p><a href="${url(prefixo + url_blog)}">${titulo}</a></p>`}<details class="aberto-na-mesa"><summary>Ver o errado e o certo</summary><p class="suave">Os valores são de um exemplo, não da sua nota.</p>${shown.map(
      (one) => html`<h3>${one.titulo}</h3><p>${comCodigo(one.descricao)}</p>${parDaVerificacao(one, codigo)}`,
    )}</details>`,
  )
}

function validade({ modelos, aplicacao, vigencia }: VerificacaoDoCatalogo): string {
  const models = (modelos ?? (['55', '65'] as const)).map((one) => nomesDosModelos[one]).join(' e ')
  return [models, ...diasDe(vigencia ?? {}), aplicacao && 'conforme a UF'].filter(Boolean).join(', ')
}

/** From when to when, in words; both days where sources name two. */
function diasDe({
  de,
  de_talvez,
  ate,
  ate_talvez,
  homologacao,
  texto,
}: Vigencia): (string | boolean | undefined)[] {
  const dias = (um: string | undefined, outro: string): string =>
    um ? `${dataBrasileira(um)} ou ${dataBrasileira(outro)} (as fontes divergem)` : dataBrasileira(outro)
  return [
    de && `desde ${dias(de_talvez, de)}`,
    ate && `até ${dias(ate_talvez, ate)}`,
    !de && texto && `no texto oficial de ${dataBrasileira(texto)}`,
    homologacao?.de && `em homologação desde ${dias(homologacao.de_talvez, homologacao.de)}`,
  ]
}

function dependencia({ dependencia }: VerificacaoDoCatalogo): string {
  if (dependencia === 'xml') return 'só o XML da nota'
  const [kind = '', name = ''] = dependencia.split(':')
  const words = name.replaceAll('_', ' ')
  return kind === 'tabela'
    ? `o XML e uma tabela oficial (${words})`
    : `o XML e um dado de fora dele (${words})`
}

const nomes: Partial<Record<Rejeicao['tipo'], string>> = { denegacao: 'Denegação', alerta: 'Alerta' }

export const nomeDaRejeicao = ({ tipo, codigo }: Pick<Rejeicao, 'tipo' | 'codigo'>): string =>
  `${nomes[tipo] ?? 'Rejeição'} ${codigo}`

const doTipo: Partial<Record<Rejeicao['tipo'], string>> = {
  'rejeicao-evento': 'de evento',
  'rejeicao-servico': 'de outro serviço',
  'rejeicao-historica': 'fora de uso',
}

export const paginaDaRejeicao = (rejeicao: Rejeicao, ligacoes: Ligacoes, prefixo: string): Html =>
  html`${topo(rejeicao, ligacoes, prefixo)}
<div class="grade ficha">
${motivo(rejeicao)}
<div class="maior pilha">${causas(rejeicao)}${passos(rejeicao)}${consultas(rejeicao)}</div>
<div class="menor pilha a-direita">${cartao(
    { titulo: 'Ache o erro no seu XML', id: 'diagnostico', classe: 'sem-papel' },
    formularioDoXml(prefixo, rejeicao.codigo),
  )}${vizinhas('Usam os mesmos campos', 'mesmos-campos', ligacoes.doCampo, prefixo)}</div>
${cartoesDasVerificacoes(rejeicao)}
${regras(rejeicao)}
${vizinhas('Da mesma categoria', 'mesma-categoria', ligacoes.daCategoria, prefixo)}
</div>`

function topo(rejeicao: Rejeicao, { antes, depois }: Ligacoes, prefixo: string): Html {
  const assunto = assuntoDe(rejeicao.categoria)
  const tipo = doTipo[rejeicao.tipo]
  const link = (to: Rejeicao, texto: string, rel: string): Html =>
    html`<a rel="${rel}" href="${url(prefixo + to.url_blog)}">${texto}</a>`
  return html`<div class="topo"><div><nav aria-label="Onde esta página está" class="suave trilha"><a href="${url(prefixo + INDICE)}">Rejeições</a> › <a href="${url(prefixo + enderecoDoAssunto(assunto))}">${assunto.nome}</a>${
    tipo && html` <span class="selo">${tipo}</span>`
  }</nav><h1>${nomeDaRejeicao(rejeicao)}: ${semQuebra(rejeicao.titulo)}</h1><p class="ate-o-formulario sem-papel"><a class="botao" href="#diagnostico">Achar o erro no meu XML</a></p></div><nav class="abas sem-papel" aria-label="Códigos vizinhos">${
    antes && link(antes, `← ${antes.codigo}`, 'prev')
  }${depois && link(depois, `${depois.codigo} →`, 'next')}</nav></div>`
}

/** The title of most pages is the reason, word for word. */
const motivo = ({ titulo, motivo, outro_significado }: Rejeicao): Html | false =>
  (motivo !== `Rejeição: ${titulo}` || outro_significado !== null) &&
  cartao(
    { titulo: 'O que a SEFAZ responde', id: 'motivo' },
    html`<blockquote><p>${motivo}</p></blockquote>${
      outro_significado !== null &&
      html`<p>O mesmo código tem outro motivo oficial em vigor:</p><blockquote><p>${outro_significado.motivo}</p></blockquote><p class="suave">${outro_significado.fonte}</p>`
    }`,
  )

const causas = ({ causas }: Rejeicao): Html | false =>
  causas.length > 0 &&
  cartao(
    { titulo: 'Por que acontece', id: 'causas' },
    html`<ul class="pontos">${causas.map((one) => html`<li>${comCodigo(one)}</li>`)}</ul>`,
  )

/** A sum of five terms or more has one a line, each with its sign. */
function emTermos(texto: string): Content {
  const [inicio = '', ...termos] = texto.split(/(?= [+\u2212] )/)
  if (termos.length < 4) return comCodigo(texto)
  return [comCodigo(inicio), termos.map((um) => html`<span class="termo">${comCodigo(um)}</span>`)]
}

const passos = ({ solucao_passos, exemplos = [] }: Rejeicao): Html | false =>
  solucao_passos.length > 0 &&
  cartao(
    { titulo: 'Como resolver', id: 'passos' },
    html`<ol class="pontos">${solucao_passos.map(
      (one, at) =>
        html`<li>${emTermos(one)}${exemplos.filter(({ passo }) => passo === at + 1).map(exemplo)}</li>`,
    )}</ol>`,
  )

const exemplo = ({ errado, certo }: { errado: string; certo: string }): Html =>
  html`<div class="par do-passo">${lado('errado', errado, 'falta')}${lado('certo', certo, 'sem o elemento')}</div>`

const lado = (qual: 'errado' | 'certo', xml: string, semNada: string): Html =>
  html`<figure class="${qual}"><figcaption><span class="selo ${qual === 'certo' ? 'bom' : 'ruim'}">${qual === 'certo' ? 'Certo' : 'Errado'}</span></figcaption><pre><code><span class="l">${xml === '' ? `(${semNada})` : xml}</span></code></pre></figure>`

const consultas = ({ onde_consultar = [] }: Rejeicao): Html | false =>
  onde_consultar.length > 0 &&
  cartao(
    { titulo: 'Onde consultar', id: 'consultas' },
    html`<ul class="pontos">${onde_consultar.map(
      ({ nome, endereco, origem }) =>
        html`<li><a rel="external noopener noreferrer" href="${url(endereco)}">${nome}</a> <span class="suave">${origem}</span></li>`,
    )}</ul>`,
  )

const CAMPOS_A_VISTA = 8

function regras({ regras, fontes, campos }: Rejeicao): Html {
  const documentos = ondeEsta(fontes)
  const nomesDosCampos = html`<ul class="campos">${campos.map(campo)}</ul>`
  return cartao(
    { titulo: 'Regras e documentos oficiais', id: 'regras' },
    html`${
      regras.length > 0
        ? html`<table class="regras"><thead><tr><th scope="col">Regra</th><th scope="col">Modelo</th><th scope="col">Documento</th></tr></thead><tbody>${regras.map(
            ({ regra, modelo, documento }) =>
              html`<tr><th scope="row">${regra}</th><td>${modelo === '' ? '–' : modelo.replace('/', ' e ')}</td><td>${documento}</td></tr>`,
          )}</tbody></table>`
        : html`<p>Não há regra de validação publicada para este código: os documentos trazem só o motivo.</p>`
    }${campos.length > 0 && html`<h3>Campos</h3>${campos.length > CAMPOS_A_VISTA ? html`<details class="aberto-na-mesa"><summary>${campos.length} campos envolvidos</summary>${nomesDosCampos}</details>` : nomesDosCampos}`}${
      documentos.length > 0 && html`<p class="suave">${documentos}</p>`
    }`,
  )
}

/** The official documents that carry the reason; `*` marks those that word it otherwise. */
function ondeEsta(fontes: readonly string[]): string {
  const oficiais = fontes.filter((fonte) => /^(?:NT|MOC|Manual) /.test(fonte))
  const iguais = oficiais.filter((fonte) => !fonte.endsWith('*'))
  const outras = oficiais.filter((fonte) => fonte.endsWith('*')).map((fonte) => fonte.slice(0, -1))
  return [
    iguais.length > 0 && `O motivo está em ${iguais.join('; ')}.`,
    outras.length > 0 && `Com outra redação, em ${outras.join('; ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const campo = (caminho: string): Html =>
  html`<li><code>${caminho}</code> <span class="suave">${rotuloDe(caminho)}</span></li>`

const vizinhas = (titulo: string, id: string, outras: readonly Rejeicao[], prefixo: string): Html | false =>
  outras.length > 0 && cartao({ titulo, id, classe: 'vizinhas' }, listaDeRejeicoes(outras, prefixo))
