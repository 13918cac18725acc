/**
 * Groups of the ledger on SQLite, of this tree and of another by turns in one process, where a busy machine
 * disturbs both alike: `node bench/ledger-groups.ts <folder of another tree> [rounds]`. CPU of the process,
 * the wait for the disk included, which takes little.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commitOf, loadNow, machineLine, median } from './machine.ts'

const [other = '', rounds = '60'] = process.argv.slice(2)
if (other === '') throw new Error('which tree? node bench/ledger-groups.ts <folder> [rounds]')

const ACCOUNTS = 1_000
const GROUPS = 20
/** The first rounds are those in which V8 compiles. */
const WARM = 10

/** What is measured, and how many orders a group of it has. */
const sizes = { charge: 25, hold: 25, settle: 25, 'charge alone': 1 }
type Measured = keyof typeof sizes
const measured = Object.keys(sizes).filter((name): name is Measured => name in sizes)

const now = (): Date => new Date()

async function openSide(tree: string, folder: string) {
  const load = <M>(path: string): Promise<M> => import(pathToFileURL(join(tree, path)).href)
  const { openDb } = await load<typeof import('../src/platform/db/db.ts')>('src/platform/db/db.ts')
  const { createConta } = await load<typeof import('../src/contas/store-contas.ts')>(
    'src/contas/store-contas.ts',
  )
  const { openLedger, takeNo } = await load<typeof import('../src/platform/ledger/ledger.ts')>(
    'src/platform/ledger/ledger.ts',
  )
  const { newRequestId } =
    await load<typeof import('../src/platform/jobs/kind.ts')>('src/platform/jobs/kind.ts')
  const db = await openDb({ arquivo: join(folder, 'livro.db'), servidor: true })
  const contas: { id: string; plano: 'enterprise' }[] = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const email = `conta-${n}@exemplo.test`
    const conta = await createConta(db, { nome: 'Teste', email, plano: 'enterprise', now: now() })
    if (conta) contas.push({ id: conta.id, plano: 'enterprise' })
  }
  const ledger = openLedger(db, { no: await takeNo(db, now), now })
  const us = Object.fromEntries(measured.map((name) => [name, [] as number[]]))
  return { ledger, contas, newRequestId, us }
}

type Side = Awaited<ReturnType<typeof openSide>>

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** One round: what each kind took, in microseconds of CPU an order. */
async function run({ ledger, contas, newRequestId, us }: Side, round: number): Promise<void> {
  const spent = new Map<Measured, number>()
  const orders = (group: number, size: number) =>
    Array.from({ length: size }, (_, n) => {
      const conta = contas[(round * 7_919 + group * 131 + n * 37) % contas.length]
      if (!conta) throw new Error('no account')
      return { conta, request_id: newRequestId(now()), endpoint: '/api/consultar', creditos: 1 }
    })
  const time = async (name: Measured, work: () => Promise<unknown>): Promise<void> => {
    const before = cpuUs()
    await work()
    spent.set(name, (spent.get(name) ?? 0) + cpuUs() - before)
  }
  for (let group = 0; group < GROUPS; group++) {
    const held = orders(group, sizes.hold)
    await time('hold', () => Promise.all(held.map(ledger.hold)))
    await time('settle', () => Promise.all(held.map(ledger.settle)))
    const charged = orders(group, sizes.charge)
    await time('charge', () => Promise.all(charged.map(ledger.charge)))
    const [alone] = orders(group, 1)
    if (alone) await time('charge alone', () => ledger.charge(alone))
  }
  if (round >= WARM) for (const [name, all] of spent) us[name]?.push(all / GROUPS / sizes[name])
}

const folders = ['this', 'other'].map((name) => mkdtempSync(join(tmpdir(), `bench-groups-${name}-`)))
const [here, there] = [resolve(import.meta.dirname, '..'), resolve(other)]
const sides = [await openSide(here, folders[0] ?? ''), await openSide(there, folders[1] ?? '')]
for (let round = 0; round < WARM + Number(rounds); round++)
  for (const side of round % 2 ? sides.toReversed() : sides) await run(side, round)
console.log(`${machineLine()}; ${commitOf(here)} beside ${commitOf(there)}, load ${loadNow()}`)
console.log(`${ACCOUNTS} accounts, medians of ${rounds} rounds, µs of CPU an order`)
for (const name of measured) {
  const [ours = [], theirs = []] = sides.map(({ us }) => us[name] ?? [])
  const ratio = median(ours.map((own, at) => own / (theirs[at] ?? own)))
  const [one, two] = [median(ours), median(theirs)].map((value) => value.toFixed(1))
  console.log(`${name}, groups of ${sizes[name]}: ${one} and ${two}, paired ${ratio.toFixed(2)}`)
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
process.exit()
