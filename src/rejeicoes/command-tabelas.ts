import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { dataBrasileira, diaDe, diaDepois, diaProblem } from '../documento/dia.ts'
import { say } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'
import { isListed, type TabelaDeCodigos } from './rules-tabela.ts'
import {
  arquivoDa,
  INSTALAVEIS,
  type Instalavel,
  instaladaOuNenhuma,
  NOSSAS,
  nossaTabela,
  readInstalada,
  readTabela,
} from './tabelas.ts'

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
    .action((options: { json?: true }) => show(settings, options))
  tabelas
    .command('instalar <tabela> <arquivo>')
    .description('instala a tabela da NCM (ncm) de um arquivo JSON ou CSV, depois de o conferir')
    .option('--dia <dia>', 'de que dia é a tabela (AAAA-MM-DD), quando o arquivo não o diz', parseDia)
    .addOption(json())
    .action((tabela: string, arquivo: string, _options: object, command: Command) =>
      install(tabela, arquivo, { settings, ...command.optsWithGlobals<{ dia?: string; json?: true }>() }),
    )
  tabelas
    .command('remover <tabela>')
    .description('remove uma tabela instalada')
    .addOption(json())
    .action((tabela: string, _options: object, command: Command) =>
      remove(tabela, settings, command.optsWithGlobals<{ json?: true }>()),
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

function show({ pasta }: Settings, options: { json?: true }): void {
  const nossas = NOSSAS.flatMap((nome) => nossaTabela(nome) ?? [])
  const instaladas = instalaveis().map((nome) => ({ nome, tabela: readInstalada(nome, pasta) }))
  if (options.json) {
    const todas = [...nossas, ...instaladas.flatMap(({ tabela }) => tabela ?? [])]
    console.log(JSON.stringify({ tabelas: todas.map(emJson) }))
    return
  }
  for (const tabela of nossas) for (const linha of tell(tabela)) say(linha)
  for (const { nome, tabela } of instaladas)
    for (const linha of tabela ? tell(tabela) : [`${nome}  não instalada: fiscal tabelas instalar ${nome}`])
      say(linha)
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

const tell = ({ nome, titulo, origem, de, certaAte, linhas }: TabelaDeCodigos): string[] => [
  `${nome}  ${titulo}: ${thousands(linhas.size)} códigos, de ${dataBrasileira(de)}; completa até ${dataBrasileira(certaAte)}`,
  `  ${origem}`,
]

function install(
  pedida: string,
  arquivo: string,
  { settings, dia, json: emJsonPedido }: { settings: Settings; dia?: string; json?: true },
): void {
  const nome = parseInstalavel(pedida)
  const { tabela, sha256, substituida } = installTabela(nome, arquivo, { ...settings, dia })
  if (emJsonPedido) {
    console.log(JSON.stringify({ ...emJson(tabela), sha256, substituida: substituida ?? null }))
    return
  }
  say(
    `${INSTALAVEIS[nome]} instalada: ${thousands(tabela.linhas.size)} códigos, de ${dataBrasileira(tabela.de)}, com os que se esperam dela.`,
  )
  say(`  ${sha256}  ${arquivo}`)
  if (substituida) say(`Tomou o lugar da de ${dataBrasileira(substituida)}.`)
  say(
    `Depois de ${dataBrasileira(tabela.certaAte)}, um código que ela não tem fica indeterminado: instale uma mais nova.`,
  )
  say('Um serviço no ar passa a usá-la no próximo diagnóstico, sem reiniciar.')
}

function remove(pedida: string, { pasta }: Settings, options: { json?: true }): void {
  const nome = parseInstalavel(pedida)
  removeTabela(nome, pasta)
  if (options.json) console.log(JSON.stringify({ removida: nome }))
  else
    say(
      `${INSTALAVEIS[nome]} removida. Um serviço no ar deixa de usá-la no próximo diagnóstico, sem reiniciar.`,
    )
}

/** Why a file cannot be installed, in Portuguese: what to send instead. */
class TabelaRecusada extends Error {}

/** One code of a file: 8 digits, days AAAA-MM-DD (empty for none), and the unit for foreign trade if told. */
type LinhaDaNcm = { codigo: string; de: string; ate: string; uTrib: string }

/** What a file of the NCM holds. `de` is the day that it tells of itself; empty if it tells none. */
type ArquivoDaNcm = { linhas: readonly LinhaDaNcm[]; de: string; origem: string }

/** The official file has some 15 thousand entries, of which 10 thousand are whole codes. */
const MAIS_LINHAS = 100_000

/**
 * The JSON of the Siscomex (`Tabela_NCM_Vigente`), or a CSV `codigo;inicio;fim[;utrib]`. Throws
 * TabelaRecusada.
 */
const readNcm = (texto: string): ArquivoDaNcm => (/^\s*[[{]/.test(texto) ? readJson(texto) : readCsv(texto))

function readJson(texto: string): ArquivoDaNcm {
  const valor = parse(texto)
  const lista = membro(valor, 'Nomenclaturas')
  if (!Array.isArray(lista))
    throw new TabelaRecusada(
      'O JSON não tem a lista "Nomenclaturas": baixe a Tabela NCM Vigente do Portal Único Siscomex, em JSON.',
    )
  limit(lista.length)
  const linhas = lista.flatMap((entrada: unknown, i): LinhaDaNcm[] => {
    const codigo = textoDe(entrada, 'Codigo').replaceAll('.', '')
    // The headings of the nomenclature have fewer digits.
    if (/^\d{0,7}$/.test(codigo) && codigo !== '') return []
    const onde = `Na entrada ${i + 1} de "Nomenclaturas"`
    return [
      readLinha({ codigo, inicio: textoDe(entrada, 'Data_Inicio'), fim: textoDe(entrada, 'Data_Fim') }, onde),
    ]
  })
  const [, dia = ''] = /(\d{2}\/\d{2}\/\d{4})/.exec(textoDe(valor, 'Data_Ultima_Atualizacao_NCM')) ?? []
  return {
    linhas,
    de: dia === '' ? '' : readDia(dia, 'Na Data_Ultima_Atualizacao_NCM'),
    origem: 'Tabela NCM Vigente do Portal Único Siscomex (JSON)',
  }
}

function parse(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch (cause) {
    throw new TabelaRecusada('O arquivo não é um JSON inteiro: baixe-o de novo do Portal Único Siscomex.', {
      cause,
    })
  }
}

function membro(valor: unknown, nome: string): unknown {
  if (typeof valor !== 'object' || valor === null || !Object.hasOwn(valor, nome)) return undefined
  return Object.entries(valor).find(([chave]) => chave === nome)?.[1]
}

function textoDe(valor: unknown, nome: string): string {
  const achado = membro(valor, nome)
  return typeof achado === 'string' ? achado.trim() : ''
}

const COLUNAS = ['codigo', 'inicio', 'fim', 'utrib']

function readCsv(texto: string): ArquivoDaNcm {
  const linhas = texto.split(/\r?\n/)
  limit(linhas.length)
  const lidas = linhas.flatMap((linha, i): LinhaDaNcm[] => {
    if (linha.trim() === '') return []
    const celulas = linha.split(/[;,]/).map((celula) => celula.trim().replace(/^"(.*)"$/, '$1'))
    if (i === 0 && celulas[0]?.toLowerCase() === 'codigo') return checkColunas(celulas)
    if (celulas.length < 3 || celulas.length > 4)
      throw new TabelaRecusada(
        `A linha ${i + 1} tem ${celulas.length} colunas: envie codigo;inicio;fim, ou codigo;inicio;fim;utrib.`,
      )
    const [codigo = '', inicio = '', fim = '', uTrib = ''] = celulas
    return [readLinha({ codigo: codigo.replaceAll('.', ''), inicio, fim, uTrib }, `Na linha ${i + 1}`)]
  })
  return { linhas: lidas, de: '', origem: 'arquivo CSV do operador' }
}

function checkColunas(celulas: readonly string[]): [] {
  if (celulas.every((celula, i) => celula.toLowerCase() === COLUNAS[i])) return []
  throw new TabelaRecusada(
    `As colunas são ${celulas.join(';').slice(0, 80)}: envie codigo;inicio;fim, ou codigo;inicio;fim;utrib.`,
  )
}

function limit(quantas: number): void {
  if (quantas > MAIS_LINHAS)
    throw new TabelaRecusada(`O arquivo tem ${quantas} linhas: a NCM inteira tem menos de 20.000.`)
}

type Escrita = { codigo: string; inicio: string; fim: string; uTrib?: string }

function readLinha({ codigo, inicio, fim, uTrib = '' }: Escrita, onde: string): LinhaDaNcm {
  if (!/^\d{8}$/.test(codigo))
    throw new TabelaRecusada(`${onde}, o código "${codigo.slice(0, 20)}" não tem 8 algarismos.`)
  if (!/^[A-Za-z0-9 ]{0,6}$/.test(uTrib))
    throw new TabelaRecusada(`${onde}, a unidade "${uTrib.slice(0, 20)}" não tem até 6 letras ou algarismos.`)
  const de = readDia(inicio, onde)
  const ate = readDia(fim, onde)
  if (ate !== '' && ate < de) throw new TabelaRecusada(`${onde}, o código ${codigo} acaba antes de começar.`)
  return { codigo, de, ate, uTrib: uTrib.toUpperCase() }
}

/** The day that stands for no end in the official file. */
const SEM_FIM = '9999-12-31'

function readDia(texto: string, onde: string): string {
  const dia = texto.includes('/') ? texto.split('/').toReversed().join('-') : texto
  if (dia === '' || dia === SEM_FIM) return ''
  if (diaProblem(dia) !== undefined)
    throw new TabelaRecusada(`${onde}, "${texto.slice(0, 20)}" não é um dia: envie como 01/04/2022.`)
  return dia
}

/** Octets. The official JSON has some 3 MB. */
const MAIOR = 32 * 1024 * 1024

/** The whole NCM has some 10,500 codes; less is a part of it. */
const MENOS_CODIGOS = 9_000

/** The NCM changes with a quarter, and the official file has the codes of its own day alone. */
function fimDoTrimestre(dia: string): string {
  const [ano, mes] = dia.split('-').map(Number)
  const depois = new Date(Date.UTC(ano ?? 0, Math.ceil((mes ?? 1) / 3) * 3, 1))
  return diaDepois(depois.toISOString().slice(0, 10), -1)
}

/** Codes of the sale of everyday goods, which every NCM since 2012 has. */
const CONHECIDOS = ['09012100', '10063021', '22030000', '61091000', '84713012', '87032100', '94036000']

/** What may be told of a file that does not tell it. `dia`: of when the table is, AAAA-MM-DD. */
type OpcoesDaTabela = { dia?: string | undefined; now: () => Date }

/** `substituida`: the day of the table that it replaced. */
type TabelaInstalada = { tabela: TabelaDeCodigos; sha256: string; substituida: string | undefined }

/**
 * Puts the table in its place at once, for the next diagnosis. Throws TabelaRecusada, and then nothing
 * changed.
 */
function installTabela(
  nome: Instalavel,
  caminho: string,
  { pasta, dia, now }: OpcoesDaTabela & { pasta: string },
): TabelaInstalada {
  const bytes = readBytes(caminho)
  const arquivo = readNcm(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  const hoje = diaDe(now().getTime())
  const de = dia ?? (arquivo.de || hoje)
  if (de > hoje) throw new TabelaRecusada(`O dia da tabela (${de}) ainda não chegou: diga o dela com --dia.`)
  const sha256 = hash('sha256', bytes)
  const escrita = write(nome, arquivo, { de, sha256, instaladaEm: now().toISOString() })
  const tabela = readTabela(nome, escrita)
  tryOut(tabela, de)
  const antiga = instaladaOuNenhuma(nome, pasta)
  save(arquivoDa(nome, pasta), `${escrita}# fim\n`)
  return { tabela, sha256, substituida: antiga?.de }
}

function removeTabela(nome: Instalavel, pasta: string): void {
  try {
    rmSync(arquivoDa(nome, pasta))
  } catch (cause) {
    throw new TabelaRecusada(`A tabela da ${INSTALAVEIS[nome]} não está instalada: não há o que remover.`, {
      cause,
    })
  }
}

function readBytes(caminho: string): Buffer {
  const achado = statSync(caminho, { throwIfNoEntry: false })
  if (!achado?.isFile())
    throw new TabelaRecusada(`O arquivo ${caminho} não existe: confira o caminho do arquivo que você baixou.`)
  if (achado.size > MAIOR)
    throw new TabelaRecusada(`O arquivo ${caminho} passa de 32 MiB: a tabela da NCM tem menos de 4 MB.`)
  try {
    return readFileSync(caminho)
  } catch (cause) {
    throw new TabelaRecusada(`O arquivo ${caminho} não pôde ser lido: confira as permissões.`, { cause })
  }
}

function write(
  nome: Instalavel,
  { linhas, origem }: ArquivoDaNcm,
  { de, sha256, instaladaEm }: { de: string; sha256: string; instaladaEm: string },
): string {
  const ditas = [
    `# titulo: ${INSTALAVEIS[nome]}`,
    `# origem: ${origem}, instalado em ${instaladaEm}, SHA-256 ${sha256}`,
    `# de: ${de}`,
    `# certa_desde: ${de}`,
    `# certa_ate: ${fimDoTrimestre(de)}`,
    '# inicios: incertos',
    'codigo,de,ate,uTrib',
  ]
  const escritas = linhas.map((linha) => [linha.codigo, linha.de, linha.ate, linha.uTrib].join())
  return `${[...ditas, ...escritas].join('\n')}\n`
}

function tryOut(tabela: TabelaDeCodigos, dia: string): void {
  const quantos = tabela.linhas.size
  if (quantos < MENOS_CODIGOS)
    throw new TabelaRecusada(
      `O arquivo tem ${quantos} códigos de 8 algarismos, e a NCM inteira tem mais de ${MENOS_CODIGOS}: baixe a tabela inteira.`,
    )
  const faltam = CONHECIDOS.filter((codigo) => isListed(tabela, codigo, dia) !== true)
  if (faltam.length > 1)
    throw new TabelaRecusada(
      `Faltam no arquivo, em ${dia}, códigos que a NCM tem (${faltam.join(', ')}): não é a tabela vigente, ou está cortada.`,
    )
}

/** Writes beside it and renames, so that there is the old file or the new one, and never a part. */
function save(arquivo: string, texto: string): void {
  mkdirSync(dirname(arquivo), { recursive: true, mode: 0o700 })
  const novo = `${arquivo}.${randomUUID()}`
  try {
    writeFileSync(novo, texto, { mode: 0o600, flush: true })
    renameSync(novo, arquivo)
  } finally {
    rmSync(novo, { force: true })
  }
}
