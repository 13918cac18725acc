/** What keeps the store from doing what was asked and a person can mend; the message is Portuguese and says how. */
export class StoreError extends Error {
  override name = 'StoreError'
}
