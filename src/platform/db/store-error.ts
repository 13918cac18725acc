/** A failure of the store that a person can mend. The message is Portuguese and says how. */
export class StoreError extends Error {
  override name = 'StoreError'
}
