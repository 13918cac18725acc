import { gunzipSync, gzipSync } from 'node:zlib'
import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { writeReais } from '../platform/ledger/rules.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Catalogo } from './catalogo.ts'
import { readPacotes } from './esquema/calendario.ts'
import { CORRIGIDO, DIAGNOSTICO, formularioDoXml, INDICE } from './page-busca.ts'
import { cartaoAoLado, nomeDaRejeicao, nomesDosModelos, semQuebra } from './page-ficha.ts'
import { nomeDoEsquema, type Rejeicao } from './rules.ts'
import {
  type Achado,
  type CampoLido,
  type Corrigido,
  DIAGNOSTICO_DE_NOTA,
  type Emenda,
  type Laudo,
  type Ocorrencia,
  type Suspeita,
} from './rules-laudo.ts'
import { rotuloDe } from './textos.ts'

/** A value of the note is cut here: a page is no place for a photograph in base64. */
const MAIOR_VALOR = 200

const ocorrencias = (places: readonly Ocorrencia[], most = places.length): Html =>
  html`<ul class="ocorrencias">${places.slice(0, most).map((one) => {
    const { onde, campos, mensagem } = one
    return html`<li><p>${onde !== '' && html`<b>${onde.charAt(0).toUpperCase()}${onde.slice(1)}</b>: `}${fraseDe(one)}</p>${campos.length > 0 && (somaDe(campos, mensagem) ?? html`<dl class="lidos">${campos.map((campo) => linhaDe(campo))}</dl>`)}</li>`
  })}</ul>${places.length > most && html`<p class="suave">E em mais ${lugares(places.length - most)}, abaixo.</p>`}`

/** What was found, as a person writes it, without the field that its place has just named. */
function fraseDe({ onde, campos: [campo], mensagem }: Ocorrencia): string {
  const nome = /campo (\S+)$/.exec(onde)?.[1] ?? ''
  const rotulo = rotuloDe(campo?.caminho ?? '')
  const doEsquema = [`O campo ${nome} (${rotulo}) `, `O campo ${nome} `].find((um) => mensagem.startsWith(um))
  if (doEsquema) return mensagem.slice(doEsquema.length)
  const frase = mensagem
    .replace(onde.startsWith('item ') ? /^Item \d+: / : '', '')
    .replace(new RegExp(`^(?:\\S*/)?${RegExp.escape(nome)} informado:? `), 'informado ')
    .replace(/\b(\d{4})-(\d\d)-(\d\d)\b/g, '$3/$2/$1')
    .replace(/\b\d{44}\b/g, emQuatros)
    .replace(/(?<=CNPJ (?:\S+ )?)\d{14}\b/g, formatDocumento)
  return /^v[A-Z]/.test(nome)
    ? frase.replace(/(?<![\d./-])\d+\.\d\d(?![\d%]|\.\d)/g, (um) => writeReais(um).replace(' ', '\u00a0'))
    : frase
}

const emQuatros = (chave: string): string => chave.replace(/.{4}(?=.)/g, '$& ')

const lugares = (count: number): string => (count === 1 ? '1 lugar' : `${count} lugares`)

const linhaDe = ({ caminho, valor }: CampoLido, dito: Content = valorLido(valor)): Html =>
  html`<div><dt>${rotuloDe(caminho)} <code>${caminho}</code></dt><dd>${dito}</dd></div>`

const DEDUZIDO = /\/v(?:Desc|ICMSDeson)$/

