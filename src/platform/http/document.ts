import { readFile } from 'node:fs/promises'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import type { TObject } from 'typebox'
import { ambitos, ufs } from '../../documento/uf.ts'
import type { Platform } from '../platform.ts'
import { readExemplos } from '../simulator.ts'
import { XML_TYPES } from './bodies.ts'
import { rangeOf, WHOLE } from './parameters.ts'
import { serveStatic } from './ready.ts'
import { ONLY_WORDS, WHEN_NULL } from './schemas.ts'
import { partsOf } from './validator.ts'

type Members = Readonly<Record<string, unknown>>

type Named = { schemas: Map<string, string>; headers: Map<string, string> }

/** These hold data, which may have a member `title` of its own. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/** Moves what has a `title` to `components`. Throws if two different schemas have one name. */
function nameSchemas<D extends { paths?: object; components?: object }>(document: D): D {
  const named: Named = { schemas: new Map(), headers: new Map() }
  const paths = lift(document.paths, named)
  const components = {
    ...document.components,
    schemas: membersOf(named.schemas),
    headers: membersOf(named.headers),
  }
  return { ...document, paths, components }
}

const membersOf = (texts: ReadonlyMap<string, string>): Members =>
  Object.fromEntries(
    [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, json]) => [name, JSON.parse(json)]),
  )

function lift(value: unknown, named: Named): unknown {
  if (Array.isArray(value)) return value.map((each) => lift(each, named))
  if (typeof value !== 'object' || value === null) return value
  const { title, [WHEN_NULL]: when, [ONLY_WORDS]: words, nullable: _, ...schema }: Members = { ...value }
  if (typeof title !== 'string') return liftMembers({ ...value }, named)
  // The library writes `nullable` so in OpenAPI 3.1.
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  const json = JSON.stringify(liftMembers({ ...schema, type }, named))
  if ((named.schemas.get(title) ?? json) !== json) throw new Error(`two schemas have the name ${title}`)
  named.schemas.set(title, json)
  const reference = { $ref: `#/components/schemas/${title}` }
  if (words !== undefined) return { allOf: [reference, onlyWords(words)], description: schema.description }
  return when === undefined ? reference : { anyOf: [reference, { type: 'null' }], description: when }
}

const onlyWords = (words: unknown): Members => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(Object(words)).map(([name, list]) => [name, { type: 'string', enum: list }]),
  ),
})

/** The validator takes a UF in either case, and a category that is none, which has no entries. */
const closedFormats = new Map<unknown, readonly string[]>([
  ['uf', ufs],
  ['ambito', ambitos],
])

export const nameWords = (format: string, words: readonly string[]): void =>
  void closedFormats.set(format, words)

const liftMembers = (members: Members, named: Named): Members =>
  Object.fromEntries(
    Object.entries({ ...typeOfWords(members), ...members }).map(([key, value]) => {
      if (DATA.has(key)) return [key, value]
      const words = key === 'format' ? closedFormats.get(value) : undefined
      // The page of the reference would send the first word of an `enum` that nobody chose.
      if (words && value === 'categoria') return ['oneOf', words.map((word) => ({ const: word }))]
      if (words) return ['enum', words]
      // The library writes `contentEncoding` as OpenAPI 3.0 did, and not everywhere.
      if (key === 'format' && value === 'byte') return ['contentEncoding', 'base64']
      return [key, key === 'headers' ? liftHeaders(Object(value), named) : lift(value, named)]
    }),
  )

/** Some programs that import a document show a list of words as text only where its type says so. */
const typeOfWords = ({ enum: words }: Members): Members =>
  Array.isArray(words) && words.every((word) => typeof word === 'string') ? { type: 'string' } : {}

const liftHeaders = (described: object, { headers }: Named): Members =>
  Object.fromEntries(
    Object.entries(described).map(([name, header]) => {
      const json = JSON.stringify(header)
      if ((headers.get(name) ?? json) !== json) return [name, header]
      headers.set(name, json)
      return [name, { $ref: `#/components/headers/${name}` }]
    }),
  )

const themes = {
  'Inscrição estadual':
    'Inscrições estaduais (IE) de um CPF ou CNPJ, perguntadas às secretarias da fazenda: em um estado, ou nos 27 de uma vez.',
  Certidões: 'Certidões de débitos (CND), emitidas na página de cada órgão, com o PDF quando há.',
  CNPJ: 'Cadastro de empresas da Receita Federal.',
  'Imóveis rurais':
    'Imóveis e parcelas de um CPF ou CNPJ: no cadastro da Receita Federal (CNIR/CAFIR) e no SIGEF do INCRA.',
  'Produtor rural': 'O que várias fontes dizem de um produtor, em uma resposta.',
  'NF-e': 'O XML das notas fiscais eletrônicas, pedido à SEFAZ com o certificado do cliente.',
  SEFAZ:
    'Se as SEFAZ autorizam notas agora, como responderam nos últimos 90 dias, e o que fazer quando caem. Não custa créditos.',
  Rejeições:
    'O que quer dizer cada rejeição da NF-e e da NFC-e, como resolver, e o diagnóstico da sua própria nota.',
  Conta:
    'Plano, limites, créditos e uso da conta que pergunta; cadastro, login e o fim dele. Não custam créditos.',
  Serviço: 'De onde vêm as respostas, e como as fontes têm respondido. Não custam créditos.',
} as const

