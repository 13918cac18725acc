import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Command } from 'commander'

/** The simulator is a separate program. This command starts it as one. */
const PROGRAM = join(import.meta.dirname, '../../simulator/main.ts')

/** Adds `simulador`, which lists what the simulator answers. */
export function addSimuladorCommands(program: Command): void {
  const command = program.command('simulador').description('Simulador das autoridades')
  command
    .command('documentos')
    .description('lista o que experimentar: cada consulta e a resposta que ela provoca')
    .option('--json', 'escreve a lista em JSON', false)
    .action(({ json }: { json: boolean }) => run(['documentos', ...(json ? ['--json'] : [])]))
}

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code === 0 ? 0 : 1
}
