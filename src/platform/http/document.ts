import { ambitos, ufs } from '../../documento/uf.ts'
import { categorias } from '../../rejeicoes/categorias.ts'
import { ONLY_WORDS, WHEN_NULL } from './closed.ts'

type Members = Readonly<Record<string, unknown>>

/** What is named in a document so far, each as JSON. */
type Named = { schemas: Map<string, string>; headers: Map<string, string> }

/** These hold data, which may have a member `title` of its own. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/**
 * Moves every schema that has a `title`, and every header, to `components`, and refers to it from where it
 * stood; what Fastify serializes with stays whole. Throws if two different schemas have one name.
 */
export function nameSchemas<D extends { paths?: object; components?: object }>(document: D): D {
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

/** A copy in which everything named is a reference. */
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

/** An object whose members have no words but these. */
const onlyWords = (words: unknown): Members => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(Object(words)).map(([name, list]) => [name, { type: 'string', enum: list }]),
  ),
})

/**
 * The values of our formats that are closed lists. The validator takes a UF in either case, and a category
 * that is none, which has no entries.
 */
const closedFormats = new Map<unknown, readonly string[]>([
  ['uf', ufs],
  ['ambito', ambitos],
  ['categoria', categorias],
])

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

/** A header that one answer describes otherwise than the rest stays where it is. */
const liftHeaders = (described: object, { headers }: Named): Members =>
  Object.fromEntries(
    Object.entries(described).map(([name, header]) => {
      const json = JSON.stringify(header)
      if ((headers.get(name) ?? json) !== json) return [name, header]
      headers.set(name, json)
      return [name, { $ref: `#/components/headers/${name}` }]
    }),
  )
