/**
 * node:test follows each promise to know whose test it belongs to, which costs a file with many promises half
 * of its CPU. Only what declares tests needs it, so a shard follows while a file is imported.
 */
import asyncHooks, { type AsyncHook, AsyncResource, executionAsyncResource } from 'node:async_hooks'

const hooks: AsyncHook[] = []
const { createHook } = asyncHooks

/** What lets go of the promises that a hook has followed. */
const followed = new Map<number, (asyncId: number) => void>()

// The shard loads this before node:test, whose own hook is made with it.
asyncHooks.createHook = (callbacks) => {
  const { init = () => {}, destroy = () => {} } = callbacks
  const hook = createHook({
    ...callbacks,
    init: (asyncId, ...rest) => {
      followed.set(asyncId, destroy)
      init(asyncId, ...rest)
    },
    destroy: (asyncId) => {
      followed.delete(asyncId)
      destroy(asyncId)
    },
  })
  hooks.push(hook)
  return hook
}

/** Made inside a test: what `declare` begins later belongs to that test. */
export function openFollowing(): <T>(declare: () => T) => T {
  const test = new AsyncResource('shard')
  return (declare) => {
    for (const hook of hooks) hook.enable()
    return test.runInAsyncScope(declare)
  }
}

/** What is thrown later by nobody's promise still ends the shard red. */
export function stopFollowing(): void {
  for (const hook of hooks) hook.disable()
}

/**
 * Made inside a test: lets go of the tests in its suites, which have ended. node:test keeps them with all
 * that their hooks hold, and a hook that is off does not hear that a promise is gone.
 */
export function openForgetting(): () => void {
  const test = executionAsyncResource()
  // What is of the test itself stays.
  followed.clear()
  return () => {
    for (const [asyncId, destroy] of followed) destroy(asyncId)
    followed.clear()
    for (const suite of subtestsOf(test)) subtestsOf(suite).length = 0
  }
}

/** The tests below one, as node:test keeps them in it. Without that name nothing is let go. */
const subtestsOf = (test: object): object[] =>
  'subtests' in test && Array.isArray(test.subtests) ? test.subtests : []
