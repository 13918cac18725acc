import type { House } from './harness.ts'

/**
 * How many queries have reached a host of the simulator since it started. Throws for a service without a
 * simulator.
 */
export async function queriesTo({ ctx }: Pick<House, 'ctx'>, host: string): Promise<number> {
  const { simulador } = ctx.sources
  if (simulador === undefined) throw new Error('the service has no simulator')
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}
