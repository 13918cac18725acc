import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Books } from '../platform/books.ts'
import { envExample, readConfig } from '../platform/config/config.ts'
import { type Config, sections } from '../platform/config/settings.ts'
import { withPatience } from '../platform/db/outage.ts'
import { messageOf } from '../platform/errors.ts'
import { keepToOneself, makeDataFolder } from '../platform/start.ts'
import type { Sessoes } from '../rural/store.ts'

/** The `fiscal` command of operators. Errors that they can mend are Portuguese, without a stack. */
export async function main(argv: string[]): Promise<void> {
  keepToOneself()
  try {
    const program = await buildProgram(argv)
    // A command may walk all the books, and its person waits for it.
    await withPatience(() => program.parseAsync(argv))
  } catch (error) {
    process.exitCode = 1
    console.error(messageOf(error))
  }
}

async function buildProgram([, , asked = '']: string[]): Promise<Command> {
  const program = new Command('fiscal')
    .description(
      'Operação do Consulta Fiscal. As configurações vêm do ambiente e de um arquivo .env (veja "fiscal config").',
    )
    .showHelpAfterError('(use --help para ver as opções)')
    .helpOption('-h, --help', 'mostra esta ajuda')
    .helpCommand('help [comando]', 'mostra a ajuda de um comando')
    .configureHelp({
      styleTitle: toPortuguese,
      styleUsage: helpToPortuguese,
      styleSubcommandTerm: helpToPortuguese,
      styleOptionDescription: helpToPortuguese,
    })
    .configureOutput({ outputError: (message, write) => write(errorToPortuguese(message)) })
  const adders = addersOf(program, readConfig(), () => new Date())
  for (const [name, add] of Object.entries(adders))
    if (name === asked || !Object.hasOwn(adders, asked)) await add()
  return program
}

/** A command loads its own modules alone: those of `contas` are a fifth of all. */
function addersOf(program: Command, config: Config, now: () => Date): Record<string, () => Promise<void>> {
  const open = () => booksOf(config, now)
  return {
    backup: async () => (await import('./backup.ts')).addBackupCommand(program, config),
    config: async () => addConfigCommands(program, config),
    cnpj: async () => {
      const [{ addCnpjCommands }, { addBaixarCommand }] = await Promise.all([
        import('../cnpj/command.ts'),
        import('../cnpj/command-baixar.ts'),
      ])
      const cnpj = addCnpjCommands(program, { raiz: join(config.DATA_DIR, 'cnpj'), now })
      cnpj.hook('preAction', () => makeDataFolder(config))
      addBaixarCommand(cnpj, {
        url: config.CNPJ_WEBDAV_URL,
        token: config.CNPJ_WEBDAV_TOKEN,
        dataDir: config.DATA_DIR,
        live: config.AUTHORITIES === 'live',
      })
    },
    certificados: async () =>
      (await import('./certificados.ts')).addCertificadosCommands(program, { ...config, now }),
    consultar: async () => (await import('./consultas.ts')).addConsultarCommands(program, config),
    contas: async () =>
      (await import('../contas/command.ts')).addContasCommands(program, {
        open,
        now,
        publico: config.PUBLIC_URL,
      }),
    diagnosticar: async () =>
      (await import('../rejeicoes/command.ts')).addDiagnosticarCommand(program, { config, now }),
    esquemas: async () => {
      const [{ addEsquemasCommands }, { pastaDosEsquemas }] = await Promise.all([
        import('../rejeicoes/command-esquemas.ts'),
        import('../rejeicoes/esquema/calendario.ts'),
      ])
      const pasta = pastaDosEsquemas(config.DATA_DIR)
      addEsquemasCommands(program, { pasta, now }).hook('preAction', (_program, comando) => {
        if (comando.name() === 'instalar') makeDataFolder(config)
      })
    },
    fontes: async () => (await import('../fontes/command.ts')).addFontesCommands(program, { config, now }),
    mcp: async () => (await import('../mcp/command.ts')).addMcpCommand(program, { config, now }),
    rejeicao: async () =>
      (await import('../rejeicoes/command.ts')).addRejeicaoCommand(program, { config, now }),
    restaurar: async () => (await import('./backup.ts')).addRestaurarCommand(program, { config, now }),
    sefaz: async () => (await import('../sefaz/command.ts')).addSefazCommand(program, { config, now }),
    sigef: async () => {
      const hasSimulated = config.AUTHORITIES !== 'live'
      const { addSigefCommands } = await import('../rural/command.ts')
      addSigefCommands(program, { open: () => openOwn(config, now), now, hasSimulated })
    },
    simulador: async () => addSimuladorCommands(program),
    tabelas: async () => {
      const [{ addTabelasCommands }, { pastaDasTabelas }] = await Promise.all([
        import('../rejeicoes/command-tabelas.ts'),
        import('../rejeicoes/tabelas.ts'),
      ])
      const pasta = pastaDasTabelas(config.DATA_DIR)
      addTabelasCommands(program, { pasta, now }).hook('preAction', (_program, comando) => {
        if (comando.name() === 'instalar') makeDataFolder(config)
      })
    },
    trabalhos: async () => (await import('./trabalhos.ts')).addTrabalhosCommands(program, { open }),
  }
}

