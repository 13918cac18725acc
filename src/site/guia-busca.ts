import MiniSearch from 'minisearch'
import { type Html, html, url } from '../platform/pages/html.ts'
import { procurarPorPalavra } from '../platform/pages/por-palavra.ts'
import { fold } from '../platform/texto.ts'
import { MAIOR_PALAVRA, PALAVRAS } from '../rejeicoes/page-busca.ts'
import type { Capitulo } from './guia-capitulos.ts'
import { type Bloco, palavras, textoDe } from './guia-marcado.ts'

/** A part of a chapter under one heading. */
type Secao = {
  id: number
  capitulo: Capitulo
  titulo: string
  caminho: string
  texto: string
  /** The text without accents and capitals. */
  dobrado: string
}

/** A search with what it found. */
type Feita = { q: string; achadas: readonly Secao[] }

/** Finds sections, the best first. */
export type Procurar = (q: string) => Promise<readonly Secao[]>

/** The most sections that are shown. */
const MAIS_ACHADAS = 20
/** How much of a section's text is shown, in characters. */
const TRECHO = 180

/** The index is filled so many sections at a time: a request in between does not wait for it. */
const DE_UMA_VEZ = 20

/** Makes the index of all sections. It reads some 100 kB of text. */
export async function abrirBusca(
  lidos: readonly (readonly [Capitulo, readonly Bloco[]])[],
): Promise<Procurar> {
  const secoes = lidos.flatMap(([capitulo, blocos]) => secoesDe(capitulo, blocos))
  const indexadas = secoes.map((secao, id) => ({
    ...secao,
    id,
    pagina: secao.capitulo.titulo,
    dobrado: dobrar(secao.texto),
  }))
  const indice = new MiniSearch<(typeof indexadas)[number]>({
    fields: ['titulo', 'pagina', 'texto'],
    processTerm: dobrar,
    searchOptions: {
      boost: { titulo: 4, pagina: 3 },
      fuzzy: (term) => (term.length < 5 || term.length > MAIOR_PALAVRA ? false : 0.2),
      maxFuzzy: 2,
    },
  })
  await indice.addAllAsync(indexadas, { chunkSize: DE_UMA_VEZ })
  return async (q) => {
    const palavras = (dobrar(q).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, PALAVRAS)
    const { todas, algumas } = await procurarPorPalavra(
      indice,
      palavras.map((dita) => ({ dita })),
      (palavra) => palavra.length > 2,
    )
    const achadas = todas.length > 0 ? todas : algumas
    return achadas.slice(0, MAIS_ACHADAS).flatMap((id) => indexadas[id] ?? [])
  }
}

const dobrar = (texto: string): string => fold(texto).toLowerCase()

function secoesDe(capitulo: Capitulo, blocos: readonly Bloco[]): Omit<Secao, 'id' | 'dobrado'>[] {
  const secoes = [{ capitulo, titulo: capitulo.titulo, caminho: capitulo.caminho, texto: '' }]
  for (const bloco of blocos) {
    if (bloco.tipo === 'titulo')
      secoes.push({
        capitulo,
        titulo: palavras(bloco.frases),
        caminho: `${capitulo.caminho}#${bloco.id}`,
        texto: '',
      })
    else {
      const secao = secoes.at(-1)
      if (secao) secao.texto += `${textoDe(bloco)} `
    }
  }
  return secoes
}

/** Draws what a search found, beside the list of the chapters. */
export const paginaDaBusca = (feita: Feita, indice: Html, prefixo: string): Html => html`<div class="guia">
${indice}
<article><h1>Procurar no guia</h1>
${resultado(feita, prefixo)}
</article>
</div>`

function resultado({ q, achadas }: Feita, prefixo: string): Html {
  if (q === '') return html`<p>Escreva no campo o que procura: um código de erro, um campo, uma consulta.</p>`
  if (achadas.length === 0) return html`<p class="vazio">Nada no guia fala de “${q}”.</p>`
  const [primeira = ''] = dobrar(q).split(' ')
  return html`<p class="suave">Trechos do guia que falam de “${q}”.</p>
<ul class="achados-do-guia">${achadas.map(
    ({ capitulo, titulo, caminho, ...secao }) => html`<li><a href="${url(prefixo + caminho)}">${titulo}</a>${
      titulo !== capitulo.titulo && html` <span class="suave">${capitulo.titulo}</span>`
    }<p class="suave">${trecho(secao, primeira)}</p></li>
`,
  )}</ul>`
}

/** The text round a word, or its beginning, in whole words. */
function trecho({ texto, dobrado }: Pick<Secao, 'texto' | 'dobrado'>, palavra: string): string {
  const at = Math.max(0, dobrado.indexOf(palavra) - TRECHO / 3)
  const inicio = at === 0 ? 0 : texto.indexOf(' ', at) + 1
  const fim = texto.indexOf(' ', inicio + TRECHO)
  const dentro = texto.slice(inicio, fim < 0 ? texto.length : fim).trim()
  return `${inicio > 0 ? '… ' : ''}${dentro}${fim < 0 || fim >= texto.length - 1 ? '' : ' …'}`
}
