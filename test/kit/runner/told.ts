/** A failed test, as a shard sends it to the runner. */
export type Failure = {
  /** The names from the suite down to the test. */
  names: string[]
  /** The place of the test, `file:line:column`. */
  place: string
  /** The error with its stack, as the console prints it. */
  error: string
}

/** The messages from a shard to the runner, in the order of the events. */
export type Told =
  | { kind: 'ready' }
  | { kind: 'test'; outcome: 'pass' | 'skipped' | 'todo' }
  | { kind: 'test'; outcome: 'fail'; failure: Failure }
  | { kind: 'remark'; text: string }
  /** `bytes` is what the process holds of the memory. */
  | { kind: 'end-of-file'; bytes: number }

/** The runner's answer to `ready` and to `end-of-file`. Without a file the shard must end. */
export type Order = { file?: string }
