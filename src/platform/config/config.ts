import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { nearest } from '../../documento/digitado.ts'
import { messageOf } from '../errors.ts'
import { trusted } from '../trusted.ts'
import type { Ambiente } from '../wire/fonte.ts'
import type { Setting } from './setting.ts'
import { type Config, sections, settings } from './settings.ts'

export const ambienteOf = ({
  AUTHORITIES,
  SEFAZ_AMBIENTE,
}: Pick<Config, 'AUTHORITIES' | 'SEFAZ_AMBIENTE'>): Ambiente =>
  AUTHORITIES === 'live' ? SEFAZ_AMBIENTE : 'simulador'

/** Whether the national register may be asked: with the simulator yes, live only if the operator says so. */
export const usesCcc = ({ CCC, AUTHORITIES }: Pick<Config, 'CCC' | 'AUTHORITIES'>): boolean =>
  (CCC ?? (AUTHORITIES === 'live' ? 'nenhum' : 'descoberta')) === 'descoberta'

/** Wrong settings: `problems` has a Portuguese line for each, without the values of secrets. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`Configuração inválida:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** The settings of `env`; an empty value counts as not given. Throws ConfigError with everything to mend. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const value = env[name] === '' ? undefined : env[name]
    try {
      return [name, setting.parse(value)]
    } catch (error) {
      const shown = setting.secret || hasPassword(value) ? '' : ` (recebido: ${JSON.stringify(value)})`
      problems.push(`${name}: ${messageOf(error)}${shown}`)
      return [name, undefined]
    }
  })
  if (problems.length > 0) throw new ConfigError(problems)
  // Proven by construction: one entry for each key of `settings`, each parsed by its own setting.
  return trusted<Config>(Object.fromEntries(entries))
}

/** Whether a wrong value is an address with somebody's name or password in it, which no message shows. */
const hasPassword = (value = ''): boolean => /:\/\/.*@/.test(value)

/** The settings of the environment and of `.env`; `tell` hears of a name there that is misspelt. */
export function readConfig(tell: (warning: string) => void = () => {}): Config {
  if (existsSync('.env')) {
    for (const name of Object.keys(parseEnv(readFileSync('.env', 'utf8')))) tellMisspelt(name, tell)
    process.loadEnvFile('.env')
  }
  return parseConfig(process.env)
}

/** A name of somebody else's program is no mistake: only what is nearly a setting is one. */
function tellMisspelt(name: string, tell: (warning: string) => void): void {
  if (Object.hasOwn(settings, name)) return
  const [meant] = nearest(name.toUpperCase(), Object.keys(settings), 2)
  if (meant) tell(`Atenção: ${name}, no arquivo .env, não é uma configuração, e não vale. Seria ${meant}?`)
}

export function envExample(): string {
  const written = sections.map(({ title, about, settings }) => {
    const blocks = Object.entries(settings).map(
      ([name, setting]) => `# ${setting.meaning}.\n# ${setting.shape}\n#${name}=${setting.example}\n`,
    )
    return `# ${`== ${title}: ${about} `.padEnd(108, '=')}\n\n${blocks.join('\n')}`
  })
  return `# Gerado por "npm run fiscal -- config exemplo". Copie para .env e descomente o que quiser mudar.\n\n${written.join('\n')}`
}

type Cadastro = 'aberto' | 'convite' | 'fechado'

/** Who may open an account: everybody, whoever has an invitation, or nobody. */
export const cadastroDe = ({
  CADASTRO,
  AUTHORITIES,
}: {
  CADASTRO: Cadastro | undefined
  AUTHORITIES: string
}): Cadastro => CADASTRO ?? (AUTHORITIES === 'live' ? 'fechado' : 'aberto')
