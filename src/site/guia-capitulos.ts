import { readFileSync } from 'node:fs'
import { lookups } from '../painel/chamadas.ts'

export type Capitulo = {
  slug: string
  titulo: string
  /** Its first paragraph, without marks. */
  descricao: string
  /** Its Markdown, with the address of a service on this machine in the examples. */
  texto: string
  parte: string
  caminho: string
}

/** The parts of the guide with their chapters, each a file of `docs/guia`, in the order of reading. */
const partes: Readonly<Record<string, readonly string[]>> = {
  'Primeiros passos': ['comece-aqui', 'autenticacao', 'creditos', 'erros', 'limites'],
  Consultas: [
    'consultas-e-precos',
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
  'Na prática': ['simulador', 'certificado', 'producao'],
  Ferramentas: ['cliente-typescript', 'mcp', 'painel', 'mudancas'],
  'Para quem opera': ['operacao', 'operar-producao', 'operar-fontes', 'operar-dois-nos', 'operar-falhas'],
}

const comOutroNome: Readonly<Record<string, string>> = {
  consultar: 'consultar-ie',
  'base-cnpj': 'consultar-cnpj',
  status: 'sefaz-status',
  historico: 'sefaz-status',
  'ambiente-nacional': 'sefaz-status',
  rejeicao: 'rejeicoes',
  'rejeicoes-publicas': 'rejeicoes',
  registrar: 'autenticacao',
  login: 'autenticacao',
  sair: 'autenticacao',
}

/** The page of the chapter that explains a lookup, by the lookup's id in the OpenAPI document. */
export const capituloDaConsulta = (id: string): string => pathOf(slugDaConsulta(id))

const slugDaConsulta = (id: string): string => comOutroNome[id] ?? id

const NOS_ARQUIVOS = 'http://127.0.0.1:8080'

const PASTA = new URL('../../docs/guia/', import.meta.url)

let lidos: readonly Capitulo[] | undefined

export function readCapitulos(): readonly Capitulo[] {
  lidos ??= Object.entries(partes).flatMap(([parte, slugs]) => slugs.map((slug) => readCapitulo(slug, parte)))
  return lidos
}

function readCapitulo(slug: string, parte: string): Capitulo {
  const texto = readFileSync(new URL(`${slug}.md`, PASTA), 'utf8').replace(/^\{(\w+)\}$/gm, (_, nome) =>
    tabelaDe(nome === 'livres'),
  )
  const [, titulo, primeiro] = /^# ([^\n]+)\n\n(.+?)\n\n/s.exec(texto) ?? []
  if (titulo === undefined || primeiro === undefined) throw new Error(`${slug}.md has no title and beginning`)
  return { slug, titulo, descricao: withoutMarks(primeiro), texto, parte, caminho: pathOf(slug) }
}

/** The lookups that are free, or all others, as their declarations have them. */
function tabelaDe(isFree: boolean): string {
  const linhas = lookups
    .filter(({ declared: { price } }) => (price === 'free') === isFree)
    .map(({ declared: { url, words } }) => {
      const { nome, id = url.split('/').at(-1) ?? '', custo } = words
      const caminho = url.replaceAll(/:(\w+)/g, '{$1}')
      const consulta = `[${nome}](${slugDaConsulta(id)}.md)`
      const chamada = `[\`${caminho}\`](/documentacao#${id})`
      return isFree ? `| ${consulta} | ${chamada} |` : `| ${consulta} ${chamada} | ${custo} |`
    })
  return [isFree ? '| Consulta | Chamada |' : '| Consulta | Custo |', '|---|---|', ...linhas].join('\n')
}

const withoutMarks = (texto: string): string =>
  texto
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')

/** The chapter with which the guide begins: its page is the guide's own. */
export const PRIMEIRO = 'comece-aqui'

const pathOf = (slug: string): string => (slug === PRIMEIRO ? '/docs/' : `/docs/${slug}/`)

/** Puts the address of this service in the place of the one that the files have. */
export const withAddress = (texto: string, base: string): string => texto.replaceAll(NOS_ARQUIVOS, base)

/** The Markdown of a chapter for whoever reads it alone: its links are whole addresses. */
export const textoAvulso = ({ texto }: Capitulo, base: string): string =>
  withAddress(texto, base)
    .replace(/\]\(([\w-]+\.md)/g, `](${base}/docs/$1`)
    .replace(/\]\(\//g, `](${base}/`)
