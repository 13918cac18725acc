import type { TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Imposto } from '../../simulator/sefaz/clima.ts'
import { createSefaz } from '../../simulator/sefaz/sefaz.ts'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { type Doc, docs } from '../../src/sefaz/rules.ts'
import type { RodadaFeita } from '../../src/sefaz/rules-rodada.ts'
import { type House, start } from './harness.ts'
import { NOW } from './now.ts'
import { startAuthorities } from './simulator-authority.ts'

export const RODADA_MS = 120_000

/** The monitor of one or more nodes, and its authorities, by one clock. */
export type Cena = {
  /** The nodes: servers on one database, in the order in which they started. */
  nos: readonly [House, ...House[]]
  /** Starts one more server. It is closed with the test, if not before. */
  start: (env: Record<string, string>) => Promise<House>
  impor: (imposto: Imposto) => void
  /** Makes a round at the first node, an interval after the last one. */
  rodada: (intervaloMs?: number) => Promise<RodadaFeita>
  relogio: { instant: number }
}

type Opcoes = {
  envs?: readonly [Record<string, string>, ...Record<string, string>[]]
  /** How the simulator lets the time of an answer pass. By default it answers at once. */
  esperar?: (ms: number, relogio: { instant: number }) => Promise<void>
}

/** Starts servers whose SEFAZ is a simulator in this process, in fine weather. */
export async function abrirCena(
  t: TestContext,
  { envs = [{}], esperar = async () => {} }: Opcoes = {},
): Promise<Cena> {
  const relogio = { instant: NOW.getTime() }
  const now = (): Date => new Date(relogio.instant)
  const sefaz = createSefaz({ agora: now, wait: (ms) => esperar(ms, relogio) })
  sefaz.impose({ padrao: 'normal' })
  const authorities = await startAuthorities(now, { sefaz })
  const clock = (): number => relogio.instant
  const running = new Set<House>()
  const open = async (env: Record<string, string>): Promise<House> => {
    const house = await start({ SIMULATOR_URL: authorities.address, ...env }, now, { clock })
    const close = (): Promise<void> => (running.delete(opened) ? house.close() : Promise.resolve())
    const opened = { ...house, close }
    running.add(opened)
    return opened
  }
  t.after(async () => {
    for (const house of running) await house.close()
    await authorities.close()
  })
  const [env, ...rest] = envs
  const first = await open(env)
  const others: House[] = []
  for (const other of rest) others.push(await open(other))
  return {
    nos: [first, ...others],
    start: open,
    impor: (imposto) => sefaz.impose({ padrao: 'normal', ...imposto }),
    rodada: async (intervaloMs = RODADA_MS) => {
      relogio.instant += intervaloMs
      for (;;) {
        const feita = await makeRodada(first.rooms.sefaz)
        if (feita) return feita
        // The node's own round has its turn still.
        await nextTurn()
      }
    },
    relogio,
  }
}

/** The codes of all states on a node's board, each once: what 27 states in one state show is one code. */
function codigosDe({ rooms }: House, doc: Doc): string {
  const all = [...(rooms.sefaz.monitor.quadro()?.situacoes[doc].values() ?? [])]
  const codes = new Set(all.map(({ status_code, status_avg }) => `${status_code} ${status_avg}`))
  return `${all.length}: ${[...codes].join(', ')}`
}

export const todosOsCodigos = (house: House): string[] => [
  ...new Set(docs.map((doc) => codigosDe(house, doc))),
]
