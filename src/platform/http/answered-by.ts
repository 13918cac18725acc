import { SOURCE_CODES } from './operation.ts'

type AnsweredBy = { http: readonly string[]; source: readonly string[] }

export function readAnswers(document: { paths?: object }): (code: string) => AnsweredBy {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      http: new Set(failuresOf(Object(operation)).flatMap(codesIn)),
      source: new Set(listOf(Reflect.get(Object(operation), SOURCE_CODES))),
    })),
  )
  const named = (declares: (operation: (typeof operations)[number]) => boolean): string[] =>
    operations.filter(declares).map(({ name }) => name)
  return (code) => ({
    http: named(({ http }) => http.has(code)),
    source: named(({ source }) => source.has(code)),
  })
}

const failuresOf = ({ responses }: { responses?: object }): unknown[] =>
  Object.entries(responses ?? {})
    .filter(([status]) => !status.startsWith('2'))
    .map(([, response]) => response)

function codesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(codesIn)
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'error_code' ? listOf(Reflect.get(Object(value), 'enum')) : codesIn(value),
  )
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
