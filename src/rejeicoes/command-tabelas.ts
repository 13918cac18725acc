import { type Command, InvalidArgumentError, Option } from 'commander'
import { dataBrasileira, diaProblem } from '../documento/dia.ts'
import { thousands } from '../platform/texto.ts'
import { INSTALAVEIS, type Instalavel, lerInstalada } from './tabelas/instaladas.ts'
import { NOSSAS, nossaTabela } from './tabelas/nossas.ts'
import type { TabelaDeCodigos } from './tabelas/tabela.ts'

/** The folder of the installed tables, and the clock. */
type Settings = { pasta: string; now: () => Date }

const COMO = `
As tabelas de códigos vêm com o serviço; a da NCM, que é grande e muda muito, é o operador quem instala. Sem ela,
a existência da NCM (rejeição 778) e a unidade do comércio exterior (817) ficam indeterminadas.

  1. Baixe no Portal Único Siscomex (Classif, Download, Tabela NCM Vigente) o arquivo JSON, ou faça um CSV
     codigo;inicio;fim, com utrib como quarta coluna se quiser conferir a unidade do comércio exterior.
  2. fiscal tabelas instalar ncm Tabela_NCM_Vigente.json
  3. Para voltar: fiscal tabelas remover ncm`

/** `fiscal tabelas`: the tables of codes by which notes are judged, and those of the operator. */
export function addTabelasCommands(program: Command, settings: Settings): Command {
  const tabelas = program
    .command('tabelas')
    .description('as tabelas de códigos com que as notas são conferidas: origem, dia e tamanho')
    .addOption(json())
    .addHelpText('after', COMO)
    .action((options: { json?: true }) => mostrar(settings, options))
  tabelas
    .command('instalar <tabela> <arquivo>')
    .description('instala a tabela da NCM (ncm) de um arquivo JSON ou CSV, depois de o conferir')
    .option('--dia <dia>', 'de que dia é a tabela (AAAA-MM-DD), quando o arquivo não o diz', parseDia)
    .addOption(json())
    .action((tabela: string, arquivo: string, _options: object, command: Command) =>
      instalar(tabela, arquivo, { settings, ...command.optsWithGlobals<{ dia?: string; json?: true }>() }),
    )
  tabelas
    .command('remover <tabela>')
    .description('remove uma tabela instalada')
    .addOption(json())
    .action((tabela: string, _options: object, command: Command) =>
      remover(tabela, settings, command.optsWithGlobals<{ json?: true }>()),
    )
  return tabelas
}

const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

function parseDia(text: string): string {
  const problem = diaProblem(text)
  if (problem) throw new InvalidArgumentError(problem)
  return text
}

function parseInstalavel(nome: string): Instalavel {
  const [achada] = instalaveis().filter((um) => um === nome)
  if (achada) return achada
  throw new Error(`A tabela ${nome} não é das que se instalam: ${instalaveis().join(', ')}.`)
}

const instalaveis = (): Instalavel[] =>
  Object.keys(INSTALAVEIS).filter((nome): nome is Instalavel => Object.hasOwn(INSTALAVEIS, nome))

function mostrar({ pasta }: Settings, options: { json?: true }): void {
  const nossas = NOSSAS.flatMap((nome) => nossaTabela(nome) ?? [])
  const instaladas = instalaveis().map((nome) => ({ nome, tabela: lerInstalada(nome, pasta) }))
  if (options.json) {
    const todas = [...nossas, ...instaladas.flatMap(({ tabela }) => tabela ?? [])]
    console.log(JSON.stringify({ tabelas: todas.map(emJson) }))
    return
  }
  for (const tabela of nossas) for (const linha of dizer(tabela)) console.log(linha)
  for (const { nome, tabela } of instaladas)
    for (const linha of tabela ? dizer(tabela) : [`${nome}  não instalada: fiscal tabelas instalar ${nome}`])
      console.log(linha)
}

const emJson = ({ nome, titulo, origem, de, certaDesde, certaAte, linhas }: TabelaDeCodigos) => ({
  tabela: nome,
  titulo,
  de,
  codigos: linhas.size,
  completa_desde: certaDesde || null,
  completa_ate: certaAte,
  origem,
})

const dizer = ({ nome, titulo, origem, de, certaAte, linhas }: TabelaDeCodigos): string[] => [
  `${nome}  ${titulo}: ${thousands(linhas.size)} códigos, de ${dataBrasileira(de)}; completa até ${dataBrasileira(certaAte)}`,
  `  ${origem}`,
]

async function instalar(
  pedida: string,
  arquivo: string,
  { settings, dia, json: emJsonPedido }: { settings: Settings; dia?: string; json?: true },
): Promise<void> {
  const nome = parseInstalavel(pedida)
  const { instalarTabela } = await import('./tabelas/instalar.ts')
  const { tabela, sha256, substituida } = instalarTabela(nome, arquivo, { ...settings, dia })
  if (emJsonPedido) {
    console.log(JSON.stringify({ ...emJson(tabela), sha256, substituida: substituida ?? null }))
    return
  }
  console.log(
    `${INSTALAVEIS[nome]} instalada: ${thousands(tabela.linhas.size)} códigos, de ${dataBrasileira(tabela.de)}, com os que se esperam dela.`,
  )
  console.log(`  ${sha256}  ${arquivo}`)
  if (substituida) console.log(`Tomou o lugar da de ${dataBrasileira(substituida)}.`)
  console.log(
    `Depois de ${dataBrasileira(tabela.certaAte)}, um código que ela não tem fica indeterminado: instale uma mais nova.`,
  )
  console.log('Um serviço no ar passa a usá-la no próximo diagnóstico, sem reiniciar.')
}

async function remover(pedida: string, { pasta }: Settings, options: { json?: true }): Promise<void> {
  const nome = parseInstalavel(pedida)
  const { removerTabela } = await import('./tabelas/instalar.ts')
  removerTabela(nome, pasta)
  if (options.json) console.log(JSON.stringify({ removida: nome }))
  else
    console.log(
      `${INSTALAVEIS[nome]} removida. Um serviço no ar deixa de usá-la no próximo diagnóstico, sem reiniciar.`,
    )
}
