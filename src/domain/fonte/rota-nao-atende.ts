import type { CodigoDoCaptcha } from './codigo.ts'

/**
 * This way to ask an authority does not take the question; another way may. It says nothing against the
 * authority, and its Portuguese message says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
  /** Set where not the question but an unsolved captcha is to blame: the operator should know. */
  readonly codigo: CodigoDoCaptcha | undefined

  constructor(message: string, { codigo, ...options }: ErrorOptions & { codigo?: CodigoDoCaptcha } = {}) {
    super(message, options)
    this.codigo = codigo
  }
}
