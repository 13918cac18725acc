import { rename, rm, writeFile } from 'node:fs/promises'
import { COLUNAS, type Conjunto } from '../../zips/conjuntos.ts'
import { addContagens } from '../counts.ts'
import { createLeitorCsv, type Linha } from '../entradas/csv.ts'
import type { Arquivo } from '../entradas/entradas.ts'
import { inflateMembro } from '../entradas/inflate.ts'
import { ImportError } from '../import-error.ts'
import type { Preparo } from '../prepare.ts'
import { type ContextoDeLeitura, createContexto } from './context.ts'
import { createLinhaEmpresa } from './empresas.ts'
import { createLinhaEstabelecimento } from './estabelecimentos.ts'
import type { Leitura } from './run.ts'
import { createLinhaSimples } from './simples.ts'
import { createEscritor } from './slice-writer.ts'
import { createFatias } from './slices.ts'
import { createLinhaSocio } from './socios.ts'

/** One zip to read: where its run file goes (`saida`, and beside it `saida.json`). */
export type TarefaDeLeitura = { conjunto: Conjunto; arquivo: Arquivo; saida: string; place: number }

const PROJECOES: Record<Conjunto, (ctx: ContextoDeLeitura) => (linha: Linha) => void> = {
  empresas: createLinhaEmpresa,
  estabelecimentos: createLinhaEstabelecimento,
  socios: createLinhaSocio,
  simples: createLinhaSimples,
}

/** Lines kept as they were, to be compared with what the finished base gives for them. */
type Amostra = { put(linha: Linha): void; linhas: string[] }

/** Keeps one line in `every` (a different place of the zips each: `first` tells where to start). */
function createAmostra(every: number, first: number): Amostra {
  const linhas: string[] = []
  let left = first % every
  return {
    linhas,
    put(linha) {
      if (left-- > 0 || linha.doubled) return
      left = every - 1
      linhas.push(linha.bytes.toString('latin1', linha.start, linha.end))
    },
  }
}

/** A zip of another set, or no CSV at all, is told early: each time so many lines are bad. */
const LINHAS_DE_PROVA = 1000

type Lidas = { boas: number; ruins: number; colunas: number }

function checkLeiaute(lidas: Lidas, tarefa: TarefaDeLeitura): void {
  if (lidas.ruins <= lidas.boas) return
  const { conjunto, arquivo } = tarefa
  throw new ImportError(
    `${arquivo.nome} não tem o leiaute de ${conjunto}: esperava ${COLUNAS[conjunto]} colunas, ` +
      `${lidas.ruins} de ${lidas.boas + lidas.ruins} linhas não as têm (arquivo trocado?).`,
  )
}

async function readLinhas(
  tarefa: TarefaDeLeitura,
  ctx: ContextoDeLeitura,
  amostrar: (linha: Linha) => void,
  onPiece: (bytes: number, linhas: number) => void,
): Promise<Lidas> {
  const put = PROJECOES[tarefa.conjunto](ctx)
  const lidas: Lidas = { boas: 0, ruins: 0, colunas: 0 }
  const leitor = createLeitorCsv(COLUNAS[tarefa.conjunto], {
    linha(linha) {
      lidas.boas++
      amostrar(linha)
      put(linha)
    },
    ruim(linha) {
      lidas.ruins++
      ctx.quarentena.put('número de colunas', linha)
      if (lidas.ruins % LINHAS_DE_PROVA === 0) checkLeiaute(lidas, tarefa)
    },
  })
  let told = 0
  for await (const piece of inflateMembro(tarefa.arquivo.path, tarefa.arquivo.membro)) {
    leitor.feed(piece)
    onPiece(piece.length, lidas.boas - told)
    told = lidas.boas
  }
  leitor.end()
  onPiece(0, lidas.boas - told)
  checkLeiaute(lidas, tarefa)
  return lidas
}

/**
 * Reads one zip into a run file: inflates, scans, cleans, encodes, and parts by slices of the root. Finished when
 * `saida.json` is there; whatever else is there is a step cut short.
 * @throws ImportError when the zip is damaged or of another set.
 */
export async function runLeitura(
  preparo: Preparo,
  tarefa: TarefaDeLeitura,
  onPiece: (bytes: number, linhas: number) => void,
): Promise<Leitura> {
  const { conjunto, saida, arquivo } = tarefa
  const escritor = createEscritor(saida, createFatias(preparo.fatias))
  const ctx = createContexto(preparo, arquivo.nome, escritor)
  const amostra = createAmostra(preparo.amostrarCada, tarefa.place * 7)
  try {
    const keep = conjunto === 'empresas' || conjunto === 'estabelecimentos'
    const lidas = await readLinhas(tarefa, ctx, keep ? amostra.put : () => undefined, onPiece)
    addContagens(ctx.contagens, { [`linhas_${conjunto}`]: lidas.boas + lidas.ruins })
  } catch (error) {
    escritor.abort()
    await rm(saida, { force: true })
    throw error
  }
  const leitura: Leitura = {
    conjunto,
    nome: arquivo.nome,
    particao: escritor.close(),
    contagens: ctx.contagens,
    desconhecidos: ctx.desconhecidos,
    quarentena: ctx.quarentena.motivos,
    amostra: amostra.linhas,
  }
  await writeFile(`${saida}.quarentena`, ctx.quarentena.text())
  await writeFile(`${saida}.parcial`, JSON.stringify(leitura))
  await rename(`${saida}.parcial`, `${saida}.json`)
  return leitura
}
