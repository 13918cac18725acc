/**
 * A way to ask an authority does not take this question, which says nothing against the authority: another way may. The
 * message is Portuguese and says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
  /** Ours for what is not about the question either, and wants the operator's eye: the captcha that nobody solved. */
  readonly codigo: string | undefined

  constructor(message: string, { codigo, ...options }: ErrorOptions & { codigo?: string } = {}) {
    super(message, options)
    this.codigo = codigo
  }
}
