import type { Command } from 'commander'
import { envExample, parseConfig, settings } from '../config.ts'

/** `fiscal config`: the settings in effect, without the secrets, and the example file made from them. */
export function addConfigCommands(program: Command, env: () => Record<string, string | undefined>): void {
  const command = program
    .command('config')
    .description('mostra as configurações em vigor (segredos não aparecem)')
  command.action(() => {
    const config: Record<string, unknown> = parseConfig(env())
    for (const [name, setting] of Object.entries(settings)) {
      const value = config[name]
      const shown = setting.secret && value !== undefined ? '(definido)' : (value ?? '(não definido)')
      console.log(`${name}=${shown}\n    ${setting.meaning}`)
    }
  })
  command
    .command('exemplo')
    .description('escreve o arquivo .env.example')
    .action(() => console.log(envExample().trimEnd()))
}
