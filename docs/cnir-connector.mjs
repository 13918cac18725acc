// An example of a connector to CNIR. It answers out of a JSON file: an object whose members are documents.
//   CNIR_SECRET=… PORT=8090 node docs/cnir-connector.mjs records.json
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { CNIR_SECRET: secret = '', PORT: port = '8090', HOST: host = '127.0.0.1' } = process.env
const [, , file] = process.argv
if (secret.length < 32 || !file) {
  console.error('Uso: CNIR_SECRET=<32 caracteres ou mais> [PORT=8090] node cnir-connector.mjs registros.json')
  process.exit(2)
}
const records = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))

/** Nothing that this service sends is near this, in octets. */
const MAX_BODY = 16_384
const TOLERANCE_S = 300

createServer(async (request, response) => {
  const { status, json } = await answer(request).catch(() => ({ status: 400, json: {} }))
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(json))
}).listen(Number(port), host, function () {
  console.log(JSON.stringify({ url: `http://${host}:${this.address().port}/cnir` }))
})

/** The signature is checked over the body as it came, before anything reads it. */
async function answer(request) {
  if (request.method !== 'POST') return { status: 405, json: {} }
  const body = await readBody(request)
  if (body === undefined) return { status: 413, json: {} }
  if (!isSigned(request.headers, body)) return { status: 401, json: {} }
  const { documento } = JSON.parse(body.toString())
  // Here a real connector asks its source, and gives up after `x-consulta-deadline-ms`.
  const found = records.get(documento)
  return found ? { status: 200, json: found } : { status: 404, json: {} }
}

function isSigned(headers, body) {
  const stamp = String(headers['x-consulta-timestamp'] ?? '')
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > TOLERANCE_S) return false
  const right = `v1=${createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex')}`
  const sent = Buffer.from(String(headers['x-consulta-signature'] ?? ''))
  return sent.length === right.length && timingSafeEqual(sent, Buffer.from(right))
}

async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  }
  return size <= MAX_BODY ? Buffer.concat(chunks) : undefined
}
