import { createHash } from 'node:crypto'

/** For how long a form that was answered is known, and how many such forms at most. */
const LEMBRADO_MS = 10 * 60_000
const MAIS_LEMBRADOS = 1_000

/**
 * What a form did, and what is known of it when it is sent again later: undefined to ask again then. Where it
 * is `partido`, it broke off on the way, and whoever waits goes on from it.
 */
type Feito<T> = { valor: T; lembrar: T | undefined; partido?: boolean }

/** Does what a form asks for once, however often it is sent. */
export type UmaVez<T> = {
  /**
   * Whoever comes while the same is being done waits for it, and gets what it gave. If it fails, as it does
   * where the one who began it leaves, the next does it himself.
   */
  run: (chave: readonly string[], work: (antes: T | undefined) => Promise<Feito<T>>) => Promise<T>
  /** Whether it is being done, or was done a moment ago. */
  has: (chave: readonly string[]) => boolean
}

/** `chave` tells the account, the form and what is asked; it is held as a digest alone. */
export function openUmaVez<T>({ now }: { now: () => Date }): UmaVez<T> {
  const running = new Map<string, Promise<Feito<T>>>()
  const done = new Map<string, { valor: T; ate: number }>()
  const idOf = (chave: readonly string[]): string =>
    createHash('sha256').update(JSON.stringify(chave)).digest('base64url')
  const find = (id: string): { valor: T } | undefined => {
    const known = done.get(id)
    return known && known.ate > now().getTime() ? known : undefined
  }
  const remember = (id: string, valor: T): void => {
    done.delete(id)
    done.set(id, { valor, ate: now().getTime() + LEMBRADO_MS })
    for (const oldest of done.keys()) {
      if (done.size <= MAIS_LEMBRADOS) break
      done.delete(oldest)
    }
  }
  return {
    has: (chave) => running.has(idOf(chave)) || find(idOf(chave)) !== undefined,
    run: async (chave, work) => {
      const id = idOf(chave)
      let antes: T | undefined
      for (let before = running.get(id); before; before = running.get(id)) {
        const outcome = await before.catch(() => undefined)
        if (outcome && outcome.partido !== true) return outcome.valor
        antes = outcome?.valor
      }
      const known = find(id)
      if (known) return known.valor
      const mine = work(antes)
      running.set(id, mine)
      try {
        const { valor, lembrar } = await mine
        if (lembrar !== undefined) remember(id, lembrar)
        return valor
      } finally {
        running.delete(id)
      }
    },
  }
}