/** What a total is made of, each with its sign and no zero, then the sum and what the note says of it. */
function somaDe([total, ...outros]: readonly CampoLido[], mensagem: string): Html | undefined {
  const esperado = /soma .* dá (\d+\.\d\d)\.(?: |$)/.exec(mensagem)?.[1]
  if (!total || esperado === undefined) return undefined
  const somados = outros.filter(({ valor }) => isValor(valor) && Number(valor) !== 0)
  const semDesoneracao = somados.filter(({ caminho }) => !caminho.endsWith('/vICMSDeson'))
  const doTotal = somados.filter(({ caminho }) => caminho.startsWith('total/'))
  for (const lista of [doTotal, somados, semDesoneracao]) {
    const soma = lista.reduce(
      (ate, { caminho, valor }) => ate + Number(DEDUZIDO.test(caminho) ? `-${valor}` : valor),
      0,
    )
    if (soma.toFixed(2) !== esperado) continue
    const parcelas = lista.map((um) =>
      linhaDe(um, `${DEDUZIDO.test(um.caminho) ? '−' : '+'} ${emReais(um.valor ?? '')}`),
    )
    return html`<dl class="lidos soma">${parcelas}<div><dt>Soma</dt><dd>${emReais(esperado)}</dd></div>${linhaDe(total, emReais(total.valor ?? ''))}</dl>`
  }
  return undefined
}

const isValor = (valor: string | null): valor is string => /^\d+\.\d\d$/.test(valor ?? '')

/** `1.234,56` of an amount of the note; what is none stays as it is. */
const emReais = (valor: string): string => (isValor(valor) ? writeReais(valor).slice('R$ '.length) : valor)

function valorLido(valor: string | null): Html {
  if (valor === null) return html`<span class="suave">não informado</span>`
  if (valor === '') return html`<span class="suave">vazio</span>`
  return html`<code>${cortado(valor)}</code>`
}

const cartaoDasEmendas = (emendas: readonly Emenda[], conferem: boolean): Html | false =>
  emendas.length > 0 &&
  cartao(
    {
      titulo: 'O que corrigir',
      id: 'emendas',
      lado: html`<span class="suave">correções certas, a aplicar antes de assinar</span>`,
    },
    html`<ul class="emendas">${emendas.map(
      (one) =>
        html`<li><p>${rotuloDe(one.caminho)} <code>${one.caminho}</code> <span class="suave">rejeição ${one.codigo}</span></p><p>${mudanca(one)}</p><p class="suave">${one.motivo}${conferem && one.caminho.endsWith('/vNF') && ' As parcelas conferem com os itens: o errado é o total.'}</p></li>`,
    )}</ul>`,
  )

/** Whether each total of which vNF is made was held against the items, and found right. */
function hasParcelasCertas({ verificacoes }: Laudo, { porCodigo }: Catalogo): boolean {
  const campos = verificacoes.find(({ id }) => id === '610-vnf-fecha')?.ocorrencias[0]?.campos ?? []
  const somas = verificacoes.filter(({ id, resultado }) => /-soma-d/.test(id) && resultado === 'ok')
  const certos = new Set(somas.flatMap(({ codigo }) => porCodigo.get(codigo)?.campos ?? []))
  const parcelas = campos.filter((um) => /^total.*\/v(?!NF$)/.test(um.caminho) && Number(um.valor) !== 0)
  return parcelas.length > 0 && parcelas.every(({ caminho }) => certos.has(caminho))
}

function mudanca({ acao, de, para }: Emenda): Html {
  if (acao === 'retirar') return html`Retirar ${de === null ? 'o campo' : html`<del>${cortado(de)}</del>`}`
  if (acao === 'mover')
    return para === null
      ? html`Mover para o fim do grupo`
      : html`Mover para antes de ${rotuloDe(para)} <code>${para}</code>`
  return html`de ${de === null ? html`<span class="suave">não informado</span>` : html`<del>${cortado(de)}</del>`} → <ins>${cortado(para ?? '')}</ins>`
}

/** Blanks at an end are seen between quotes. */
function cortado(valor: string): string {
  if (valor.length > MAIOR_VALOR) return `${valor.slice(0, MAIOR_VALOR).toWellFormed()}…`
  return valor === valor.trim() && valor !== '' ? valor : `“${valor}”`
}

const daAssinatura: Readonly<Record<Laudo['assinatura']['situacao'], readonly [tom: string, nome: string]>> =
  {
    valida: ['bom', 'Assinatura válida'],
    invalida: ['ruim', 'Assinatura inválida'],
    ausente: ['', 'Sem assinatura'],
    indeterminada: ['lento', 'Assinatura não conferida'],
  }

