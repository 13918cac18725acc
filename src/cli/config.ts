import type { Command } from 'commander'
import { envExample } from '../platform/config/config.ts'
import { type Config, settings } from '../platform/config/settings.ts'

/** `fiscal config`: prints the settings in effect without the secrets, and the example file. */
export function addConfigCommands(program: Command, config: Config): void {
  const command = program
    .command('config')
    .description('mostra as configurações em vigor (segredos não aparecem)')
  command.action(() => showConfig(config))
  command
    .command('exemplo')
    .description('escreve o arquivo .env.example')
    .action(() => console.log(envExample().trimEnd()))
}

function showConfig(config: Record<string, unknown>): void {
  for (const [name, setting] of Object.entries(settings)) {
    const value = config[name]
    const shown = setting.secret && value !== undefined ? '(definido)' : (value ?? '(não definido)')
    console.log(`${name}=${shown}\n    ${setting.meaning}`)
  }
}
