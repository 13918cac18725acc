import { setImmediate } from 'node:timers/promises'

/** A clock of durations, in milliseconds, that a service and a simulator in this process share. */
export type Relogio = {
  /** For the service: how long anything took. */
  clock: () => number
  /** For the simulator, in the place of waiting (`criarSefaz({ esperar })`). */
  esperar: (ms: number) => Promise<void>
  /** How many answers must be waited for before any of them comes: those that are asked for in parallel. */
  juntar: (quantas: number) => void
}

type Espera = { ate: number; chegar: () => void }

/** In these turns of the event loop an answer reaches its reader, who then looks at the clock. */
const VOLTAS = 30

/**
 * The clock stands still but for what the simulator waits: the answers of a round come in the order of their
 * times, and each finds the clock where it should be.
 */
export function criarRelogio(): Relogio {
  let agora = 0
  let juntas = 1
  let esperas: Espera[] = []
  let andando = false
  const andar = async (): Promise<void> => {
    andando = true
    while (esperas.length > 0) {
      const proxima = esperas.toSorted((a, b) => a.ate - b.ate)[0]
      if (!proxima) break
      esperas = esperas.filter((uma) => uma !== proxima)
      agora = Math.max(agora, proxima.ate)
      proxima.chegar()
      for (let volta = 0; volta < VOLTAS; volta++) await setImmediate()
    }
    andando = false
  }
  return {
    clock: () => agora,
    juntar: (quantas) => {
      juntas = quantas
    },
    esperar: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      esperas.push({ ate: agora + ms, chegar: resolve })
      if (!andando && esperas.length >= juntas) void andar()
      return promise
    },
  }
}
