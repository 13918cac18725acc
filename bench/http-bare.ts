/**
 * A Fastify route with a compiled schema and nothing else. It answers the same bytes, so it shows what HTTP
 * and JSON alone cost.
 */
import Fastify from 'fastify'
import { consultarCnpjResponse } from '../src/cnpj/api.ts'
import { consultarResponse } from '../src/inscricao/api.ts'

const body: unknown = JSON.parse(process.env.BODY ?? '{}')
const app = Fastify()
const route = process.env.ROUTE ?? '/api/consultar-cnpj'
const schema = route === '/api/consultar' ? consultarResponse : consultarCnpjResponse
app.get(route, { schema: { response: { 200: schema } } }, async () => body)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address, keys: [''] })
