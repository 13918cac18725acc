import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { changePlano } from '../../src/contas/store-contas.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const PAGES: readonly [name: string, path: string][] = [
  ['extrato', '/painel/extrato/'],
  ['extrato-mes', '/painel/extrato/2026-11/'],
  ['extrato-novo', '/painel/extrato/2026-12/'],
  ['extrato-folha', '/painel/extrato/2026-11/imprimir/'],
]

/** Two months of an account: calls, notes at two prices and without one, credits given, a debit. */
async function usar({ rooms }: House, { conta }: Member, setNow: (now: Date) => void): Promise<void> {
  const { ledger, db } = rooms.platform
  const gift = { conta_id: conta.id, request_id: randomUUID() }
  const charge = async (endpoint: string, creditos: number, at: number): Promise<void> => {
    const now = new Date(Date.parse('2026-11-14T15:00:00Z') + at * 3_000_000)
    setNow(now)
    const nota = endpoint === '/api/consultar-nfe-xml'
    const call = { conta, request_id: newRequestId(now), endpoint, creditos, nota }
    assert.ok((await ledger.charge(call)).ok)
  }
  for (let at = 0; at < 120; at++) {
    if (at === 40) await changePlano(db, conta.id, 'pro', new Date('2026-11-15T15:00:00Z'))
    await charge(
      at % 3 === 0 ? '/api/consultar-nfe-xml' : '/api/consultar-cnd-federal',
      at % 3 === 0 ? 3 : 1,
      at,
    )
  }
  await ledger.grant({ ...gift, creditos: 5_000, motivo: 'compra por pix em 17/11, pedido 2026-0098' })
  await ledger.debit({ ...gift, creditos: 12, motivo: 'acerto combinado por telefone' })
  setNow(new Date('2026-12-01T12:00:00Z'))
}

describe('the pages of the statement', { skip: noBrowser }, () => {
  let house: House
  let me: Member
  before(async () => {
    let now = new Date('2026-11-14T15:00:00Z')
    house = await start({}, () => now)
    const user = await enterPainel(house, 'starter')
    await usar(house, user, (instant) => {
      now = instant
    })
    const { token } = await house.rooms.contas.acessos.open({
      conta_id: user.conta.id,
      tipo: 'painel',
      agente: 'teste',
      endereco: '127.0.0.1',
    })
    me = { ...user, cookie: `acesso=${token}` }
  })
  after(() => house.close())

  for (const [name, path] of PAGES)
    describe(`the page ${path}`, () =>
      keepRules(
        name,
        () => house.address + path,
        () => withSession(house.address, me),
      ))
})
