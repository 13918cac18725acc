import type { TObject } from 'typebox'
import { ApiError } from '../errors.ts'

/**
 * Letters by which a name is taken for another: `manifesta`, `Manifestar` and `manifestacao` for
 * `manifestar`.
 */
const LETTERS = 5

const beginning = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .slice(0, LETTERS)

/**
 * Refuses a misspelt optional field, and such a field in the URL, with PARAMETRO_INVALIDO; other unknown
 * names are ignored. A misspelt `manifestar: false` would register an event that cannot be undone.
 */
export function refuseMisnamed({ properties, required }: TObject, body: object, query: object): void {
  const isRequired = new Set<string>(required)
  const optional = Object.keys(properties).filter((name) => !isRequired.has(name))
  for (const [sent, isField] of namesOf(body, query)) {
    if (isField && sent in properties) continue
    const meant = optional.find((name) => beginning(name) === beginning(sent))
    if (meant === undefined) continue
    const reason = isField
      ? `não existe; o campo é ${meant}`
      : `envie ${meant} no corpo JSON, e não no endereço`
    throw new ApiError('PARAMETRO_INVALIDO', `Parâmetro ${sent}: ${reason}.`, {
      errors: [{ parameter: sent, reason }],
    })
  }
}

/** Each name that was sent, and whether it is a field of the body. */
const namesOf = (body: object, query: object): [name: string, isField: boolean][] => [
  ...Object.keys(body).map((name): [string, boolean] => [name, true]),
  ...Object.keys(query).map((name): [string, boolean] => [name, false]),
]
