/**
 * node:test follows each promise to know whose test it belongs to, which costs a file with many promises half
 * of its CPU. Only what declares tests needs it, so a shard follows while a file is imported.
 */
import asyncHooks, { type AsyncHook, AsyncResource } from 'node:async_hooks'

const hooks: AsyncHook[] = []
const { createHook } = asyncHooks

// The shard loads this before node:test, whose own hook is made with it.
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
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
