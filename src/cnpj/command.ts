import { SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import { messageOf } from '../platform/errors.ts'
import { formatInstante } from '../platform/pages/formatos.ts'
import { drawTable, say } from '../platform/terminal.ts'
import { thousands } from '../platform/texto.ts'
import type { Manifesto, Portao } from './base/versao.ts'
import { activateVersao, listVersoes, type VersaoEmDisco } from './base/versoes.ts'
import { ImportError } from './importacao/entradas.ts'
import { importCnpj } from './importacao/importacao.ts'
import type { ImportProgress, ImportStep } from './importacao/publish.ts'

type Tela = { show(andamento: ImportProgress): void; stop(): void }

const NOMES: Record<ImportStep, string> = {
  leitura: 'Lendo os zips',
  gravacao: 'Gravando a base',
  conferencia: 'Conferindo',
  publicacao: 'Publicando',
}

/** All but JSON goes to standard error. */
function createTela(json: boolean): Tela {
  if (json) return createJson()
  return process.stderr.isTTY ? createBars() : createLines()
}

function amount({ etapa, feito, total }: ImportProgress): string {
  if (etapa === 'leitura') return `${(feito / 1e6).toFixed(0)} de ${(total / 1e6).toFixed(0)} MB`
  return `${feito} de ${total} trechos`
}

function createBars(): Tela {
  let bar: SingleBar | undefined
  let etapa: ImportStep | undefined
  let started = 0
  return {
    show(andamento) {
      if (andamento.etapa !== etapa) {
        bar?.stop()
        etapa = andamento.etapa
        started = performance.now()
        bar = new SingleBar({
          format: `${NOMES[etapa].padEnd(16)} |{bar}| {percentage}% {quanto}, {taxa} linhas/s, faltam {eta_formatted}`,
          stream: process.stderr,
          etaBuffer: 100,
          hideCursor: true,
        })
        bar.start(andamento.total, 0, { quanto: '', taxa: '0' })
      }
      const seconds = Math.max((performance.now() - started) / 1000, 0.001)
      const taxa = thousands(Math.round(andamento.registros / seconds))
      bar?.update(andamento.feito, { quanto: amount(andamento), taxa })
    },
    stop: () => bar?.stop(),
  }
}

/** One line at the start of each step and at each tenth of it. */
function createLines(): Tela {
  let last = ''
  return {
    show(andamento) {
      const { etapa, feito, total, registros } = andamento
      const tenth = total === 0 ? 10 : Math.floor((feito / total) * 10)
      const key = `${etapa} ${tenth}`
      if (key === last) return
      last = key
      const rest =
        etapa === 'leitura' || etapa === 'gravacao'
          ? `: ${tenth * 10}% (${amount(andamento)}, ${thousands(registros)} linhas)`
          : ''
      console.error(`${NOMES[etapa]}${rest}`)
    },
    stop: () => {},
  }
}

const JSON_MS = 500

/** An event at each change of step, and within a step at most twice a second. */
function createJson(): Tela {
  let etapa: ImportStep | undefined
  let told = 0
  return {
    show(andamento) {
      const now = performance.now()
      if (andamento.etapa === etapa && now - told < JSON_MS && andamento.feito < andamento.total) return
      etapa = andamento.etapa
      told = now
      console.log(JSON.stringify({ evento: 'andamento', ...andamento }))
    },
    stop: () => {},
  }
}

/** `raiz` is `<DATA_DIR>/cnpj`. */
export type CnpjSettings = { raiz: string; now: () => Date }

type OpcoesImportar = {
  versao?: string
  amostra: boolean
  threads?: number
  manter: number
  aceitar: string[]
  json: boolean
}

function parseInteiro(text: string): number {
  const value = Number(text)
  if (/^\d{1,3}$/.test(text)) return value
  throw new InvalidArgumentError('use um número inteiro de 0 a 999')
}

/** Returns the command, so that others can add theirs. */
export function addCnpjCommands(program: Command, settings: CnpjSettings): Command {
  const cnpj = program.command('cnpj').description('base do CNPJ: baixa, importa, lista e troca de versão')
  cnpj
    .command('importar')
    .description(
      'Importa os zips oficiais de uma pasta e põe a nova versão no ar; interrompida, continua de onde parou',
    )
    .argument('<pasta>', 'pasta com Empresas*.zip, Estabelecimentos*.zip, Socios*.zip e as tabelas')
    .option('--versao <AAAA-MM>', 'mês dos arquivos, quando os nomes de dentro dos zips não o dizem')
    .option('--amostra', 'base parcial: dispensa as conferências que supõem a base nacional', false)
    .option('--threads <n>', 'quantas threads usar (padrão: uma por núcleo)', parseInteiro)
    .option('--manter <n>', 'quantas versões antigas manter', parseInteiro, 1)
    .option('--aceitar <conferencias...>', 'publica mesmo sem passar nestas conferências, pelo nome', [])
    .option('--json', 'escreve o andamento e o resultado em JSON, um objeto por linha', false)
    .action((pasta: string, options: OpcoesImportar) => importBase(settings, pasta, options))
  cnpj
    .command('versoes')
    .description('Lista as versões em disco; a que está no ar vem marcada')
    .option('--json', 'escreve a lista em JSON', false)
    .action(({ json }: { json: boolean }) => showVersoes(listVersoes(settings.raiz), json))
  cnpj
    .command('ativar')
    .description('Põe no ar uma versão que está em disco (volta atrás na hora)')
    .argument('<versao>', 'mês da versão, como 2026-10')
    .option('--json', 'escreve JSON em vez de texto', false)
    .action((versao: string, { json }: { json: boolean }) => activate(settings, versao, json))
  return cnpj
}

async function importBase(settings: CnpjSettings, pasta: string, options: OpcoesImportar): Promise<void> {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  const { json, ...asked } = options
  const tela = createTela(json)
  const started = performance.now()
  try {
    const manifesto = await importCnpj({
      ...asked,
      ...settings,
      pasta,
      signal: stop.signal,
      onProgress: tela.show,
    })
    tela.stop()
    showImportada(manifesto, performance.now() - started, json)
  } catch (error) {
    tela.stop()
    if (stop.signal.aborted) {
      process.exitCode = 130
      console.error('Interrompido. Rode o mesmo comando de novo para continuar de onde parou.')
    } else showFalha(error, json)
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, n) => total + n, 0)

function showImportada(manifesto: Manifesto, ms: number, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ evento: 'resultado', segundos: ms / 1000, manifesto }))
    return
  }
  const { versao, estabelecimentos, empresas, socios, bytes } = manifesto
  say(
    `Versão ${versao} no ar: ${thousands(estabelecimentos)} estabelecimentos, ${thousands(empresas)} empresas, ` +
      `${thousands(socios)} sócios; ${thousands(Math.ceil(bytes / 1e6))} MB em ${(ms / 1000).toFixed(1)} s.`,
  )
  const quarentena = sum(manifesto.quarentena)
  if (quarentena > 0) say(`${thousands(quarentena)} linhas em quarentena: veja quarentena.ndjson na versão.`)
  const waived = manifesto.portoes.filter((portao) => portao.dispensado)
  if (waived.length > 0) showPortoes('Conferências dispensadas:', waived)
}