async function booksOf(config: Config, now: () => Date): Promise<Books> {
  const { openBooks } = await import('../platform/books.ts')
  return openBooks(config, now, false)
}

/** The operator's session, as the server with these settings keeps it. */
async function openOwn(
  config: Config,
  now: () => Date,
): Promise<{ sessoes: Sessoes; close: Books['close'] }> {
  const { openSessoes } = await import('../rural/store.ts')
  const { db, secret, close } = await booksOf(config, now)
  return { sessoes: openSessoes(db, { secret, now, simulador: config.AUTHORITIES !== 'live' }), close }
}

const titles: Record<string, string> = {
  'Usage:': 'Uso:',
  'Arguments:': 'Argumentos:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
}

/** The messages of commander for a mistyped command. */
const errors: [RegExp, string][] = [
  [/^error: /, 'Erro: '],
  [/required option (.+) not specified/, 'falta a opção $1'],
  [/missing required argument (.+)/, 'falta o argumento $1'],
  [/unknown command (.+)/, 'não há o comando $1'],
  [/\(Did you mean one of (.+)\?\)/, '(seria um destes: $1?)'],
  [/\(Did you mean (.+)\?\)/, '(seria $1?)'],
  [/unknown option (.+)/, 'não há a opção $1'],
  [/too many arguments.*/, 'há argumentos demais'],
  [/option (.+) argument missing/, 'a opção $1 pede um valor'],
  [/option (.+) cannot be used with option (.+)/, 'as opções $1 e $2 não vão juntas'],
  [/option (.+) argument (.+) is invalid\./, 'o valor $2 da opção $1 não serve:'],
  [/command-argument value (.+?) is invalid for argument (.+?)\./, 'o valor $1 do argumento $2 não serve:'],
]

const errorToPortuguese = (message: string): string =>
  errors.reduce((text, [pattern, words]) => text.replace(pattern, words), message)

const helpToPortuguese = (text: string): string =>
  text.replace('[options]', '[opções]').replace('[command]', '[comando]').replace('(default: ', '(padrão: ')

const toPortuguese = (title: string): string => titles[title] ?? title

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
  for (const { title, about, settings } of sections) {
    console.log(`\n${title}: ${about}\n`)
    for (const [name, setting] of Object.entries(settings)) {
      const value = config[name]
      const shown = setting.secret && value !== undefined ? '(definido)' : (value ?? '(não definido)')
      console.log(`${name}=${shown}\n    ${setting.meaning}`)
    }
  }
}

/** The simulator is a separate program. This command starts it as one. */
const PROGRAM = join(import.meta.dirname, '../../simulator/main.ts')

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