export type Tag = keyof typeof themes

const listTags = (used: ReadonlySet<string>): { name: string; description: string }[] =>
  Object.entries(themes)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))

const introduction = (
  errors: string,
): string => `Consultas fiscais sobre contribuintes brasileiros, cobradas em créditos só pelo que é entregue.

**Chave.** Envie a da sua conta no cabeçalho \`X-API-Key\`, nunca na URL. Um programa que atende pessoas pode mandar, no lugar dela, o token
que \`POST /api/v1/auth/login\` dá, em \`Authorization: Bearer\`.

**Créditos e limites.** Cada resposta diz o que cobrou e o que resta em \`X-Credits-Charged\` e \`X-Credits-Remaining\`, e quantas requisições ainda
cabem no minuto em \`RateLimit\`. O mês inteiro está em \`GET /api/v1/conta\`. Falhas não são cobradas.

**Falhas.** Vêm como \`application/problem+json\` (RFC 9457), com um \`error_code\` estável; o que fazer com cada um está em [/erros](${errors}).
\`retryable\` diz se vale repetir, e o cabeçalho \`Retry-After\`, depois de quantos segundos. Onde houver \`source_status\`, confira-o também com HTTP 200.

**Idade.** O que pode vir de um cache traz \`consultado_em\` e o cabeçalho \`Age\`, em segundos. Onde se aceita \`Cache-Control: no-cache\`, ele
consulta de novo, pelo mesmo preço.

Os exemplos são respostas reais do simulador, sobre documentos fictícios: em produção, ponha os seus no lugar deles.`

type Operated = { warning: string; publicUrl: string | undefined }

async function describeApi(app: FastifyInstance, { warning, publicUrl = '/' }: Operated): Promise<void> {
  await app.register(swagger, {
    // Our paths never have the prefix that a proxy may add to them.
    stripBasePath: false,
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Consulta Fiscal',
        version: '1',
        description: `${warning && `> **${warning}**\n\n`}${introduction(`${publicUrl.replace(/\/$/, '')}/erros`)}`,
        // As in package.json: the program comes without a public licence.
        license: { name: 'Uso reservado: sem licença pública', identifier: 'LicenseRef-UNLICENSED' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          chave: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'A chave da conta, como fk_ e 38 letras e dígitos',
          },
          login: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'O access_token de POST /api/v1/auth/login, que vale 60 minutos. Com X-API-Key também, vale a chave',
          },
        },
      },
    },
  })
}

export function documentOf(app: FastifyInstance): object {
  const document = app.swagger()
  return { ...nameSchemas(document), tags: listTags(tagsIn({ ...document.paths })) }
}

function tagsIn(paths: object): ReadonlySet<string> {
  const operations = Object.values(paths).flatMap((path) => Object.values<{ tags?: string[] }>(path))
  return new Set(operations.flatMap(({ tags = [] }) => tags))
}

type Example = Readonly<Record<string, unknown>>

/** What an endpoint takes, and an example of it. */
type Taken = { url: string; query?: TObject; body?: { schema: TObject; xmlIn?: string }; example: Example }

/** A parameter that the example leaves out has none, so that a reference page does not send it. */
export function describeSent({ url, query, body, example }: Taken): FastifySchema {
  if (body?.xmlIn !== undefined) return describeXml(body.schema, body.xmlIn, example)
  // @fastify/swagger makes `example` of the only one of `examples`.
  if (body) return { body: { ...body.schema, examples: [example] } }
  if (!query) return {}
  const { params, querystring } = partsOf(url, query)
  return {
    querystring: withExamples(querystring, example),
    ...(params && { params: withExamples(params, example) }),
  }
}

function describeXml(body: TObject, xmlIn: string, example: Example): FastifySchema {
  const { [xmlIn]: xml, ...options } = { ...body.properties }
  const type = { schema: { type: 'string', description: Reflect.get(Object(xml), 'description') } }
  const properties = Object.entries(options).map(([name, schema]) => [name, inQuery(schema)])
  return {
    querystring: { type: 'object', properties: Object.fromEntries(properties) },
    body: {
      content: {
        'application/json': { schema: { ...body, examples: [example] } },
        ...Object.fromEntries(XML_TYPES.map((name) => [name, type])),
      },
    },
  }
}

