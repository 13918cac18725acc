import MiniSearch from 'minisearch'
import { type Html, html, url } from '../platform/pages/html.ts'
import { findByWord, type PalavraDita } from '../platform/pages/por-palavra.ts'
import { fold } from '../platform/texto.ts'
import type { Catalogo } from './catalogo.ts'
import { type Categoria, categorias, type Rejeicao } from './rules.ts'
import { emGrupos, type Grupo, sinonimos } from './textos.ts'

export const MAIOR_BUSCA = 100
export const PALAVRAS = 8
/** A word that is longer is not looked for with errors in it. */
export const MAIOR_PALAVRA = 20

/** The index is filled so many entries at a time: a request in between does not wait for it. */
const DE_UMA_VEZ = 50

const indices = new WeakMap<Catalogo, Promise<MiniSearch<Rejeicao>>>()

export const readBusca = (q: unknown): string =>
  typeof q === 'string' ? q.toWellFormed().replace(/\s+/g, ' ').trim().slice(0, MAIOR_BUSCA) : ''

/**
 * The best first: a code, then words, begun or slightly misspelt. Where no entry has all words, those with
 * some.
 */
export async function searchCatalogo(catalogo: Catalogo, q: string): Promise<readonly Rejeicao[]> {
  const words = palavrasDe(q)
  if (words.length === 0) return []
  const codes = porCodigo(
    catalogo,
    words.map(({ dita }) => dita),
  )
  const indice = await indiceDe(catalogo)
  const { todas, algumas } = await findByWord(indice, words, isInicio)
  const found = todas.length > 0 || codes.length > 0 ? todas : algumas
  const entries = found.flatMap((id) => catalogo.porCodigo.get(id) ?? [])
  return [...new Set([...codes, ...entries])]
}

/** Two letters begin very many words: they are the beginning of one only while it is typed. */
const isInicio = (word: string, isLast: boolean): boolean => word.length > 2 || (isLast && word.length === 2)

const palavrasDe = (q: string): PalavraDita[] =>
  emGrupos(foldText(q).match(/[\p{L}\p{N}]+/gu) ?? [], sinonimos())
    .slice(0, PALAVRAS)
    .map(palavraDe)

const palavraDe = ({ dito, vale, isOpcional }: Grupo): PalavraDita => ({
  dita: dito,
  isOpcional,
  iguais: vale.filter((palavra) => palavra !== dito),
})

/** A word that is a number is a code, or the beginning of one. */
function porCodigo({ rejeicoes, porCodigo }: Catalogo, words: readonly string[]): Rejeicao[] {
  const [number, ...others] = words.filter((word) => /^\d{1,4}$/.test(word))
  if (number === undefined || others.length > 0) return []
  const exact = porCodigo.get(Number(number))
  if (words.length > 1) return exact ? [exact] : []
  const begun = rejeicoes.filter(({ codigo }) => String(codigo).startsWith(number))
  return exact ? [exact, ...begun] : begun
}

const foldText = (text: string): string => fold(text).toLowerCase()

function indiceDe(catalogo: Catalogo): Promise<MiniSearch<Rejeicao>> {
  const known = indices.get(catalogo)
  if (known) return known
  const indice = new MiniSearch<Rejeicao>({
    idField: 'codigo',
    fields: ['numero', 'titulo', 'motivo', 'campos', 'categoria', 'causas'],
    extractField: campoDe,
    processTerm: foldText,
    searchOptions: {
      boost: { numero: 8, titulo: 5, motivo: 2, campos: 2, categoria: 2 },
      fuzzy: (term) => (term.length < 4 || term.length > MAIOR_PALAVRA || /\d/.test(term) ? false : 0.2),
      maxFuzzy: 2,
      weights: { prefix: 0.6, fuzzy: 0.3 },
      boostDocument: (codigo) => pesoDe(catalogo.porCodigo.get(Number(codigo))),
    },
  })
  const made = indice.addAllAsync(catalogo.rejeicoes, { chunkSize: DE_UMA_VEZ }).then(() => indice)
  indices.set(catalogo, made)
  return made
}

/** What is out of use, or not yet in use, stands behind what people meet. */
const pesoDe = (rejeicao: Rejeicao | undefined): number =>
  rejeicao?.tipo === 'rejeicao-historica' ||
  rejeicao?.causas.some((causa) => /implementação futura|regra é futura/.test(causa))
    ? 0.6
    : 1

