import { type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import type { Catalogo } from './ler.ts'
import { nomeDoEsquema } from './nome-do-esquema.ts'
import { rotuloDe } from './rotulos.ts'
import type { Achado, CampoLido, Emenda, Laudo, Ocorrencia } from './rules-laudo.ts'

/** A value of the note is cut here: a page is no place for a photograph in base64. */
const MAIOR_VALOR = 200

/** Places of the note, each with its fields and what is wrong there. */
export const ocorrencias = (places: readonly Ocorrencia[], most = places.length): Html =>
  html`<ul class="ocorrencias">${places
    .slice(0, most)
    .map(
      ({ onde, campos, mensagem }) =>
        html`<li><p>${onde !== '' && html`<b>${onde}</b>: `}${mensagem}</p>${campos.length > 0 && lidos(campos)}</li>`,
    )}</ul>${places.length > most && html`<p class="suave">E em mais ${lugares(places.length - most)}, abaixo.</p>`}`

const lugares = (count: number): string => (count === 1 ? '1 lugar' : `${count} lugares`)

const lidos = (campos: readonly CampoLido[]): Html =>
  html`<dl class="lidos">${campos.map(({ caminho, valor }) => html`<div><dt>${rotuloDe(caminho)} <code>${caminho}</code></dt><dd>${valorLido(valor)}</dd></div>`)}</dl>`

function valorLido(valor: string | null): Html {
  if (valor === null) return html`<span class="suave">não informado</span>`
  if (valor === '') return html`<span class="suave">vazio</span>`
  return html`<code>${cortado(valor)}</code>`
}

/** The certain mends, from what stands there to what has to. */
export const cartaoDasEmendas = (emendas: readonly Emenda[]): Html | false =>
  emendas.length > 0 &&
  cartao(
    {
      titulo: 'O que corrigir',
      id: 'emendas',
      lado: html`<span class="suave">correções certas, a aplicar antes de assinar</span>`,
    },
    html`<ul class="emendas">${emendas.map(
      (one) =>
        html`<li><p>${rotuloDe(one.caminho)} <code>${one.caminho}</code> <span class="suave">rejeição ${one.codigo}</span></p><p>${mudanca(one)}</p><p class="suave">${one.motivo}</p></li>`,
    )}</ul>`,
  )

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

/** All errors against the official schema, and what is known of the signature. */
export function cartaoDoEsquema({ esquema, assinatura }: Laudo): Html {
  const { valido, erros, omitidos } = esquema
  const [tom, nome] = daAssinatura[assinatura.situacao]
  return cartao(
    {
      titulo: 'Esquema e assinatura',
      id: 'esquema',
      lado: html`<span class="suave">Esquema ${nomeDoEsquema(esquema)}</span>`,
    },
    html`<p><span class="selo ${valido ? 'bom' : 'ruim'}">${valido ? 'Segue o esquema' : 'Fora do esquema'}</span> <span class="selo ${tom}">${nome}</span></p>${
      erros.length > 0 &&
      html`<ul class="ocorrencias">${erros.map(
        ({ onde, caminho, valor, mensagem }) =>
          html`<li><p><b>${onde}</b>: ${mensagem}</p>${lidos([{ caminho, valor }])}</li>`,
      )}</ul>`
    }${omitidos > 0 && html`<p class="suave">E mais ${omitidos} erros de esquema.</p>`}<p class="suave">${assinatura.mensagem}</p>`,
  )
}

/**
 * The checks by their result: those that failed and those that could not be decided, one by one. The places
 * of a code that is a suspicion stand there.
 */
export function cartaoDasVerificacoes(
  { verificacoes, resumo, suspeitas }: Laudo,
  catalogo: Catalogo,
  prefixo: string,
): Html {
  const ditas = new Set(suspeitas.map(({ codigo }) => codigo))
  const of = (result: Achado['resultado']): Achado[] =>
    verificacoes.filter(({ resultado }) => resultado === result)
  const list = (titulo: string, found: readonly Achado[]): Html | false =>
    found.length > 0 &&
    html`<h3>${titulo}</h3><ul class="achados">${found.map((one) => achado(ditas.has(one.codigo) ? { ...one, ocorrencias: [], omitidas: 0 } : one, catalogo, prefixo))}</ul>`
  return cartao(
    { titulo: 'Verificações', id: 'verificacoes' },
    html`<p>${resumo.falha} ${resumo.falha === 1 ? 'falhou' : 'falharam'}, ${resumo.ok} ${resumo.ok === 1 ? 'passou' : 'passaram'}, ${resumo.indeterminado} sem decisão, ${resumo.nao_aplicavel} não se ${resumo.nao_aplicavel === 1 ? 'aplica' : 'aplicam'} a esta nota.</p>${list(
      'Falharam',
      of('falha'),
    )}${list('Sem decisão: o XML não basta', of('indeterminado'))}`,
  )
}

function achado(
  { codigo, titulo, ocorrencias: places, omitidas }: Achado,
  catalogo: Catalogo,
  prefixo: string,
): Html {
  const entry = catalogo.porCodigo.get(codigo)
  return html`<li><p>${entry ? html`<a href="${url(prefixo + entry.url_blog)}">${codigo}</a>` : codigo} ${titulo}</p>${places.length > 0 && ocorrencias(places)}${
    omitidas > 0 && html`<p class="suave">E em mais ${lugares(omitidas)}.</p>`
  }</li>`
}
