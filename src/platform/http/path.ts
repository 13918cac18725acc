import { type TObject, Type } from 'typebox'

type Parts = { params?: TObject; querystring: TObject }

/** The parameters that stand in a path, as `codigo` does in `/api/v1/rejeicoes/:codigo`. */
const namesIn = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** What an endpoint takes by GET, in its path and in its query. */
export function partsOf(url: string, taken: TObject): Parts {
  const names = namesIn(url)
  if (names.length === 0) return { querystring: taken }
  return { params: Type.Pick(taken, names), querystring: Type.Omit(taken, names) }
}
