import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { dataBrasileira } from '../documento/dia.ts'
import type { Config } from '../platform/config/settings.ts'
import { messageOf } from '../platform/errors.ts'
import { textoDosBytes } from '../platform/http/bodies.ts'
import { enderecoDoServico } from '../platform/servico.ts'
import { paint, wrapLines } from '../platform/terminal.ts'
import { codeOf } from '../platform/wire/fonte.ts'
import type { Catalogo } from './catalogo.ts'
import { diagnose } from './diagnostico/diagnostico.ts'
import { pastaDosEsquemas } from './esquema/calendario.ts'
import { openCatalogo } from './rejeicoes.ts'
import { nomeDoEsquema, type Rejeicao } from './rules.ts'
import type { Corrigido, Emenda, Laudo, Suspeita } from './rules-laudo.ts'
import { pastaDasTabelas } from './tabelas.ts'

type Settings = { config: Config; now: () => Date }

/** `fiscal rejeicao`: an entry of the catalogue, without the service. */
export function addRejeicaoCommand(program: Command, settings: Settings): void {
  program
    .command('rejeicao <codigo>')
    .description('o que quer dizer uma rejeição da NF-e, por que acontece e como resolver')
    .option('--json', 'escreve a entrada do catálogo em JSON')
    .action((codigo: string, { json }: { json?: true }) => {
      const found = readCatalogo(settings).porCodigo.get(Number(codigo))
      if (!found) throw new Error(`O código ${codigo} não está no catálogo de rejeições.`)
      if (json) console.log(JSON.stringify(found, null, 2))
      else console.log(wrapLines(linesOf(found, enderecoDoServico(settings.config)).join('\n')))
    })
}

/** `fiscal diagnosticar`: a note of a file against the catalogue, without the service. */
export function addDiagnosticarCommand(program: Command, settings: Settings): void {
  program
    .command('diagnosticar <arquivo>')
    .description('por que a SEFAZ recusaria a NF-e ou NFC-e de um arquivo XML')
    .option('--json', 'escreve o diagnóstico inteiro em JSON')
    .option('--corrigido <saida>', 'grava o XML corrigido, sem assinatura; - o escreve na saída padrão')
    .option('--sobrescrever', 'deixa --corrigido trocar um arquivo que já existe')
    .action(async (arquivo: string, opcoes: OpcoesDoDiagnostico) => {
      const { json, corrigido: saida } = opcoes
      refuseSaida(opcoes)
      const { arquivo: catalogo } = readCatalogo(settings)
      const { xml, avisos } = textoDosBytes(readNota(arquivo))
      const esquemas = pastaDosEsquemas(settings.config.DATA_DIR)
      const tabelas = pastaDasTabelas(settings.config.DATA_DIR)
      const pedido = { xml, agora: settings.now(), catalogo, esquemas, tabelas }
      const feito = await diagnose(pedido, { owner: 'cli' })
      const laudo = { ...feito, avisos: [...avisos, ...feito.avisos] }
      const dito = json ? JSON.stringify(laudo, null, 2) : wrapLines(shown(laudo).join('\n'))
      // What goes to the standard output is the file, and nothing else.
      if (saida === '-') console.error(dito)
      else console.log(dito)
      if (saida !== undefined) saveCorrigido(laudo.corrigido, saida, opcoes)
    })
}

type OpcoesDoDiagnostico = { json?: true; corrigido?: string; sobrescrever?: true }

const jaExiste = (saida: string): Error =>
  new Error(`O arquivo ${saida} já existe. Escolha outro nome, ou repita com --sobrescrever.`)

function readNota(arquivo: string): Buffer {
  try {
    return readFileSync(arquivo)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw new Error(`Não consegui ler ${arquivo}: ${messageOf(error)}`)
    throw new Error(
      `Não há o arquivo ${arquivo}. Confira o caminho (procurado a partir de ${process.cwd()}).`,
    )
  }
}

function refuseSaida({ corrigido: saida, sobrescrever }: OpcoesDoDiagnostico): void {
  if (saida === undefined && sobrescrever) throw new Error('--sobrescrever só vale com --corrigido.')
  if (saida !== undefined && saida !== '-' && !sobrescrever && existsSync(saida)) throw jaExiste(saida)
}

