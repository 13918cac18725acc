import { rename, rm, writeFile } from 'node:fs/promises'
import { COLUNAS, type Conjunto } from '../base/zips.ts'
import { type CsvLine, createCsvReader } from './csv.ts'
import { type Arquivo, ImportError, inflateMembro, type Setup } from './entradas.ts'
import { addCounts, createReadContext, createSlices, createSliceWriter, type ReadContext } from './leitura.ts'
import { empresaReader, estabelecimentoReader, simplesReader, socioReader } from './readers.ts'
import type { ZipRun } from './run.ts'

/** `path` is the run file, with its note in `path`.json. `place`: the zip's among all. */
export type ReadTask = { conjunto: Conjunto; arquivo: Arquivo; path: string; place: number }

const PROJECTIONS: Record<Conjunto, (ctx: ReadContext) => (line: CsvLine) => void> = {
  empresas: empresaReader,
  estabelecimentos: estabelecimentoReader,
  socios: socioReader,
  simples: simplesReader,
}

/** Lines kept as they came, to be compared with what the finished base gives for them. */
type Sample = { put(line: CsvLine): void; lines: string[] }

/** `first` tells where to start, so that zips are sampled at different places. */
function createSample(every: number, first: number): Sample {
  const lines: string[] = []
  let left = first % every
  return {
    lines,
    put(line) {
      if (left-- > 0 || line.doubled) return
      left = every - 1
      lines.push(line.bytes.toString('latin1', line.start, line.end))
    },
  }
}

/** After each so many bad lines the layout is checked, so that a zip of another set is refused early. */
const CHECK_EVERY = 1000

type LineCounts = { good: number; bad: number }

function checkLayout(seen: LineCounts, task: ReadTask): void {
  if (seen.bad <= seen.good) return
  const { conjunto, arquivo } = task
  throw new ImportError(
    `${arquivo.nome} não tem o leiaute de ${conjunto}: esperava ${COLUNAS[conjunto]} colunas, ` +
      `${seen.bad} de ${seen.good + seen.bad} linhas não as têm (arquivo trocado?).`,
  )
}

async function readLines(
  task: ReadTask,
  ctx: ReadContext,
  keep: (line: CsvLine) => void,
  onPiece: (bytes: number, lines: number) => void,
): Promise<LineCounts> {
  const put = PROJECTIONS[task.conjunto](ctx)
  const seen: LineCounts = { good: 0, bad: 0 }
  const reader = createCsvReader(COLUNAS[task.conjunto], {
    line(line) {
      seen.good++
      keep(line)
      put(line)
    },
    bad(line) {
      seen.bad++
      ctx.quarentena.put('número de colunas', line)
      if (seen.bad % CHECK_EVERY === 0) checkLayout(seen, task)
    },
  })
  let told = 0
  for await (const piece of inflateMembro(task.arquivo.path, task.arquivo.membro)) {
    reader.feed(piece)
    onPiece(piece.length, seen.good - told)
    told = seen.good
  }
  reader.end()
  onPiece(0, seen.good - told)
  checkLayout(seen, task)
  return seen
}

/** The zip is done when `path`.json is there. Throws ImportError when it is damaged or of another set. */
export async function readZip(
  setup: Setup,
  task: ReadTask,
  onPiece: (bytes: number, lines: number) => void,
): Promise<ZipRun> {
  const { conjunto, path, arquivo } = task
  const writer = createSliceWriter(path, createSlices(setup.fatias))
  const ctx = createReadContext(setup, arquivo.nome, writer)
  const sample = createSample(setup.amostrarCada, task.place * 7)
  try {
    const keep = conjunto === 'empresas' || conjunto === 'estabelecimentos'
    const seen = await readLines(task, ctx, keep ? sample.put : () => undefined, onPiece)
    addCounts(ctx.contagens, { [`linhas_${conjunto}`]: seen.good + seen.bad })
  } catch (error) {
    writer.abort()
    await rm(path, { force: true })
    throw error
  }
  const run: ZipRun = {
    conjunto,
    nome: arquivo.nome,
    particao: writer.close(),
    contagens: ctx.contagens,
    desconhecidos: ctx.desconhecidos,
    quarentena: ctx.quarentena.motivos,
    amostra: sample.lines,
  }
  await writeFile(`${path}.quarentena`, ctx.quarentena.text())
  await writeFile(`${path}.parcial`, JSON.stringify(run))
  await rename(`${path}.parcial`, `${path}.json`)
  return run
}
