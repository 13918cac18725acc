import type { Answer, House } from './harness.ts'
import { pausa } from './pausa.ts'

/**
 * How many queries have reached a host of the simulator since it started. Throws for a service without a
 * simulator.
 */
export async function queriesTo({ rooms }: Pick<House, 'rooms'>, host: string): Promise<number> {
  const { simulador } = rooms.platform
  if (simulador === undefined) throw new Error('the service has no simulator')
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}

/** Asks a question and waits until it has reached the host. Gives the answer that is still to come. */
export async function askAndReach(
  house: Pick<House, 'rooms' | 'ask'>,
  { path, key, host }: { path: string; key: string; host: string },
): Promise<{ answer: Promise<Answer> }> {
  const before = await queriesTo(house, host)
  let ended = false
  const answer = house.ask(path, { key }).finally(() => {
    ended = true
  })
  while (!ended && (await queriesTo(house, host)) === before) await pausa()
  return { answer }
}
