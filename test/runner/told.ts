/** A test that failed, as it crosses from a shard to the runner. */
export type Failure = {
  /** The names from the suite down to the test. */
  names: string[]
  /** Where the test is, `file:line:column`. */
  place: string
  /** The error with its stack, as the console prints it. */
  error: string
}

/** What a shard tells the runner, in the order in which it happens. */
export type Told =
  | { kind: 'ready' }
  | { kind: 'test'; outcome: 'pass' | 'skipped' | 'todo' }
  | { kind: 'test'; outcome: 'fail'; failure: Failure }
  | { kind: 'remark'; text: string }
  | { kind: 'end-of-file' }

/** What the runner answers to `ready` and to `end-of-file`. There is no file when the shard shall end. */
export type Order = { file?: string }
