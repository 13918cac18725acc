/** A turn that was not given. The message is for the log; clients are told by `parte`. */
export class FilaCheia extends Error {
  override readonly name = 'FilaCheia'
  /**
   * What is full: the owner's share, or the whole queue. A wait that took too long counts as the whole queue.
   */
  readonly parte: 'dono' | 'todos'

  constructor(parte: 'dono' | 'todos') {
    super(parte === 'dono' ? "the owner's share of the queue is full" : 'the queue is full')
    this.parte = parte
  }
}

/** How many work at once, how many wait in all, and how many of one owner wait. */
export type Tamanho = { vagas: number; espera: number; porDono: number }

/** Who asks for a turn. */
export type Vez = {
  /** Turns go round the owners: the account, where there is one. */
  dono: string
  /** Milliseconds to wait for a turn. */
  waitMs?: number
  /** Aborted when the caller gives up. Its place in the queue is then free at once. */
  signal?: AbortSignal | undefined
}

type Espera = { chamar: () => void }

/**
 * A bounded queue whose turns go round the owners, so that a busy owner delays only itself. Throws FilaCheia,
 * or the signal's reason.
 */
export function createFila({
  vagas,
  espera,
  porDono,
}: Tamanho): <T>(vez: Vez, work: () => Promise<T>) => Promise<T> {
  /** In the order of their turns: the owner that was served goes to the end. */
  const donos = new Map<string, Espera[]>()
  let livres = vagas
  let esperando = 0

  function enter({ dono, waitMs = Number.POSITIVE_INFINITY, signal }: Vez): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (livres > 0) {
      livres--
      return undefined
    }
    if ((donos.get(dono)?.length ?? 0) >= porDono) throw new FilaCheia('dono')
    if (esperando >= espera) throw new FilaCheia('todos')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const um = { chamar: resolve }
    const giveUp = (reason: unknown): void => {
      if (drop(dono, um)) reject(reason)
    }
    const onAbort = (): void => giveUp(signal?.reason)
    const timer = Number.isFinite(waitMs) && setTimeout(() => giveUp(new FilaCheia('todos')), waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    donos.set(dono, [...(donos.get(dono) ?? []), um])
    esperando++
    return promise.finally(() => {
      if (timer) clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  /** Takes one out of the queue; false where it is not in it any more. */
  function drop(dono: string, um: Espera): boolean {
    const dele = donos.get(dono) ?? []
    if (!dele.includes(um)) return false
    esperando--
    const outros = dele.filter((other) => other !== um)
    if (outros.length > 0) donos.set(dono, outros)
    else donos.delete(dono)
    return true
  }

  function leave(): void {
    const [proximo] = donos
    if (!proximo) {
      livres++
      return
    }
    const [dono, [primeira, ...outros]] = proximo
    donos.delete(dono)
    if (outros.length > 0) donos.set(dono, outros)
    esperando--
    primeira?.chamar()
  }

  return async (vez, work) => {
    await enter(vez)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
