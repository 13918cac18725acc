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
import { paint, tellAside, wrapLines } from '../platform/terminal.ts'
import type { Sessoes } from '../rural/store.ts'
import { inPortuguese, tellServico } from './ajuda.ts'

/** The `fiscal` command of operators. Errors that they can mend are Portuguese, without a stack. */
export async function main(argv: string[]): Promise<void> {
  keepToOneself()
  try {
    const config = readConfig(tellAside)
    const [, , asked] = argv
    const program = await buildProgram(config, asked ?? '')
    if (asked === undefined) {
      console.log(await tellServico(config))
      program.outputHelp()
      return
    }
    // A command may walk all the books, and its person waits for it.
    await withPatience(() => program.parseAsync(argv))
  } catch (error) {
    process.exitCode = 1
    tellAside(messageOf(error))
  }
}

async function buildProgram(config: Config, asked: string): Promise<Command> {
  const program = inPortuguese(
    new Command('fiscal').description(
      'Operação do Consulta Fiscal. As configurações vêm do ambiente e de um arquivo .env (veja "fiscal config").',
    ),
  )
  const adders = addersOf(program, config, () => new Date())
  // What is completed is every command.
  const isAlone = asked !== 'completion' && Object.hasOwn(adders, asked)
  for (const [group, names] of groups)
    for (const name of names) {
      if (name !== asked && isAlone) continue
      await adders[name]?.()
      program.commands.at(-1)?.helpGroup(group)
    }
  const help = new Command('help').argument('[comando]').description('mostra a ajuda de um comando')
  return program.addHelpCommand(help.helpGroup('Ajustar:'))
}

/** The commands as the help shows them: what most people came for first. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Perguntar:', ['consultar', 'sefaz', 'rejeicao', 'diagnosticar', 'mcp']],
  ['Operar:', ['contas', 'fontes', 'cnpj', 'certificados', 'sigef', 'trabalhos', 'backup', 'restaurar']],
  ['Ajustar:', ['config', 'esquemas', 'tabelas', 'simulador', 'completion']],
]

/** A command loads its own modules alone: those of `contas` are a fifth of all. */
function addersOf(program: Command, config: Config, now: () => Date): Record<string, () => Promise<void>> {
  const open = () => booksOf(config, now)
  return {
    backup: async () => (await import('./backup.ts')).addBackupCommand(program, config),
    completion: async () => (await import('./completar.ts')).addCompletionCommand(program),
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
        local: `http://127.0.0.1:${config.PORT}`,
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

/** `fiscal config`: prints the settings in effect without the secrets, and the example file. */
export function addConfigCommands(program: Command, config: Config): void {
  const command = program
    .command('config')
    .description('mostra as configurações em vigor (segredos não aparecem)')
  command
    .option('--json', 'escreve JSON em vez de texto')
    .action(({ json }: { json?: true }) => showConfig(config, json))
  command
    .command('exemplo')
    .description('escreve o arquivo .env.example')
    .action(() => console.log(envExample().trimEnd()))
}

function showConfig(config: Record<string, unknown>, json: true | undefined): void {
  const shownOf = (name: string, { secret }: { secret?: boolean }): unknown => {
    const value = secret && config[name] !== undefined ? '(definido)' : config[name]
    return value instanceof Set ? [...value].join(',') : value
  }
  if (json) {
    const all = sections.flatMap(({ settings }) => Object.entries(settings))
    console.log(
      JSON.stringify(
        Object.fromEntries(all.map(([name, one]) => [name, shownOf(name, one) ?? null])),
        null,
        2,
      ),
    )
    return
  }
  for (const { title, about, settings } of sections) {
    console.log(`\n${wrapLines(`${title}: ${about}`)}\n`)
    for (const [name, one] of Object.entries(settings)) {
      console.log(paint(`${name}=${shownOf(name, one) ?? '(não definido)'}`, 'forte'))
      console.log(wrapLines(`    ${one.meaning}`))
    }
  }
}

/** The simulator is a separate program. This command starts it as one. */
const PROGRAM = join(import.meta.dirname, '../../simulator/main.ts')

export function addSimuladorCommands(program: Command): void {
  const command = program.command('simulador').description('o simulador das autoridades')
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
