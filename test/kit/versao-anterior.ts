import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { root } from './dockerfile.ts'

/**
 * The version that is in use while the next one is made, and the version of its schema. Whoever releases puts
 * the released commit here.
 */
export const ANTERIOR = { commit: 'b6989c01', esquema: 18 }

const run = promisify(execFile)

/**
 * Puts the program of the version before into a folder that is removed with the test. Undefined where the
 * history of git does not reach back to it, as in a shallow clone.
 */
export async function putAnterior(t: TestContext): Promise<string | undefined> {
  const { commit } = ANTERIOR
  const isKnown = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  const pasta = mkdtempSync(join(tmpdir(), 'versao-anterior-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const folders = 'bin src simulator data package.json'
  await run('sh', ['-c', `git archive ${commit} ${folders} | tar -x -C "$0"`, pasta], { cwd: root })
  // It knows no package that the new version lacks: a package that leaves makes this test say so.
  symlinkSync(join(root, 'node_modules'), join(pasta, 'node_modules'))
  return pasta
}
