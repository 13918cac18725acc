import { join } from 'node:path'
import { SingleBar } from 'cli-progress'
import { type Command, InvalidArgumentError } from 'commander'
import { messageOf } from '../platform/errors.ts'
import { hostProfiles } from '../platform/wire/dial.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { openTransport } from '../platform/wire/transport.ts'
import { downloadRemessa, findRemessa } from './base/remessa.ts'
import { listVersoes } from './base/versoes.ts'
import { openShare, type Share } from './base/webdav.ts'

/** A bar with rate and time left on a terminal, elsewhere one line a zip. */
type Meter = {
  start: (versao: string, bytes: number) => void
  progress: (nome: string, have: number, bytes: number) => void
  stop: () => void
}

/** On standard error, so that standard output holds only the result. */
function createMeter(json: boolean): Meter {
  if (json) return { start: () => {}, progress: () => {}, stop: () => {} }
  return process.stderr.isTTY ? createBar() : createLines()
}

function createBar(): Meter {
  const bar = new SingleBar({
    format:
      'Baixando {versao} |{bar}| {percentage}% {feito} de {todo} GB, {taxa} MB/s, faltam {eta_formatted}',
    stream: process.stderr,
    etaBuffer: 200,
    hideCursor: true,
  })
  const each = new Map<string, number>()
  const started = performance.now()
  let inherited = 0
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2)
  return {
    start: (versao, bytes) => {
      bar.start(bytes, 0, { versao, feito: gigabytes(0), todo: gigabytes(bytes), taxa: '0.0' })
    },
    progress: (nome, have) => {
      if (!each.has(nome)) inherited += have
      each.set(nome, have)
      const sum = [...each.values()].reduce((a, b) => a + b, 0)
      const seconds = (performance.now() - started) / 1000
      bar.update(sum, { feito: gigabytes(sum), taxa: ((sum - inherited) / 1e6 / seconds).toFixed(1) })
    },
    stop: () => bar.stop(),
  }
}

function createLines(): Meter {
  return {
    start: (versao, bytes) =>
      console.error(`Competência ${versao}: ${(bytes / 1e9).toFixed(2)} GB em arquivos zip`),
    progress: (nome, have, bytes) => {
      if (have === bytes) console.error(`${nome}: ${(bytes / 1e6).toFixed(1)} MB`)
    },
    stop: () => {},
  }
}

export type BaixarSettings = {
  /** `CNPJ_WEBDAV_URL` and `CNPJ_WEBDAV_TOKEN`. */
  url: string
  token: string
  /** `DATA_DIR`: zips go to `<dataDir>/cnpj/zips/<versao>` unless `--pasta` says otherwise. */
  dataDir: string
  /** `AUTHORITIES=live`. Without it, no machine but this one is ever dialled. */
  live: boolean
  /** Milliseconds without a byte before a connection counts as dead. The source has a default. */
  idleMs?: number
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/
const OFFLINE =
  'No modo simulador nada sai desta máquina. Para baixar da Receita Federal, defina AUTHORITIES=live só neste comando:\n' +
  '  AUTHORITIES=live npm run fiscal -- cnpj baixar'

type Options = { versao?: string; pasta?: string; comSimples: boolean; seNova: boolean; json: boolean }

/** A failure prints what to do and sets exit code 1. */
export function addBaixarCommand(cnpj: Command, settings: BaixarSettings): void {
  cnpj
    .command('baixar')
    .description('Baixa da Receita Federal os arquivos da base do CNPJ; retoma de onde parou')
    .option('--versao <AAAA-MM>', 'competência a baixar (padrão: a mais recente)', parseVersao)
    .option('--pasta <pasta>', 'onde gravar (padrão: cnpj/zips/<versão> na pasta de dados)')
    .option('--com-simples', 'baixa também Simples.zip (opção pelo Simples e MEI)', false)
    .option('--se-nova', 'nada baixa se a competência já foi importada', false)
    .option('--json', 'escreve o resultado em JSON, sem barras de progresso', false)
    .action((options: Options) => download(settings, options))
}

function parseVersao(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('use ano e mês, como 2026-10')
}

async function download(settings: BaixarSettings, options: Options): Promise<void> {
  if (!settings.live && !LOOPBACK.test(new URL(settings.url).hostname)) {
    process.exitCode = 1
    console.error(OFFLINE)
    return
  }
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  const meter = createMeter(options.json)
  const { url, token, idleMs } = settings
  // The simulator does not play this share. An address of this machine is dialled as it is.
  const http = openTransport({ mode: 'live', ca: [], hosts: hostProfiles })
  const share = openShare(http, { url, token, signal: stop.signal, ...(idleMs ? { idleMs } : {}) })
  try {
    await fetchRemessa(share, settings, options, meter)
  } catch (error) {
    meter.stop()
    process.exitCode = 1
    if (stop.signal.aborted)
      console.error('Interrompido. Rode o mesmo comando de novo para continuar de onde parou.')
    else if (options.json) console.log(JSON.stringify({ erro: messageOf(error), tipo: kindOf(error) }))
    else console.error(messageOf(error))
  } finally {
    process.off('SIGINT', onInterrupt)
    await http.close()
  }
}

async function fetchRemessa(
  share: Share,
  { dataDir, url }: BaixarSettings,
  { versao, pasta, comSimples, seNova, json }: Options,
  meter: Meter,
): Promise<void> {
  // A silent source is tried again for minutes, so the command says whom it asks.
  if (!json) console.error(`Consultando ${new URL(url).host}…`)
  const remessa = await findRemessa(share, { ...(versao ? { versao } : {}), simples: comSimples })
  if (seNova && isImported(dataDir, remessa.versao)) {
    const told = `A competência ${remessa.versao} já foi importada.`
    console.log(json ? JSON.stringify({ versao: remessa.versao, importada: true }) : told)
    return
  }
  const destino = pasta ?? join(dataDir, 'cnpj', 'zips', remessa.versao)
  const total = remessa.zips.reduce((sum, { bytes }) => sum + bytes, 0)
  meter.start(remessa.versao, total)
  const baixa = await downloadRemessa(share, remessa, { pasta: destino, onProgress: meter.progress })
  meter.stop()
  const proximo = `fiscal cnpj importar ${destino}`
  if (json) {
    console.log(JSON.stringify({ versao: remessa.versao, extracao: remessa.token, ...baixa, proximo }))
    return
  }
  const feito =
    baixa.baixados === 0
      ? `A competência ${remessa.versao} já estava completa`
      : `Competência ${remessa.versao}: ${baixa.baixados} de ${baixa.zips} arquivos baixados`
  console.log(`${feito} em ${destino}.\nPróximo passo: ${proximo}`)
}

const isImported = (dataDir: string, versao: string): boolean =>
  listVersoes(join(dataDir, 'cnpj')).some(({ manifesto }) => manifesto.versao === versao)

function kindOf(error: unknown): string {
  return error instanceof SourceError ? error.kind : 'local'
}
