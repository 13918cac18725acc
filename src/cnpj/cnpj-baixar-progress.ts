import { SingleBar } from 'cli-progress'

/**
 * Tells a person how a download goes: a bar with rate and time left on a terminal, elsewhere one line a zip.
 */
export type Meter = {
  start: (versao: string, bytes: number) => void
  progress: (nome: string, have: number, bytes: number) => void
  stop: () => void
}

/**
 * Makes a meter on standard error, so that standard output holds only the result. It is silent with `--json`.
 */
export function createMeter(json: boolean): Meter {
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