function tellTroca({ pacote, outro }: Laudo['esquema'], onde: Laudo['regras']['ambiente']): string {
  const seus = readPacotes().pacotes.filter(({ nome }) => nome === pacote || nome === outro?.pacote)
  const { fontes, duvida, desde } = seus.findLast((um) => um.duvida?.[onde]) ?? {}
  const [antes, depois] = [duvida, desde].map((um) => dataBrasileira(um?.[onde] ?? '').slice(0, 5))
  return fontes
    ? `${fontes[0]} marca a troca para ${antes} e ${fontes[1]} para ${depois}`
    : 'A data da troca é incerta'
}

function cartaoDoEsquema({ esquema, assinatura, regras }: Laudo): Html {
  const { valido, erros, omitidos, outro } = esquema
  const [tom, nome] = daAssinatura[assinatura.situacao]
  return cartao(
    { titulo: 'Esquema e assinatura', id: 'esquema' },
    html`<p><span class="selo ${valido ? 'bom' : 'ruim'}">${valido ? 'Segue o esquema' : 'Fora do esquema'}</span> <span class="selo ${tom}">${nome}</span></p>${
      erros.length > 0 &&
      ocorrencias(
        erros.map(({ onde, caminho, valor, mensagem }) => ({ onde, mensagem, campos: [{ caminho, valor }] })),
      )
    }${omitidos > 0 && html`<p class="suave">E mais ${omitidos} erros de esquema.</p>`}<p class="suave">${assinatura.mensagem}</p>${
      outro !== null &&
      html`<p class="suave">${tellTroca(esquema, regras.ambiente)}: conferimos pelos dois.</p>`
    }<details><summary>${outro === null ? 'Qual esquema' : 'Quais esquemas'}</summary><p class="suave">${nomeDoEsquema(esquema)}.</p></details>`,
  )
}

/** The places of a code that is a suspicion stand there. */
function cartaoDasVerificacoes(
  { verificacoes, resumo, suspeitas }: Laudo,
  catalogo: Catalogo,
  prefixo: string,
): Html {
  const ditas = new Set(suspeitas.map(({ codigo }) => codigo))
  const of = (result: Achado['resultado']): Achado[] =>
    verificacoes.filter(({ resultado }) => resultado === result)
  const list = (found: readonly Achado[], motivo: string): Html =>
    html`<ul class="achados">${found.map((one) => achado(ditas.has(one.codigo) ? { ...one, ocorrencias: [], omitidas: 0 } : one, { motivo, catalogo, prefixo }))}</ul>`
  const [falharam, duvidas] = [of('falha'), of('indeterminado')]
  return cartao(
    { titulo: 'Verificações', id: 'verificacoes' },
    html`<p>${resumo.falha} ${resumo.falha === 1 ? 'falhou' : 'falharam'}, ${resumo.ok} ${resumo.ok === 1 ? 'passou' : 'passaram'}, ${resumo.indeterminado} sem decisão, ${resumo.nao_aplicavel} não se ${resumo.nao_aplicavel === 1 ? 'aplica' : 'aplicam'} a esta nota.</p>${falharam.length > 0 && html`<h3>Falharam</h3>${list(falharam, '')}`}${
      duvidas.length > 0 &&
      html`<details><summary>${duvidas.length} que não dá para conferir só com o XML</summary>${[
        ...Map.groupBy(duvidas, motivoDe),
      ].map(([motivo, seus]) => html`<p class="suave">${motivo}</p>${list(seus, motivo)}`)}</details>`
    }`,
  )
}

/** What is said at each place of it; empty where that differs. */
function motivoDe({ ocorrencias: places }: Achado): string {
  const [first, ...others] = new Set(places.map(({ mensagem }) => mensagem))
  return others.length > 0 ? '' : (first ?? '')
}

