/** A Fastify route with a compiled schema and nothing else, answering the same bytes: what HTTP and JSON alone cost. */
import Fastify from 'fastify'
import { consultarCnpjResponse } from '../src/api/consultar-cnpj.ts'

const body: unknown = JSON.parse(process.env.BODY ?? '{}')
const app = Fastify()
app.get('/api/consultar-cnpj', { schema: { response: { 200: consultarCnpjResponse } } }, async () => body)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address, keys: [''] })
