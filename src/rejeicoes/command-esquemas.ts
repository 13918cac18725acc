import { type Command, InvalidArgumentError, Option } from 'commander'
import { dataBrasileira, diaDe, diaProblem } from '../documento/dia.ts'
import { say } from '../platform/terminal.ts'
import {
  calendario,
  type Instalado,
  type PacoteNoDia,
  pacotesDoDia,
  readInstalados,
  readPacotes,
} from './esquema/calendario.ts'
import { installEsquemas, removeEsquemas, resumosDe } from './esquema/instalacao.ts'
import { nomesDasOrigens, type Regencia } from './rules.ts'

type Settings = { pasta: string; now: () => Date }

type OpcoesDeInstalar = {
  nome?: string
  producao?: string
  homologacao?: string
  aceitarResumos?: true
  json?: true
}

const COMO = `
O serviço traz o PL_010b oficial, e os seguintes refeitos a partir das notas técnicas. Um pacote oficial
instalado vale no lugar do nosso, e os diagnósticos seguintes já o usam, sem reiniciar o serviço.

  1. Baixe no portal da NF-e (Documentos, Esquemas XML) o zip do pacote de liberação, como PL_010f_v1.04.zip.
  2. fiscal esquemas instalar PL_010f_v1.04.zip
  3. Para voltar: fiscal esquemas remover PL_010f_v1.04`

/** `fiscal esquemas`: by which schemas notes are judged, and the official packages of the operator. */
export function addEsquemasCommands(program: Command, settings: Settings): Command {
  const esquemas = program
    .command('esquemas')
    .description('os esquemas (XSD) com que as notas são conferidas, por dia e ambiente')
    .addOption(json())
    .addHelpText('after', COMO)
    .action((options: { json?: true }) => show(settings, options))
  esquemas
    .command('instalar <zip>')
    .description('instala um pacote oficial baixado do portal da NF-e, depois de o conferir e experimentar')
    .option('--nome <pacote>', 'o nome do pacote, como PL_010f_v1.04, quando o zip não o diz')
    .option('--producao <dia>', 'desde quando vale em produção (AAAA-MM-DD)', parseDia)
    .option('--homologacao <dia>', 'desde quando vale em homologação (AAAA-MM-DD)', parseDia)
    .option('--aceitar-resumos', 'aceita um pacote conhecido com outros resumos (SHA-256)')
    .addOption(json())
    .action((zip: string, _options: object, command: Command) =>
      install(zip, settings, command.optsWithGlobals<OpcoesDeInstalar>()),
    )
  esquemas
    .command('remover <pacote>')
    .description('remove um pacote instalado: volta a valer o que acompanha o serviço')
    .addOption(json())
    .action((pacote: string, _options: object, command: Command) =>
      remove(pacote, settings, command.optsWithGlobals<{ json?: true }>()),
    )
  return esquemas
}

const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

function parseDia(text: string): string {
  const problem = diaProblem(text)
  if (problem) throw new InvalidArgumentError(problem)
  return text
}

const ambientes: readonly (readonly [Regencia['ambiente'], string])[] = [
  ['1', 'Produção'],
  ['2', 'Homologação'],
]

function show({ pasta, now }: Settings, options: { json?: true }): void {
  const instalados = readInstalados(pasta)
  const dia = diaDe(now().getTime())
  if (options.json) {
    const doAmbiente = (ambiente: Regencia['ambiente']) =>
      calendario(ambiente, instalados).map((pacote) => ({
        pacote: pacote.nome,
        desde: pacote.desde,
        talvez_desde: pacote.duvida ?? null,
        origem: pacote.origem,
        em_uso: isEmUso(pacote, { ambiente, dia }, instalados),
        resumos: resumosDe(pacote, instalados),
      }))
    console.log(JSON.stringify({ dia, producao: doAmbiente('1'), homologacao: doAmbiente('2') }))
    return
  }
  for (const [ambiente, titulo] of ambientes) {
    say(`${titulo}, em ${dataBrasileira(dia)}:`)
    for (const pacote of calendario(ambiente, instalados)) {
      const marca = isEmUso(pacote, { ambiente, dia }, instalados) ? '*' : ' '
      const duvida = pacote.duvida ? `, talvez já desde ${dataBrasileira(pacote.duvida)}` : ''
      say(
        `${marca} ${pacote.nome}  desde ${dataBrasileira(pacote.desde)}${duvida}  ${nomesDasOrigens[pacote.origem]}`,
      )
    }
  }
  say('* em uso hoje. Uma nota é conferida pelo pacote do dia dela.')
  showResumos(instalados)
}

const isEmUso = ({ nome }: PacoteNoDia, quando: Regencia, instalados: readonly Instalado[]): boolean =>
  pacotesDoDia(quando, instalados).some((pacote) => pacote.nome === nome)

function showResumos(instalados: readonly Instalado[]): void {
  for (const pacote of calendario('1', instalados)) {
    say(`${pacote.nome}, SHA-256:`)
    for (const [arquivo, resumo] of Object.entries(resumosDe(pacote, instalados)))
      say(`  ${resumo}  ${arquivo}`)
  }
  const faltam = readPacotes().oficiais.filter(({ nome }) => !instalados.some((um) => um.nome === nome))
  if (instalados.length === 0) say('Nenhum pacote foi instalado por você.')
  for (const { nome, endereco } of faltam) say(`O ${nome} oficial está em ${endereco}`)
}

async function install(zip: string, { pasta, now }: Settings, options: OpcoesDeInstalar): Promise<void> {
  const { pacote, substituido, oficial, outros } = await installEsquemas(zip, pasta, { ...options, now })
  if (options.json) {
    const { pasta: _pasta, ...dito } = pacote
    console.log(JSON.stringify({ ...dito, substituido: substituido ?? null, ignorados: outros.length }))
    return
  }
  say(
    `${pacote.nome} instalado: compila, aceita as notas boas de exemplo e recusa as estragadas. Vale desde ${dataBrasileira(pacote.desde.producao)} em produção e ${dataBrasileira(pacote.desde.homologacao)} em homologação.`,
  )
  say(
    oficial
      ? `Os resumos são os oficiais (${oficial.origem}).`
      : 'Não se conhecem os resumos oficiais deste pacote: compare-os com os do portal.',
  )
  for (const [arquivo, resumo] of [...Object.entries(pacote.arquivos), ['zip', pacote.zip]])
    say(`  ${resumo}  ${arquivo}`)
  if (substituido) say(`Tomou o lugar do ${substituido}, que estava instalado.`)
  if (outros.length > 0) say(`Não foram lidos ${outros.length} outros arquivos do zip.`)
  say('Um serviço no ar passa a usá-lo no próximo diagnóstico, sem reiniciar.')
}

function remove(pedido: string, { pasta }: Settings, options: { json?: true }): void {
  const { nome } = removeEsquemas(pedido, pasta)
  if (options.json) console.log(JSON.stringify({ removido: nome }))
  else
    say(`${nome} removido. Um serviço no ar volta ao que o acompanha no próximo diagnóstico, sem reiniciar.`)
}