/** One line where the reason stands above. */
function achado(
  { codigo, titulo, ocorrencias: places, omitidas }: Achado,
  { motivo, catalogo, prefixo }: { motivo: string; catalogo: Catalogo; prefixo: string },
): Html {
  const entry = catalogo.porCodigo.get(codigo)
  const onde = motivo === '' ? '' : [...new Set(places.map((one) => one.onde))].slice(0, 3).join('; ')
  return html`<li><p>${entry ? html`<a href="${url(prefixo + entry.url_blog)}">${codigo}</a>` : codigo} ${titulo}${onde !== '' && html` <span class="suave">${onde}</span>`}</p>${motivo === '' && places.length > 0 && ocorrencias(places)}${
    omitidas > 0 && html`<p class="suave">E em mais ${lugares(omitidas)}.</p>`
  }</li>`
}

const daBase: Readonly<Record<Laudo['regras']['base'], string>> = {
  protocolo: 'o dia do protocolo',
  emissao: 'o dia da emissão',
  hoje: 'hoje',
}

const regrasDoDia = ({ regras: { dia, ambiente, base } }: Laudo): Html =>
  html`<p class="suave">Conferida pelas regras de ${dataBrasileira(dia)} (${daBase[base]}), em ${ambiente === 'producao' ? 'produção' : 'homologação'}.</p>`

/** What does not count against the note, and why. */
const cartaoSemCulpa = (
  suspeitas: readonly Suspeita[],
  { titulo, id, dito, prefixo }: { titulo: string; id: string; dito: string; prefixo: string },
): Html | false =>
  suspeitas.length > 0 &&
  cartao(
    { titulo, id, lado: html`<span class="suave">${dito}</span>` },
    html`${suspeitas.map((um) => html`<h3><a href="${url(prefixo + um.url_blog)}">${um.codigo}: ${um.titulo}</a></h3>${ocorrencias(um.ocorrencias)}`)}`,
  )

/** `xml` is the note as it was sent; `rejeicao` is the one on whose page the form stood. */
export type LaudoNaPagina = {
  laudo: Laudo
  xml: string
  catalogo: Catalogo
  avisos: readonly string[]
  rejeicao: Rejeicao | undefined
}

