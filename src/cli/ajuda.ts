import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { criarCliente, ErroFiscal, type Recibo } from '@consulta-fiscal/cliente'
import type { Command } from 'commander'
import type { Config } from '../platform/config/settings.ts'
import { enderecoDoServico, readChave } from '../platform/servico.ts'
import { columnsOf, hasColour, paint, wrapLines } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'

const RAIZ = join(import.meta.dirname, '../..')

const versao = (): string => JSON.parse(readFileSync(join(RAIZ, 'package.json'), 'utf8')).version

const SAIDA = `
Termina com:
  0  feito
  1  não deu certo, e repetir igual não adianta
  2  não deu certo, e pode dar mais tarde
  130  interrompido com Ctrl-C

Cores: NO_COLOR=1 as tira, FORCE_COLOR=1 as põe também em um cano.`

/** Commander in Portuguese, as wide as the terminal, with colour where there is one. */
export function inPortuguese(program: Command): Command {
  return program
    .showHelpAfterError('(use --help para ver as opções)')
    .version(versao(), '-V, --version', 'mostra a versão')
    .helpOption('-h, --help', 'mostra esta ajuda')
    .helpCommand('help [comando]', 'mostra a ajuda de um comando')
    .addHelpText('after', SAIDA)
    .configureHelp({
      styleTitle: (title) => paint(toPortuguese(title), 'forte'),
      styleUsage: helpToPortuguese,
      styleSubcommandTerm: helpToPortuguese,
      styleOptionDescription: helpToPortuguese,
    })
    .configureOutput({
      getOutHelpWidth: () => columnsOf(process.stdout),
      getErrHelpWidth: () => columnsOf(process.stderr),
      getOutHasColors: () => hasColour(process.stdout),
      getErrHasColors: () => hasColour(process.stderr),
      writeOut: (text) => process.stdout.write(wrapLines(text)),
      writeErr: (text) => process.stderr.write(wrapLines(text, process.stderr)),
      outputError: (message, write) => write(errorToPortuguese(message)),
    })
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

const EXEMPLO = '  Por exemplo: fiscal consultar ie --todas 99.034.721/0001-80'

/** What `fiscal` alone says first: whether a service answers, else how to start one, and where it looked. */
export async function tellServico(config: Config): Promise<string> {
  const endereco = enderecoDoServico(config)
  const title = paint(`Consulta Fiscal ${versao()}`, 'forte')
  const chave = config.FISCAL_CHAVE
  const cliente = criarCliente({ endereco, ...(chave !== undefined && { chave: readChave(chave) }) })
  const says = await cliente.conta.comRecibo({}, { tentativas: 1, prazoMs: 1_500 }).then(
    ({ dados, recibo }) => [
      noAr(endereco, recibo),
      `  Plano ${dados.plano}, ${thousands(dados.creditos.disponiveis)} créditos.`,
      EXEMPLO,
    ],
    (erro: unknown) => {
      if (!(erro instanceof ErroFiscal) || erro.recibo?.ambiente === undefined)
        return [`${paint('●', 'ruim')} ${semServico(config)}`]
      const falta =
        chave === undefined
          ? '  Falta a chave de API: ponha-a em FISCAL_CHAVE, no .env.'
          : `  ${erro.message}`
      return [noAr(endereco, erro.recibo), falta]
    },
  )
  return wrapLines([title, '', ...says, ''].join('\n'))
}

const noAr = (endereco: string, { ambiente }: Pick<Recibo, 'ambiente'>): string =>
  `${paint('●', 'bom')} Serviço no ar em ${endereco} (${ambiente === 'simulador' ? 'simulador' : 'ao vivo'})`

/** What to do where nobody answers at the service's address. */
export function semServico(config: Pick<Config, 'FISCAL_ENDERECO' | 'PORT'>): string {
  const endereco = enderecoDoServico(config)
  const { hostname, protocol } = new URL(endereco)
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(hostname)
  const de = config.FISCAL_ENDERECO ? '--endereco ou FISCAL_ENDERECO' : `PORT=${config.PORT}`
  const lines = [
    `Nenhum serviço atende em ${endereco} (de ${de}).`,
    ...(isHere ? [`  Para começar um: npm start, na pasta ${RAIZ}`] : []),
    ...(protocol === 'https:'
      ? ['  Se ele atende sem TLS, o endereço começa com http:// e não https://.']
      : []),
    '  Se ele está em outro lugar: FISCAL_ENDERECO=http://máquina:porta, no ambiente ou no arquivo .env',
  ]
  return lines.join('\n')
}
