import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StartError } from './start-error.ts'

const PROGRAM = join(import.meta.dirname, '../simulator/main.ts')
const RESTART_MS = 1_000

/** The simulator, running beside this process and ending with it. */
export type SimulatorProcess = {
  /** Its pages, `http://127.0.0.1:PORT`; the same port is the gateway to every authority. */
  endereco: string
  stop: () => Promise<void>
}

type Options = {
  /** Where it keeps its certificates. */
  pasta: string
  /** Hears when it ended by itself; it is started again on the same port. */
  onCrash: (code: number | null) => void
}

/** Starts the simulator as a process of its own. Throws StartError when it does not come up. */
export async function startSimulator({ pasta, onCrash }: Options): Promise<SimulatorProcess> {
  let stopping = false
  let current = await launch(pasta, '0')
  const { port } = new URL(current.endereco)
  const watch = (child: ChildProcess): void => {
    child.once('exit', (code) => {
      if (stopping) return
      onCrash(code)
      setTimeout(revive, RESTART_MS).unref()
    })
  }
  const revive = async (): Promise<void> => {
    if (stopping) return
    try {
      current = await launch(pasta, port)
      watch(current.child)
    } catch {
      setTimeout(revive, RESTART_MS).unref()
    }
  }
  watch(current.child)
  const stop = async (): Promise<void> => {
    stopping = true
    const { child } = current
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill()
    await ended
  }
  return { endereco: current.endereco, stop }
}

/** One run: resolves with its first line. It ends when its input closes, so it never outlives us, not even after kill -9. */
function launch(pasta: string, porta: string): Promise<{ child: ChildProcess; endereco: string }> {
  const child = spawn(process.execPath, [PROGRAM, '--pasta', pasta, '--porta', porta, '--com-pai'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A terminal's Ctrl-C reaches it too, and it may go first.
  child.stdin.on('error', () => {})
  let complaint = ''
  const listen = (chunk: unknown): void => {
    complaint = `${complaint}${chunk}`.slice(-2_000)
  }
  child.stderr.on('data', listen)
  return new Promise((resolve, reject) => {
    const fail = (): void =>
      reject(new StartError(`O simulador das autoridades não iniciou: ${complaint.trim() || 'sem mensagem'}`))
    child.once('error', fail).once('exit', fail)
    createInterface(child.stdout).once('line', (line) => {
      child.off('exit', fail)
      child.stderr.off('data', listen).pipe(process.stderr)
      const { endereco } = JSON.parse(line)
      // Nothing of it keeps this process alive.
      child.unref()
      resolve({ child, endereco })
    })
  })
}