export function paginaDoLaudo(
  { laudo, xml, catalogo, avisos, rejeicao }: LaudoNaPagina,
  prefixo: string,
): Html {
  const { suspeitas, emendas, corrigido } = laudo
  const exemplo = exemploDoLaudo(laudo, catalogo, rejeicao)
  const nota = corrigido === null ? '' : pack(xml)
  const volta = nota !== '' && nota.length <= MAIOR_CAMPO
  return html`<div class="topo"><div>${trilhaDoLaudo(rejeicao, prefixo)}<h1>${DIAGNOSTICO_DE_NOTA}</h1>${identidade(laudo)}${regrasDoDia(laudo)}</div><p class="acoes sem-papel">${
    volta
      ? html`<button class="botao" form="${FORMULARIO_DO_CORRIGIDO}">Baixar o XML corrigido</button>`
      : semArquivo(laudo)
  }<a class="${volta ? 'discreto' : 'botao'}" href="${url(prefixo + (rejeicao ? `${rejeicao.url_blog}#diagnostico` : DIAGNOSTICO))}">Outro XML</a>${volta && html`<small><a href="#falta">Falta assinar e transmitir</a></small>`}</p></div>
${faixa(laudo)}
<div class="grade ficha"><div class="${exemplo && 'maior'} pilha">
${suspeitas.map((one, at) => cartaoDaSuspeita(one, at, { catalogo, prefixo, aoLado: exemplo?.codigo }))}
${cartaoSemCulpa(laudo.divergencias, { titulo: 'Regra posterior, ou diferença nossa', id: 'divergencias', dito: 'a SEFAZ autorizou a nota assim: não há o que corrigir', prefixo })}
${cartaoDasEmendas(emendas, hasParcelasCertas(laudo, catalogo))}
${corrigido !== null && cartaoDoCorrigido(corrigido, { nota: volta ? nota : '', emendas: emendas.length, prefixo })}
${[...avisos, ...laudo.avisos].length > 0 && cartao({ titulo: 'Avisos', id: 'avisos' }, html`<ul class="pontos">${[...avisos, ...laudo.avisos].map((one) => html`<li>${one}</li>`)}</ul>`)}
${cartaoSemCulpa(laudo.se_transmitida_hoje, { titulo: 'Se fosse transmitida hoje', id: 'hoje', dito: 'regras que começaram depois do dia da nota', prefixo })}
${cartaoDoEsquema(laudo)}
${cartaoDasVerificacoes(laudo, catalogo, prefixo)}
</div>${exemplo && cartaoAoLado(exemplo, { laudo, prefixo, todos: exemplo === rejeicao })}
</div>
<div class="grade">${cartao({ titulo: 'Conferir de novo', id: 'de-novo', classe: 'sem-papel' }, formularioDoXml(prefixo, rejeicao?.codigo))}
</div>`
}

/** Why there is no corrected file where something was found. */
function semArquivo({ corrigido, suspeitas }: Laudo): Html | false {
  const achadas = suspeitas.filter(({ origem }) => origem !== 'informado')
  if (corrigido !== null || achadas.length === 0) return false
  const onde = achadas.find(({ origem }) => origem !== 'assinatura')?.ocorrencias[0]?.onde
  return html`<span class="suave">Sem arquivo corrigido: ${onde ? `o certo só você sabe (${onde})` : 'assine a nota de novo'}.</span>`
}

export const trilhaDoLaudo = (rejeicao: Rejeicao | undefined, prefixo: string): Html =>
  html`<nav aria-label="Onde esta página está" class="suave trilha"><a href="${url(prefixo + INDICE)}">Rejeições</a>${
    rejeicao && html` › <a href="${url(prefixo + rejeicao.url_blog)}">${nomeDaRejeicao(rejeicao)}</a>`
  }</nav>`

/** The rejection whose pair stands beside: that of the form's page, or else the likeliest that has one. */
function exemploDoLaudo(
  { suspeitas }: Laudo,
  { porCodigo }: Catalogo,
  rejeicao: Rejeicao | undefined,
): Rejeicao | undefined {
  const candidates = [rejeicao, ...suspeitas.map(({ codigo }) => porCodigo.get(codigo))]
  return candidates.find((one) => one !== undefined && one.verificacoes_analiticas.length > 0)
}

const identidade = ({ modelo, chave }: Laudo): Html =>
  html`<p class="suave">${modelo === null ? 'Nota de modelo desconhecido' : nomesDosModelos[modelo]}${chave !== null && html`, chave <code class="chave">${emQuatros(chave)}</code>`}</p>`

/** What failed stands first. What was not decided is not said to be good. */
function faixa(laudo: Laudo): Html {
  const { resumo } = laudo
  const { falha, ok, indeterminado } = resumo
  const falhou = falha === 1 ? '1 verificação falhou' : `${falha} verificações falharam`
  const passou = `${ok} ${falha > 0 ? '' : ok === 1 ? 'verificação ' : 'verificações '}${ok === 1 ? 'passou' : 'passaram'}`
  const rest = `${falha > 0 ? `${falhou}, ` : ''}${passou}${indeterminado > 0 ? `; ${indeterminado} não dá para decidir só com o XML` : ''}.`
  const [tom, titulo] = tituloDaFaixa(laudo)
  return html`<div class="faixa-aviso ${tom}"><div><p>${titulo}</p><p>${rest}</p></div></div>`
}

function tituloDaFaixa({
  suspeitas: [first],
  esquema,
  regras,
}: Laudo): readonly [tom: string, titulo: string] {
  if (first?.origem === 'informado') return ['nada', `Nada neste XML confirma a rejeição ${first.codigo}`]
  if (first) return ['ruim', `Rejeição mais provável: ${first.codigo}`]
  if (regras.autorizada) return ['bom', 'Esta nota foi autorizada: nada nela se acusa']
  return esquema.valido
    ? ['bom', 'Não encontramos motivo de rejeição neste XML']
    : ['ruim', 'O XML não segue o esquema oficial']
}

/** The errors of the schema that its suspicion repeats: all of them have a card. */
const DO_ESQUEMA = 3

const daOrigem: Readonly<Record<Suspeita['origem'], string>> = {
  esquema: 'Pelo esquema oficial',
  assinatura: 'Pela assinatura',
  chave: 'Pela chave de acesso',
  verificacao: 'Confirmada pelo XML',
  cadastro: 'Pelo cadastro',
  informado: 'Informada por você',
}

function cartaoDaSuspeita(
  { codigo, titulo, url_blog, origem, ocorrencias: places }: Suspeita,
  at: number,
  { catalogo, prefixo, aoLado }: { catalogo: Catalogo; prefixo: string; aoLado: number | undefined },
): Html {
  const entry = catalogo.porCodigo.get(codigo)
  const steps = entry?.solucao_passos ?? []
  return html`<section class="cartao suspeita" aria-labelledby="suspeita-${at + 1}"><header><h2 id="suspeita-${at + 1}"><span class="numero-ordem">${at + 1}.</span> <a href="${url(prefixo + url_blog)}">${codigo}: ${semQuebra(titulo)}</a></h2><span class="selo ${at === 0 ? 'ruim' : 'lento'}">${daOrigem[origem]}</span></header>${
    places.length > 0
      ? ocorrencias(places, origem === 'esquema' ? DO_ESQUEMA : undefined)
      : html`<p class="suave">Nada no XML aponta o lugar: veja as causas na página do código.</p>`
  }${
    steps.length > 0 &&
    html`<details><summary>Como resolver</summary><ol class="pontos">${steps.map((one) => html`<li>${one}</li>`)}</ol></details>`
  }${(entry?.verificacoes_analiticas.length ?? 0) > 0 && html`<p class="sem-papel"><a href="${url(codigo === aoLado ? '#par' : `${prefixo}${url_blog}#verificacao-1`)}">Ver o errado e o certo da ${codigo}</a></p>`}</section>`
}

/** The field in which a page carries the note that it diagnosed: nothing of it is kept on our side. */
export const CAMPO_DA_NOTA = 'nota'

/** Octets of an XML that is diagnosed, and of the field: a form takes little more. */
const MAIOR_NOTA = 1024 * 1024

const MAIOR_CAMPO = 1024 * 1024

/** A note as a form carries it: a field of plain text would lose its line ends, and be ten times as large. */
const pack = (xml: string): string => gzipSync(xml).toString('base64url')

/** The note that a form carried. Undefined for what no page of ours has written. */
export function notaGuardada(campo: string): string | undefined {
  try {
    return gunzipSync(Buffer.from(campo, 'base64url'), { maxOutputLength: MAIOR_NOTA }).toString('utf8')
  } catch {
    return undefined
  }
}

const FORMULARIO_DO_CORRIGIDO = 'formulario-do-corrigido'

/** `nota`: the note as the form sends it back; empty for one that is too large. */
function cartaoDoCorrigido(
  { mudancas, falta }: Corrigido,
  { nota, emendas, prefixo }: { nota: string; emendas: number; prefixo: string },
): Html {
  const formas = mudancas.slice(emendas)
  return cartao(
    { titulo: 'O XML corrigido', id: 'corrigido' },
    html`${
      nota === ''
        ? html`<p>Este XML é grande demais para voltar por uma página: a API e o programa <code>fiscal</code> dão o corrigido.</p>`
        : html`<form class="sem-papel" id="${FORMULARIO_DO_CORRIGIDO}" method="post" action="${url(prefixo + CORRIGIDO)}"><input type="hidden" name="${CAMPO_DA_NOTA}" value="${nota}"/></form>`
    }<p class="suave">O arquivo traz as correções acima, vem sem assinatura, e no mais é o que você enviou. Ele não é guardado aqui.</p>${
      formas.length > 0 && html`<ul class="pontos">${formas.map((one) => html`<li>${one}</li>`)}</ul>`
    }<h3 id="falta">O que falta fazer</h3><ol class="pontos">${falta.map((one) => html`<li>${one}</li>`)}</ol><p class="suave">Faça as mesmas correções no programa que emite as notas: sem isso a próxima sai com o mesmo erro.</p>`,
  )
}
