import { setTimeout as delay } from 'node:timers/promises'

/** How long a look at the database may take. Whoever asks whether it is there wants an answer soon. */
const LOOK_MS = 2_000

/** The outcome of a look at the database; false where it failed, or is not there in two seconds. */
export const within = (look: Promise<boolean>): Promise<boolean> =>
  Promise.race([look.catch(() => false), delay(LOOK_MS, false, { ref: false })])
