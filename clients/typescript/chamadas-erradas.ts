import type { paths } from '@consulta-fiscal/tipos'
import createClient from 'openapi-fetch'

type Consultar = paths['/api/consultar']['get']

const api = createClient<paths>()
const params = { query: { uf: 'RS', cnpj: '99034721000180' } } as const

/** What the types refuse. Each line that compiled would be an error: its `@ts-expect-error` expects one. */
export const erradas: (() => Promise<unknown>)[] = [
  // @ts-expect-error: no endpoint has this path.
  () => api.GET('/api/consulta', { params }),
  // @ts-expect-error: the note is asked by POST.
  () => api.GET('/api/consultar-nfe-xml'),
  // @ts-expect-error: the CNPJ is required.
  () => api.GET('/api/consultar-cnpj', { params: { query: {} } }),
  // @ts-expect-error: no registration has this field.
  async () => (await api.GET('/api/consultar', { params })).data?.results[0]?.situacao,
  // @ts-expect-error: the parameter is called cnpj.
  async () => ({ uf: 'RS', CNPJ: '99034721000180' }) satisfies Consultar['parameters']['query'],
  // @ts-expect-error: the body is not one entry of the stream.
  async () => (await api.GET('/api/consultar-cnd-todos', { params })).data?.source_status,
  // @ts-expect-error: no problem has this member.
  async () => (await api.GET('/api/consultar', { params })).error?.codigo,
]
