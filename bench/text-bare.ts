/** A Fastify route that returns a string: what HTTP alone costs. */
import Fastify from 'fastify'

const body = process.env.BODY ?? ''
const app = Fastify()
app.get(process.env.ROUTE ?? '/', async () => body)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address, keys: [''] })