function showPortoes(title: string, portoes: readonly Portao[]): void {
  const rows = portoes.map(({ nome, visto, esperado }) => [nome, String(visto), String(esperado)])
  console.error(`${title}\n${drawTable(['Conferência', 'Visto', 'Esperado'], rows)}`)
}

function showFalha(error: unknown, json: boolean): void {
  process.exitCode = 1
  const mensagem = messageOf(error)
  const portoes = error instanceof ImportError ? error.portoes : []
  if (json) console.log(JSON.stringify({ evento: 'erro', mensagem, portoes }))
  else if (portoes.length === 0) console.error(mensagem)
  else {
    showPortoes('A versão não foi publicada; a anterior continua no ar. Não passou em:', portoes)
    console.error(`Para publicar mesmo assim: --aceitar ${portoes.map((portao) => portao.nome).join(' ')}`)
  }
}

function showVersoes(versoes: readonly VersaoEmDisco[], json: boolean): void {
  if (json) {
    for (const versao of versoes) console.log(JSON.stringify(versao))
    return
  }
  if (versoes.length === 0) {
    say('Nenhuma versão importada. Comece por: fiscal cnpj importar <pasta>')
    return
  }
  const rows = versoes.map(({ ativa, pasta, manifesto, bytes }) => [
    ativa ? '*' : '',
    pasta,
    formatInstante(new Date(manifesto.concluido)),
    thousands(manifesto.estabelecimentos),
    (bytes / 1e6).toFixed(1).replace('.', ','),
    manifesto.amostra ? 'sim' : '',
  ])
  const numbers = [
    ['Estabelecimentos', 'right'],
    ['MB', 'right'],
  ] as const
  console.log(drawTable(['No ar', 'Versão', 'Importada em', ...numbers, 'Amostra'], rows))
}

function activate(settings: CnpjSettings, versao: string, json: boolean): void {
  try {
    const { pasta } = activateVersao(settings.raiz, versao)
    const told = `Versão ${pasta} ativada; um serviço aberto passa a usá-la em até 1 segundo.`
    console.log(json ? JSON.stringify({ ativada: pasta }) : told)
  } catch (error) {
    showFalha(error, json)
  }
}
