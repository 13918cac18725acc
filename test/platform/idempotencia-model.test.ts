import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { EventoFeito } from '../../src/nfe/rules-manifestacao.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { type Comeco, openIdempotencia } from '../../src/platform/http/idempotencia.ts'
import { LEASE_MS } from '../../src/platform/jobs/lease.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DAY = 24 * 3_600_000

/**
 * One thing that happens to a key. `who` picks among the calls that were new, each of which may still be
 * writing.
 */
type Step =
  | { what: 'begin'; corpo: 'a' | 'b' }
  | { what: 'note' | 'finish' | 'renew' | 'end'; who: number }
  | { what: 'clock'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('begin'), corpo: fc.constantFrom('a', 'a', 'b') }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constantFrom('note', 'note', 'finish', 'renew', 'end'), who: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('clock'), ms: fc.constantFrom(LEASE_MS / 2, LEASE_MS, DAY) }),
  },
)

/** The record of the key, in its plainest form. */
type Plain = {
  corpo: string
  dono: string
  ate: number
  passos: EventoFeito[]
  resposta: string | undefined
  until: number
}

const evento = (n: number): EventoFeito => ({
  passo: 'ciencia',
  desfecho: { tipo: 'falha', mensagem: `${n}` },
})

let keys = 0

/** Lets time pass. PostgreSQL's clock measures its leases, so for it the rows move back. */
async function pass({ dialect, kysely }: Db, ms: number): Promise<number> {
  const earlier = sql<number>`ate - cast(${ms} as bigint)`
  if (dialect === 'postgres') await kysely.updateTable('idempotencia').set({ ate: earlier }).execute()
  return ms
}

async function carryOut(db: Db, steps: readonly Step[]): Promise<void> {
  let instant = NOW.getTime()
  let plain: Plain | undefined
  const options = { now: () => new Date(instant), ambiente: 'teste', secret: 'segredo de teste' }
  const nodes = [openIdempotencia(db, options), openIdempotencia(db, options)] as const
  const news: Extract<Comeco, { tipo: 'nova' }>['ref'][] = []
  const chave = `chave-${keys++}`

  function expectBegin(corpo: string, dono: string): Record<string, unknown> {
    const over = !plain || plain.until <= instant
    const free = !over && plain?.corpo === corpo && plain.resposta === undefined && plain.ate <= instant
    if (over || free) {
      const passos = over ? [] : (plain?.passos ?? [])
      plain = { corpo, dono, ate: instant + LEASE_MS, passos, resposta: undefined, until: instant + DAY }
      return { tipo: 'nova', passos }
    }
    if (plain?.corpo !== corpo) return { tipo: 'conflito' }
    if (plain.resposta === undefined || plain.ate > instant) return { tipo: 'em-andamento' }
    return { tipo: 'pronta', resposta: plain.resposta, creditos: 1, request_id: plain.dono }
  }

  for (const [n, each] of steps.entries()) {
    const node = nodes[n % 2 === 0 ? 0 : 1]
    if (each.what === 'clock') instant += await pass(db, each.ms)
    else if (each.what === 'begin') {
      const pedido = { conta_id: 'conta', chave, corpo: each.corpo, request_id: `r-${n}` }
      const { ref, ...comeco } = { ref: undefined, ...(await node.begin(pedido)) }
      if (ref) news.push(ref)
      assert.deepEqual(comeco, expectBegin(each.corpo, `r-${n}`))
    } else {
      const ref = news[each.who % news.length]
      if (!ref) continue
      const held = plain?.dono === ref.request_id ? plain : undefined
      const mine = held?.resposta === undefined ? held : undefined
      if (each.what === 'note') {
        assert.equal(await node.note(ref, [evento(n)]), mine !== undefined)
        if (mine) mine.passos = [evento(n)]
      } else if (each.what === 'finish') {
        assert.equal(await node.finish(ref, { resposta: `${n}`, creditos: 1 }), mine !== undefined)
        if (mine) mine.resposta = `${n}`
      } else if (each.what === 'renew') {
        await node.renew(ref)
        if (held) held.ate = instant + LEASE_MS
      } else {
        await node.end(ref)
        if (mine?.passos.length === 0) plain = undefined
        else if (held) held.ate = 0
      }
    }
  }
}

forEachDatabase((dialect, fresh) => {
  test('whatever calls of one key do in whatever order, two nodes agree with a plain model of it', async (t) => {
    const db = await openFor(t, await fresh(t))
    const steps = fc.array(step, { minLength: 5, maxLength: 30 })
    const property = fc.asyncProperty(steps, (each) => carryOut(db, each))
    await fc.assert(property, { numRuns: vezes(dialect === 'sqlite' ? 100 : 40) })
  })
})
