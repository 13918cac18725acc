/**
 * A way to ask an authority does not take this question, which says nothing against the authority: another way may. The
 * message is Portuguese and says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
}