function campoDe(rejeicao: Rejeicao, campo: string): string {
  if (campo === 'codigo' || campo === 'numero') return String(rejeicao.codigo)
  if (campo === 'titulo' || campo === 'motivo') return rejeicao[campo]
  if (campo === 'categoria') return rejeicao.categoria ?? ''
  return campo === 'campos' ? rejeicao.campos.join(' ') : rejeicao.causas.join(' ')
}

/** Where the pages of the catalogue are, without the prefix of a proxy. */
export const INDICE = '/blog/rejeicoes/'

export const DIAGNOSTICO = `${INDICE}diagnostico/`
const DIAGNOSTICAR = `${INDICE}diagnosticar`

export const CORRIGIDO = `${INDICE}corrigido`

/** A heading of the catalogue: a category, or what has none. */
export type Assunto = { nome: string; slug: string; categoria: Categoria | null }

const OUTROS: Categoria = 'Outros'

/** The headings by their names; the others, and what has no category, are the last. */
export const assuntos: readonly Assunto[] = [
  ...categorias
    .toSorted((a, b) => Number(a === OUTROS) - Number(b === OUTROS) || a.localeCompare(b, 'pt'))
    .map((categoria) => ({ nome: categoria, slug: slugOf(categoria), categoria })),
  { nome: 'Sem categoria', slug: 'sem-categoria', categoria: null },
]

export const assuntoDe = (categoria: Categoria | null): Assunto => {
  const found = assuntos.find((one) => one.categoria === categoria)
  if (found === undefined) throw new Error(`no such category: ${categoria}`)
  return found
}

export const enderecoDoAssunto = ({ slug }: Assunto, pagina = 1): string =>
  `${INDICE}categoria/${slug}/${parametro(pagina)}`

export const enderecoDaLista = (pagina: number): string => INDICE + parametro(pagina)

const parametro = (pagina: number): string => (pagina === 1 ? '' : `?pagina=${pagina}`)

function slugOf(text: string): string {
  return fold(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}

export const CAMPOS = {
  xml: 'xml',
  arquivo: 'arquivo',
  informado: 'informado',
  pagina: 'pagina',
  exemplo: 'exemplo',
} as const

export const MAIOR_INFORMADO = 500

const textoDoXml = html`<summary>ou cole o texto do XML</summary><label class="so-leitor" for="xml">Texto do XML</label><textarea id="xml" name="${CAMPOS.xml}" rows="6" spellcheck="false" autocomplete="off" placeholder="&lt;NFe xmlns=…"></textarea>`

/** The page of a rejection sends its code, and the answer shows its pair. `colado`: its text was refused. */
export const formularioDoXml = (prefixo: string, codigo?: number, colado = false): Html =>
  html`<form class="diagnostico" method="post" action="${url(prefixo + DIAGNOSTICAR)}" enctype="multipart/form-data">
<div class="solta"><label for="arquivo">Arquivo XML da nota<span class="com-mouse">: escolha ou solte aqui</span></label><input id="arquivo" name="${CAMPOS.arquivo}" type="file" accept=".xml,text/xml,application/xml"/><p class="suave" id="solto" role="status"></p></div>
${colado ? html`<details open="">${textoDoXml}</details>` : html`<details>${textoDoXml}</details>`}
${
  codigo === undefined
    ? html`<div><label for="informado">O que a SEFAZ respondeu (opcional)</label><input id="informado" name="${CAMPOS.informado}" maxlength="${MAIOR_INFORMADO}" autocomplete="off" placeholder="610, ou o texto da rejeição"/></div>`
    : html`<label class="marca-de"><input type="checkbox" name="${CAMPOS.informado}" value="${codigo}" checked=""/> A SEFAZ respondeu ${codigo} a esta nota</label><input type="hidden" name="${CAMPOS.pagina}" value="${codigo}"/>`
}
<p class="acoes"><button class="botao">Diagnosticar</button>${codigo === undefined && html`<button class="ligacao" name="${CAMPOS.exemplo}" value="610">Usar uma nota de exemplo (610)</button>`}</p>
<p class="suave">NF-e ou NFC-e, até 1 MB. Não custa crédito. O XML não é guardado nem registrado; a resposta sai na hora.</p>
</form>`
