/** Nobody is there to be answered: nothing is charged, and nothing went wrong. */
export class ClientLeft extends Error {
  override name = 'ClientLeft'
}