function saveCorrigido(
  corrigido: Corrigido | null,
  saida: string,
  { sobrescrever }: OpcoesDoDiagnostico,
): void {
  if (!corrigido) throw new Error('Não há correção certa para esta nota: nenhum XML corrigido foi escrito.')
  if (saida === '-') {
    process.stdout.write(corrigido.xml)
    return
  }
  try {
    writeFileSync(saida, corrigido.xml, { flag: sobrescrever ? 'w' : 'wx' })
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? jaExiste(saida) : error
  }
  console.error(`O XML corrigido está em ${saida}.`)
}

function readCatalogo({ config, now }: Settings): Catalogo {
  const log = { info: () => {}, error: () => {} }
  const aberto = openCatalogo({ arquivo: config.REJEICOES_FILE, now, log })
  const found = aberto.read()
  if (found) return found
  throw new Error(`O catálogo ${aberto.arquivo} não pôde ser lido: ${aberto.falha()}`)
}

const linesOf = (
  { codigo, motivo, causas, solucao_passos, onde_consultar = [], url_blog }: Rejeicao,
  servico: string,
): string[] => [
  paint(`${codigo}  ${motivo}`, 'forte'),
  '',
  ...causas.map((causa) => `- ${causa}`),
  '',
  ...numerados(solucao_passos),
  '',
  ...onde_consultar.map(({ nome, endereco }) => `${nome}: ${endereco}`),
  `Página: ${servico}${url_blog}`,
]

function shown(laudo: Laudo): string[] {
  const { esquema, assinatura, regras, suspeitas, emendas, corrigido, avisos } = laudo
  const erros = esquema.erros.map(({ onde, mensagem }) => `- ${onde}: ${mensagem}`)
  const quantos = erros.length + esquema.omitidos
  return [
    verdictOf(laudo),
    '',
    `Esquema ${nomeDoEsquema(esquema)}: ${esquema.valido ? 'válido' : quantos === 1 ? '1 erro' : `${quantos} erros`}`,
    ...erros,
    `Assinatura: ${assinatura.mensagem}`,
    `Regras de ${dataBrasileira(regras.dia)}, ${regras.ambiente === 'producao' ? 'produção' : 'homologação'}`,
    ...listadas(suspeitas),
    ...emendas.map((emenda) => `Emenda em ${emenda.caminho}: ${howToApply(emenda)} (${emenda.motivo})`),
    ...sob('Regra posterior, ou diferença nossa:', laudo.divergencias),
    ...sob('Se fosse transmitida hoje:', laudo.se_transmitida_hoje),
    ...(corrigido ? ['O que falta depois das emendas:', ...numerados(corrigido.falta)] : []),
    ...avisos,
  ]
}

function verdictOf({ suspeitas, esquema }: Laudo): string {
  if (suspeitas.length > 0) {
    const quantas = suspeitas.length === 1 ? '1 rejeição provável' : `${suspeitas.length} rejeições prováveis`
    return paint(`${quantas}: ${suspeitas.map(({ codigo }) => codigo).join(', ')}`, 'ruim')
  }
  return esquema.valido
    ? paint('Nenhuma rejeição provável foi achada.', 'bom')
    : paint('O esquema recusa a nota; nenhuma outra rejeição provável foi achada.', 'ruim')
}

const listadas = (suspeitas: readonly Suspeita[]): string[] =>
  suspeitas.flatMap(({ codigo, titulo, ocorrencias }) => [
    `${codigo}  ${titulo}`,
    ...ocorrencias.map(({ onde, mensagem }) => `  - ${onde}: ${mensagem}`),
  ])

const sob = (titulo: string, suspeitas: readonly Suspeita[]): string[] =>
  suspeitas.length > 0 ? [titulo, ...listadas(suspeitas)] : []

const numerados = (passos: readonly string[]): string[] => passos.map((passo, at) => `${at + 1}. ${passo}`)

function howToApply({ acao, de, para }: Emenda): string {
  if (acao === 'retirar') return 'retire o campo'
  if (acao === 'mover') return para === null ? 'mova para o fim do grupo' : `mova para antes de ${para}`
  return `troque ${JSON.stringify(de)} por ${JSON.stringify(para)}`
}
