import type { Argument, Command, Option } from 'commander'
import { ufs } from '../documento/uf.ts'

const cascas = ['bash', 'zsh', 'fish'] as const

const COMO = `
Para que valha em todos os terminais:
  bash  fiscal completion bash > ~/.local/share/bash-completion/completions/fiscal
  zsh   fiscal completion zsh > ~/.zfunc/_fiscal   (e no .zshrc: fpath+=~/.zfunc; autoload -U compinit; compinit)
  fish  fiscal completion fish > ~/.config/fish/completions/fiscal.fish`

/** `fiscal completion`: what a shell offers at each place of the command line, made from the commands. */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('escreve o script que completa os comandos com Tab')
    .addHelpText('after', COMO)
  for (const casca of cascas)
    command
      .command(casca)
      .description(`o script para ${casca}`)
      .action(() => console.log({ bash, zsh, fish }[casca](placesOf(program))))
}

/** A word that may stand at a place, with what it means. */
type Palavra = { palavra: string; diz: string }

/** What follows a word: one of these values, or a file. */
type Valores = { palavra: string; valores: readonly string[] | 'arquivo' }

/** A place of the command line: `consultar ie`, and what may follow it. */
type Lugar = { caminho: string; palavras: readonly Palavra[]; valores: readonly Valores[]; arquivos: boolean }

function placesOf(command: Command, caminho = ''): Lugar[] {
  const { commands, options, registeredArguments } = command
  const opcoes = options.filter((option) => option.long && !option.hidden)
  const lugar: Lugar = {
    caminho,
    palavras: [
      ...commands.map((one) => ({ palavra: one.name(), diz: one.description() })),
      ...opcoes.map(({ long = '', description }) => ({ palavra: long, diz: description })),
      { palavra: '--help', diz: 'mostra a ajuda' },
    ],
    valores: opcoes.flatMap((option) => valuesOf(option) ?? []),
    arquivos: registeredArguments.some(isFile),
  }
  return [lugar, ...commands.flatMap((one) => placesOf(one, `${caminho} ${one.name()}`.trim()))]
}

const FILE = /^(?:arquivos?|zip|pasta|saida)$/

const isFile = (argument: Argument): boolean => FILE.test(argument.name())

function valuesOf({ long = '', flags, required, argChoices }: Option): Valores | undefined {
  if (!required) return undefined
  if (argChoices) return { palavra: long, valores: argChoices }
  if (long === '--uf') return { palavra: long, valores: ufs }
  return FILE.test(/<(\w+)/.exec(flags)?.[1] ?? '') ? { palavra: long, valores: 'arquivo' } : undefined
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The walk down the commands, which bash and zsh share: it leaves the place in `lugar`. */
const walkOf = (lugares: readonly Lugar[], words: string): string => `  local lugar='' palavra
  for palavra in ${words}; do
    case "\${lugar:+$lugar }$palavra" in
      ${lugares
        .slice(1)
        .map(({ caminho }) => quoted(caminho))
        .join('|')}) lugar="\${lugar:+$lugar }$palavra" ;;
    esac
  done`

function bash(lugares: readonly Lugar[]): string {
  const cases = lugares.map(
    ({ caminho, palavras, valores, arquivos }) => `    ${quoted(caminho)})
      case "$antes" in
${valores.map(({ palavra, valores }) => `        ${palavra}) ${valores === 'arquivo' ? 'COMPREPLY=($(compgen -f -- "$agora"))' : `COMPREPLY=($(compgen -W ${quoted(valores.join(' '))} -- "$agora"))`}; return ;;`).join('\n')}
      esac
      COMPREPLY=($(compgen -W ${quoted(palavras.map(({ palavra }) => palavra).join(' '))} -- "$agora")${arquivos ? ' $(compgen -f -- "$agora")' : ''}) ;;`,
  )
  return `# Completa o comando fiscal no bash. Feito por "fiscal completion bash".
_fiscal() {
  local agora="\${COMP_WORDS[COMP_CWORD]}" antes="\${COMP_WORDS[COMP_CWORD-1]}"
${walkOf(lugares, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$lugar" in
${cases.join('\n')}
  esac
}
complete -o filenames -F _fiscal fiscal`
}

function zsh(lugares: readonly Lugar[]): string {
  const shown = ({ palavra, diz }: Palavra): string => quoted(`${palavra}:${diz.replaceAll(':', '\\:')}`)
  const cases = lugares.map(
    ({ caminho, palavras, valores, arquivos }) => `    ${quoted(caminho)})
      case "$antes" in
${valores.map(({ palavra, valores }) => `        ${palavra}) ${valores === 'arquivo' ? '_files' : `compadd -- ${valores.join(' ')}`}; return ;;`).join('\n')}
      esac
      ofertas=(${palavras.map(shown).join(' ')})
      _describe fiscal ofertas${arquivos ? '\n      _files' : ''} ;;`,
  )
  return `#compdef fiscal
# Completa o comando fiscal no zsh. Feito por "fiscal completion zsh".
_fiscal() {
  local antes="\${words[CURRENT-1]}"
  local -a ofertas
${walkOf(lugares, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$lugar" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _fiscal ]; then _fiscal "$@"; else compdef _fiscal fiscal; fi`
}

function fish(lugares: readonly Lugar[]): string {
  const lines = lugares.flatMap(({ caminho, palavras, valores, arquivos }) => {
    const at = `-n "__fiscal_lugar ${quoted(caminho)}"`
    return [
      ...palavras.map(({ palavra, diz }) => {
        const given = valores.find((one) => one.palavra === palavra)?.valores
        const takes =
          given === undefined ? '' : given === 'arquivo' ? ' -rF' : ` -xa ${quoted(given.join(' '))}`
        const what = palavra.startsWith('--') ? `-l ${palavra.slice(2)}${takes}` : `-a ${quoted(palavra)}`
        return `complete -c fiscal ${at} ${what} -d ${quoted(diz)}`
      }),
      ...(arquivos ? [`complete -c fiscal ${at} -F`] : []),
    ]
  })
  const known = lugares.slice(1).map(({ caminho }) => quoted(caminho))
  return `# Completa o comando fiscal no fish. Feito por "fiscal completion fish".
complete -c fiscal -f
function __fiscal_lugar
  set -l lugar ''
  for palavra in (commandline -opc)[2..-1]
    set -l mais (string trim -- "$lugar $palavra")
    contains -- "$mais" ${known.join(' ')}; and set lugar "$mais"
  end
  test "$lugar" = "$argv[1]"
end
${lines.join('\n')}`
}
