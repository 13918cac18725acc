import { EventEmitter } from 'node:events'

/** Lets one part of this process tell another that it need not wait for its next look at the database. */
export type Bell = {
  ring: (name: string) => void
  listen: (name: string) => Ear
}

/** Hears one name from its making until `close`. */
type Ear = {
  /** Resolves after `ms`, or as soon as the bell rings; at once if it rang since the last pause. */
  pause: (ms: number) => Promise<void>
  close: () => void
}

/** Opens a bell with no listener. */
export function openBell(): Bell {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    ring: (name) => void emitter.emit(name),
    listen: (name) => {
      let rung = false
      let wake = (): void => {}
      const hear = (): void => {
        rung = true
        wake()
      }
      emitter.on(name, hear)
      return {
        pause: async (ms) => {
          if (!rung)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms)
              wake = () => {
                clearTimeout(timer)
                resolve()
              }
            })
          rung = false
        },
        close: () => void emitter.off(name, hear),
      }
    },
  }
}
