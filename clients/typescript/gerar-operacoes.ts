/** The part of an operation of the document that a client needs when it runs. */
type Descrita = {
  operationId: string
  summary: string
  description: string
  security?: object[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  'x-eventos'?: { $ref: string }
}

type Documento = {
  paths: Record<string, Record<string, Descrita>>
  components: { schemas: Record<string, { properties?: object }> }
}

const CABECALHO = `/* Gerado do OpenAPI por gerar.ts: npm run gerar -w clients/typescript. */\n`

/** Columns of a comment's text, so that the deepest indentation of a generated file fits into 110. */
const COLUNAS = 76

/** A text in lines of at most `COLUNAS` columns. A longer word has a line of its own. */
export const quebrado = (texto: string): string =>
  texto.replace(new RegExp(`(?=.{${COLUNAS + 1}})(.{1,${COLUNAS}}|\\S+) +`, 'g'), '$1\n')

/** The operations of an OpenAPI document, as the table `operacoes` of the client. */
export function operacoesDe(documento: string): string {
  const { paths, components }: Documento = JSON.parse(documento)
  const operacoes = Object.entries(paths).flatMap(([caminho, metodos]) =>
    Object.entries(metodos).map(([metodo, descrita]) => operacaoDe(caminho, metodo, descrita, components)),
  )
  return `${CABECALHO}export const operacoes = {\n${operacoes.join('')}} as const\n`
}

function operacaoDe(
  caminho: string,
  metodo: string,
  descrita: Descrita,
  { schemas }: Documento['components'],
): string {
  const { operationId: id, summary, description, security, parameters = [], requestBody } = descrita
  const eventos = descrita['x-eventos']?.$ref.split('/').at(-1)
  const partes = Object.keys(schemas[eventos ?? '']?.properties ?? {})
  const aceita = (nome: string) => parameters.some((um) => um.in === 'header' && um.name === nome)
  const operacao = {
    id,
    nome: summary,
    verbo: metodo.toUpperCase(),
    caminho,
    ...(security?.length === 0 && { publica: true }),
    ...xmlEm(requestBody, schemas, parameters),
    ...(aceita('Idempotency-Key') && { idempotente: true }),
    ...(eventos && { eventos }),
    // A stream with an end has the whole answer as its last event; the part is its first.
    ...(partes.includes('resultado') && { parte: partes[0] }),
  }
  const custo = /\*\*Custo\.\*\*[^\n]*/.exec(description)?.[0] ?? 'Não custa créditos.'
  const doc = quebrado(`${summary}. ${custo}`).replaceAll('\n', '\n   * ')
  return `  /**\n   * ${doc}\n   */\n  ${nomeDe(caminho, id)}: ${JSON.stringify(operacao)},\n`
}

/** The field of a JSON body that may be an XML as it is: the one that is no option in the query. */
function xmlEm(
  requestBody: Descrita['requestBody'],
  schemas: Documento['components']['schemas'],
  parameters: readonly { name: string }[],
): { xml?: string } {
  if (!requestBody?.content['application/xml']) return {}
  const corpo = requestBody.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
  const campo = Object.keys(schemas[corpo]?.properties ?? {}).find(
    (nome) => !parameters.some(({ name }) => name === nome),
  )
  return campo === undefined ? {} : { xml: campo }
}

/** The name of a method: the operation's in camelCase; those of the SEFAZ say so. */
const nomeDe = (caminho: string, id: string): string =>
  `${/\/(?:sefaz|auth)\//.exec(caminho)?.[0].slice(1, -1) ?? ''}-${id}`
    .replace(/^-/, '')
    .replace(/-(\w)/g, (_, letra: string) => letra.toUpperCase())

/** What an HTTP error, and a code of `source_status`, is called. */
export type Codigos = {
  api: Record<string, { title: string; status: number }>
  fonte: Record<string, { title: string }>
}

/** A class for each code, and the tables by which an answer finds its class. */
export function errosDe({ api, fonte }: Codigos): string {
  const daApi = Object.entries(api).map(([codigo, { title, status }]) => ({
    codigo,
    nome: classe(codigo),
    base: 'ErroDaApi',
    doc: `${title} (HTTP ${status}).`,
  }))
  const daFonte = Object.entries(fonte).map(([codigo, { title }]) => ({
    codigo,
    nome: `${classe(codigo)}${codigo in api ? 'NaFonte' : ''}`,
    base: 'ErroDaFonte',
    doc: `${title} (em source_status).`,
  }))
  const classes = [...daApi, ...daFonte].map(
    ({ codigo, nome, base, doc }) =>
      `/** ${doc} */\nexport class ${nome} extends ${base} {\n  override name = '${nome}'\n  declare readonly codigo: '${codigo}'\n}\n`,
  )
  const tabela = (nome: string, linhas: typeof daApi) =>
    `export const ${nome} = {\n${linhas.map(({ codigo, nome }) => `  ${codigo}: ${nome},\n`).join('')}} as const\n`
  return [
    `${CABECALHO}import { ErroDaApi, ErroDaFonte } from '../cliente/erros.ts'\n`,
    ...classes,
    tabela('classesDaApi', daApi),
    tabela('classesDaFonte', daFonte),
  ].join('\n')
}

/** LIMITE_ATINGIDO: LimiteAtingido. */
const classe = (codigo: string): string =>
  codigo.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letra: string) => letra.toUpperCase())
