import { setTimeout as rest } from 'node:timers/promises'

/** The rest between two looks at what another process does. Who looks without a rest takes its core. */
export const pausa = (): Promise<void> => rest(10)