/** A reference page sends each default and the first word of each list: none is told. */
function inQuery(schema: object): object {
  const { description, enum: words, default: standard, ...rest }: Record<string, unknown> = { ...schema }
  const said = `Só com o XML como corpo. ${String(description)}`
  if (!Array.isArray(words)) return { ...rest, description: said }
  return { type: 'string', description: `${said}. true ou false; ${String(standard)} se não vier` }
}

function withExamples(taken: TObject, example: Example): object {
  const properties = Object.entries({ ...taken.properties }).map(([name, schema]) => [
    name,
    { ...asNumber(schema), ...(name in example && { examples: [example[name]] }) },
  ])
  return { ...taken, properties: Object.fromEntries(properties) }
}

function asNumber(schema: object): object {
  if (!(WHOLE in schema)) return schema
  const { [WHOLE]: range, default: standard, ...rest }: Record<string, unknown> = { ...schema }
  const number = standard === undefined ? {} : { default: Number(standard) }
  return { ...rest, type: 'integer', ...rangeOf(range), ...number }
}

type Shown = {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: { examples?: Record<string, { value: Example }> }
}
type Operation = { requestBody?: Content; responses?: Record<string, Content & { description?: string }> }
type Content = { content?: Readonly<Record<string, Media>> }
type Media = { example?: object; examples?: Record<string, { $ref: string }> }

type Examples = Readonly<Record<string, Example>>

/** `known`: members that only the running service knows; an answer that repeats one has its value. */
function addExamples(document: Shown, answers: Examples, known: Examples): void {
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const { requestBody, responses = {} } of Object.values(operations)) {
      const sent = mediaOf(requestBody)
      const answered = mediaOf(responses[200])
      const renewed = sent ? known[path] : undefined
      if (answered && answers[path]) answered.example = renew(answers[path], Object(sent?.example), renewed)
      if (sent) sent.example = { ...sent.example, ...renewed }
      for (const failure of Object.values(responses)) addFailures(failure, answers)
    }
  const failures = Object.entries(answers).filter(([name]) => !name.startsWith('/'))
  const examples = Object.fromEntries(failures.map(([code, value]) => [code, { value }]))
  document.components = { ...document.components, examples }
}

function addFailures({ description = '', content }: Content & { description?: string }, answers: Examples) {
  const media = content?.['application/problem+json']
  const codes = description.split(', ').filter((code) => code in answers)
  if (media)
    media.examples = Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    )
}

const mediaOf = (content: Content | undefined) => content?.content?.['application/json']

function renew(answer: Example, before: Example, after: Example = {}): object {
  let text = JSON.stringify(answer)
  for (const [name, value] of Object.entries(after))
    if (name in before) text = text.replaceAll(JSON.stringify(before[name]), () => JSON.stringify(value))
  return JSON.parse(text)
}

const SIMULADOR =
  'Modo simulador: as respostas são fictícias. Quem responde é um simulador nesta máquina, não os órgãos de verdade.'

/** Gives the document as JSON. `forNow` is called where the simulator gave no examples of its own. */
export type EscritaDoDocumento = (forNow: () => void) => Promise<string>

/** Serves the document, and gives what writes it: a whole one is written once, for all who show it. */
export async function documentation(
  app: FastifyInstance,
  { ambiente, simulador, config: { PUBLIC_URL } }: Platform,
): Promise<EscritaDoDocumento> {
  const warning = ambiente === 'simulador' ? SIMULADOR : ''
  await describeApi(app, { warning, publicUrl: PUBLIC_URL })
  // It changes only with the program, so a client asks whether its copy is still the same.
  const headers = { 'cache-control': 'no-cache' }
  let whole: string | undefined
  const make: EscritaDoDocumento = async (forNow) => {
    if (whole !== undefined) return whole
    const document: Shown = JSON.parse(JSON.stringify(documentOf(app)))
    // The document is there without the simulator, which may be of an older version or starting again.
    const known = await readExemplos(simulador).catch(() => undefined)
    addExamples(document, await readAnswers(), known ?? {})
    const written = JSON.stringify(document)
    if (!known) {
      forNow()
      return written
    }
    // Who asked meanwhile shows the same.
    whole ??= written
    return whole
  }
  serveStatic(app, '/openapi.json', { type: 'application/json', headers, make })
  return make
}

/** A real answer to each endpoint's example by its path, and failures by their codes (data/README.md). */
const readAnswers = async (): Promise<Record<string, Record<string, unknown>>> =>
  JSON.parse(await readFile(new URL('../../../data/exemplos.json', import.meta.url), 'utf8'))
