/** Waits so many milliseconds. Rejects with the reason of the signal, if it aborts before. */
export type Esperar = (ms: number, signal: AbortSignal | undefined) => Promise<void>

export const esperar: Esperar = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const cancelar = () => {
      clearTimeout(relogio)
      reject(signal?.reason)
    }
    const relogio = setTimeout(() => {
      signal?.removeEventListener('abort', cancelar)
      resolve()
    }, ms)
    signal?.addEventListener('abort', cancelar, { once: true })
  })

const PRIMEIRA_MS = 500
const MAIOR_MS = 20_000

/**
 * Milliseconds between the try `feitas` (the first is 1) and the next: what the service asked for and a
 * little more, or twice the time before, between half and whole. Chance keeps clients apart that failed
 * together.
 */
export function esperaApos(feitas: number, retryAfterS: number | undefined): number {
  if (retryAfterS !== undefined) return retryAfterS * 1000 * (1 + Math.random() / 10)
  return Math.min(MAIOR_MS, PRIMEIRA_MS * 2 ** (feitas - 1)) * (0.5 + Math.random() / 2)
}
