import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Bloco } from './guia-marcado.ts'

/** A chapter of the guide. */
export type Capitulo = {
  slug: string
  titulo: string
  /** Its first paragraph, without marks. */
  descricao: string
  /** Its Markdown, with the address of a service on this machine in the examples. */
  texto: string
  /** The name of the part that it belongs to. */
  parte: string
  /** Its page, such as `/docs/creditos/`. */
  caminho: string
}

/** The parts of the guide with their chapters, each a file of `docs/guia`, in the order of reading. */
const partes: Readonly<Record<string, readonly string[]>> = {
  'Primeiros passos': ['comece-aqui', 'autenticacao', 'creditos', 'erros', 'limites'],
  Consultas: [
    'consultar-ie',
    'consultar-ie-todos',
    'consultar-cnd',
    'consultar-cnd-todos',
    'consultar-cnd-federal',
    'consultar-cnpj',
    'consultar-cnir',
    'consultar-sigef',
    'perfil-produtor',
    'consultar-nfe-xml',
    'sefaz-status',
    'rejeicoes',
    'diagnosticar',
    'conta',
    'fontes',
  ],
  'Na prática': ['simulador', 'certificado', 'producao', 'operacao'],
  Ferramentas: ['cliente-typescript', 'mcp', 'painel', 'mudancas'],
}

/** The chapters of lookups that have no chapter of their own name. */
const comOutroNome: Readonly<Record<string, string>> = {
  consultar: 'consultar-ie',
  'base-cnpj': 'consultar-cnpj',
  status: 'sefaz-status',
  historico: 'sefaz-status',
  'ambiente-nacional': 'sefaz-status',
  rejeicao: 'rejeicoes',
}

/** The page of the chapter that explains a lookup, by the lookup's id in the OpenAPI document. */
export const capituloDaConsulta = (id: string): string => enderecoDe(comOutroNome[id] ?? id)

/** The address that the files have in their examples. */
const NOS_ARQUIVOS = 'http://127.0.0.1:8080'

const PASTA = new URL('../../docs/guia/', import.meta.url)

let lidos: readonly Capitulo[] | undefined

/** The chapters, read from their files once. */
export function lerCapitulos(): readonly Capitulo[] {
  lidos ??= Object.entries(partes).flatMap(([parte, slugs]) => slugs.map((slug) => lerCapitulo(slug, parte)))
  return lidos
}

function lerCapitulo(slug: string, parte: string): Capitulo {
  const texto = readFileSync(new URL(`${slug}.md`, PASTA), 'utf8')
  const [, titulo, primeiro] = /^# ([^\n]+)\n\n(.+?)\n\n/s.exec(texto) ?? []
  if (titulo === undefined || primeiro === undefined) throw new Error(`${slug}.md has no title and beginning`)
  return { slug, titulo, descricao: semMarcas(primeiro), texto, parte, caminho: enderecoDe(slug) }
}

const semMarcas = (texto: string): string =>
  texto
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')

/** The chapter with which the guide begins: its page is the guide's own. */
export const PRIMEIRO = 'comece-aqui'

const enderecoDe = (slug: string): string => (slug === PRIMEIRO ? '/docs/' : `/docs/${slug}/`)

/** The address of what a file of the guide links to: a chapter's file, a page of the service, or the web. */
export function destinoDe(para: string): string {
  const [, slug, secao = ''] = /^([\w-]+)\.md(#.*)?$/.exec(para) ?? []
  return slug === undefined ? para : enderecoDe(slug) + secao
}

/** Puts the address of this service in the place of the one that the files have. */
const comEndereco = (texto: string, base: string): string => texto.replaceAll(NOS_ARQUIVOS, base)

/** The Markdown of a chapter for whoever reads it alone: its links are whole addresses. */
export const textoAvulso = ({ texto }: Capitulo, base: string): string =>
  comEndereco(texto, base)
    .replace(/\]\(([\w-]+\.md)/g, `](${base}/docs/$1`)
    .replace(/\]\(\//g, `](${base}/`)

/** What the reading program takes: the chapters as Markdown, in their order. */
export type PedidoDeLeitura = { textos: readonly string[] }

/** Each chapter with its blocks. */
export type GuiaLido = ReadonlyMap<Capitulo, readonly Bloco[]>

const PROGRAMA = fileURLToPath(new URL('./guia-worker.ts', import.meta.url))
const PRAZO_MS = 60_000
/**
 * Below the service, which may have one core: whoever asks for something else does not wait for the
 * guide.
 */
const PRIORIDADE = 10

/**
 * Reads all chapters, with this address of the service in them, in a process of its own without our
 * settings, because the highlighter takes 50 MB and a thread would leave them behind. `signal` ends it.
 */
export async function lerGuia(base: string, signal?: AbortSignal): Promise<GuiaLido> {
  const capitulos = lerCapitulos()
  const pedido: PedidoDeLeitura = { textos: capitulos.map(({ texto }) => comEndereco(texto, base)) }
  const leitor = spawn(process.execPath, [PROGRAMA], { env: {}, timeout: PRAZO_MS, signal })
  if (leitor.pid !== undefined) setPriority(leitor.pid, PRIORIDADE)
  // A program that ends before it has read all tells why by itself.
  leitor.stdin.on('error', () => undefined)
  const [lidos, queixa, [codigo]] = await Promise.all([
    text(leitor.stdout),
    text(leitor.stderr),
    once(leitor, 'close'),
    leitor.stdin.end(JSON.stringify(pedido)),
  ])
  if (codigo !== 0) throw new Error(`the guide could not be read: ${queixa}`)
  // The program is ours, and each block of its answer is one that `marcado.ts` makes.
  const blocos: readonly (readonly Bloco[])[] = JSON.parse(lidos)
  return new Map(capitulos.map((capitulo, at) => [capitulo, blocos[at] ?? []]))
}
