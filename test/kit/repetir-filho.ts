/**
 * Asks, notes an event and answers without end, and is made to be killed. It tells of each step once its
 * promise has resolved.
 */
import { writeSync } from 'node:fs'
import { openConsumo } from '../../src/nfe/store.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { openIdempotencia } from '../../src/platform/http/idempotencia.ts'

const [arquivo = '', secret = '', databaseUrl] = process.argv.slice(2)
const db = await openDb({ arquivo, databaseUrl })
const options = { now: () => new Date(), ambiente: 'teste', secret }
const calls = openIdempotencia(db, options)
const consumo = openConsumo(db, options)

// This writes straight to the pipe: every line that the parent reads was written down.
const tell = (line: string): void => void writeSync(1, `${line}\n`)

async function answer(name: string, titular: string): Promise<void> {
  const pedido = { conta_id: 'conta', chave: name, corpo: '{}', request_id: name }
  const comeco = await calls.begin(pedido)
  if (comeco.tipo !== 'nova') throw new Error(comeco.tipo)
  const { restantes } = await consumo.take(titular)
  tell(`consulta ${titular} ${restantes}`)
  const desfecho = { tipo: 'resposta', cStat: '135', xMotivo: 'Evento registrado' } as const
  await calls.note(comeco.ref, [{ passo: 'ciencia', desfecho }])
  tell(`evento ${name}`)
  await calls.finish(comeco.ref, { resposta: JSON.stringify({ name }), creditos: 3 })
  tell(`resposta ${name}`)
}

await Promise.all(
  Array.from({ length: 10 }, async (_, worker) => {
    for (let n = 0; ; n++) await answer(`${worker}-${n}`, `titular-${worker}-${Math.floor(n / 20)}`)
  }),
)
