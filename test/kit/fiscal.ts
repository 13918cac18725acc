import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const FISCAL = join(import.meta.dirname, '../../bin/fiscal.js')

export type Said = { code: number; stdout: string; stderr: string }

/** Runs the `fiscal` command as an operator does, with only these settings. */
export async function fiscal(env: Record<string, string>, ...args: string[]): Promise<Said> {
  try {
    const settings = { PATH: process.env.PATH, ...env }
    return { code: 0, ...(await promisify(execFile)(process.execPath, [FISCAL, ...args], { env: settings })) }
  } catch (error) {
    const { code, stdout, stderr } = Object(error)
    return { code, stdout, stderr }
  }
}
