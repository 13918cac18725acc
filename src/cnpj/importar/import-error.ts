import type { Portao } from '../base/manifesto.ts'

/**
 * Why an import stopped. `message` is Portuguese and says what to do; `portoes` lists the gates that failed,
 * if any.
 */
export class ImportError extends Error {
  override name = 'ImportError'
  readonly portoes: readonly Portao[]
  constructor(message: string, portoes: readonly Portao[] = []) {
    super(message)
    this.portoes = portoes
  }
}
