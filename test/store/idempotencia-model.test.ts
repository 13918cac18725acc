import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { EventoFeito } from '../../src/domain/andamento.ts'
import type { Db } from '../../src/store/db.ts'
import { type Comeco, openIdempotencia } from '../../src/store/idempotencia.ts'
import { forEachDatabase, NOW, openFor } from './databases.ts'

const LEASE = 60_000
const DAY = 24 * 3_600_000

/** One thing that happens to a key; `who` picks among the calls that were new, of which any may still be writing. */
type Step =
  | { what: 'begin'; corpo: 'a' | 'b' }
  | { what: 'note' | 'finish' | 'abandon'; who: number }
  | { what: 'clock'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('begin'), corpo: fc.constantFrom('a', 'a', 'b') }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constantFrom('note', 'note', 'finish', 'abandon'), who: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('clock'), ms: fc.constantFrom(1, LEASE - 1, LEASE, DAY) }),
  },
)

/** The record of the key, told plainly. */
type Plain = {
  corpo: string
  dono: string
  ate: number
  eventos: EventoFeito[]
  resposta: string | undefined
  until: number
}

const evento = (n: number): EventoFeito => ({
  passo: 'ciencia',
  desfecho: { tipo: 'falha', mensagem: `${n}` },
})

let keys = 0

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
      const eventos = over ? [] : (plain?.eventos ?? [])
      plain = { corpo, dono, ate: instant + LEASE, eventos, resposta: undefined, until: instant + DAY }
      return { tipo: 'nova', eventos }
    }
    if (plain?.corpo !== corpo) return { tipo: 'conflito' }
    if (plain.resposta === undefined) return { tipo: 'em-andamento' }
    return { tipo: 'pronta', resposta: plain.resposta, creditos: 1, request_id: plain.dono, cobrada: false }
  }

  for (const [n, each] of steps.entries()) {
    const node = nodes[n % 2 === 0 ? 0 : 1]
    if (each.what === 'clock') instant += each.ms
    else if (each.what === 'begin') {
      const pedido = { conta_id: 'conta', chave, corpo: each.corpo, request_id: `r-${n}` }
      const { ref, ...comeco } = {
        ref: undefined,
        ...(await node.begin(pedido, { ate: new Date(instant + LEASE) })),
      }
      if (ref) news.push(ref)
      assert.deepEqual(comeco, expectBegin(each.corpo, `r-${n}`))
    } else {
      const ref = news[each.who % news.length]
      if (!ref) continue
      const mine = plain?.dono === ref.request_id && plain.resposta === undefined ? plain : undefined
      if (each.what === 'note') {
        assert.equal(await node.note(ref, [evento(n)]), mine !== undefined)
        if (mine) mine.eventos = [evento(n)]
      } else if (each.what === 'finish') {
        assert.equal(await node.finish(ref, { resposta: `${n}`, creditos: 1 }), mine !== undefined)
        if (mine) mine.resposta = `${n}`
      } else {
        await node.abandon(ref)
        if (mine && mine.eventos.length > 0) mine.ate = 0
        else if (mine) plain = undefined
      }
    }
  }
}

forEachDatabase((dialect, fresh) => {
  test('whatever calls of one key do in whatever order, two nodes agree with a plain model of it', async (t) => {
    const db = await openFor(t, await fresh(t))
    const steps = fc.array(step, { minLength: 5, maxLength: 30 })
    const property = fc.asyncProperty(steps, (each) => carryOut(db, each))
    await fc.assert(property, { numRuns: dialect === 'sqlite' ? 100 : 40 })
  })
})
