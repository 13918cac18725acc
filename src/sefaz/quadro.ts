import type { DoAmbiente } from './alone.ts'
import { RODADAS } from './classificacao.ts'
import { selectAtivacoes, selectIncidentes, selectRitmos } from './estado-io.ts'
import type { LeituraSefaz } from './leitura.ts'
import { type Lembrado, montarQuadro } from './rules-quadro.ts'
import type { Quadro } from './sefaz-rodada.ts'
import { selectDoPausado, selectNewest, selectRecentes, ultimoCrivel } from './store-rodadas.ts'

/** The board in memory of this node. */
type QuadroDoNo = {
  quadro: () => Quadro | undefined
  refresh: () => Promise<boolean>
  onQuadro: (listener: (quadro: Quadro) => void) => () => void
  /** Reads all anew, though no round is newer. */
  reload: () => Promise<boolean>
}

/**
 * Keeps the board of this node. Whoever reads it gets the board of that instant: it is drawn again when time
 * alone has changed it, without a query.
 */
export function openQuadro(
  on: DoAmbiente,
  { agora, everyMs }: { agora: () => number; everyMs: number },
): QuadroDoNo {
  const listeners = new Set<(quadro: Quadro) => void>()
  const newest = selectNewest(on)
  let lembrado: Lembrado | undefined
  let drawn: { quadro: Quadro; since: number } | undefined
  let told: Quadro | undefined
  let looking: Promise<void> = Promise.resolve()

  function quadro(): Quadro | undefined {
    const instant = agora()
    if (drawn && instant >= drawn.since && instant < drawn.quadro.valeAte) return drawn.quadro
    const board = lembrado && montarQuadro(lembrado, { agora: instant, everyMs })
    drawn = board && { quadro: board, since: instant }
    return board
  }

  async function look(isAnew: boolean): Promise<void> {
    const instant = agora()
    const em = await newest(instant)
    if (em === lembrado?.ultima?.em && !isAnew) return
    // The rounds first: what another node stores meanwhile is then newer than they are, and read next time.
    const ultimas = await selectRecentes(on, { most: RODADAS, agora: instant })
    const isBlind = ultimas.some(({ rodada }) => rodada.semRede)
    const rodadas = isBlind
      ? await selectRecentes(on, { most: RODADAS, agora: instant, atendidas: true })
      : ultimas
    const [abertos, ativacoes, ritmos] = await Promise.all([
      selectIncidentes(on, { abertosAte: ultimoCrivel(instant) }),
      selectAtivacoes(on),
      selectRitmos(on),
    ])
    const doPausado = new Map<string, readonly LeituraSefaz[]>()
    for (const { autorizador, fator, motivo } of ritmos)
      if (fator > 1 || motivo !== '')
        doPausado.set(autorizador, await selectDoPausado(on, { autorizador, most: RODADAS, agora: instant }))
    lembrado = { ultima: ultimas[0]?.rodada, rodadas, ritmos, doPausado, abertos, ativacoes }
    drawn = undefined
  }

  async function refresh(isAnew: boolean): Promise<boolean> {
    looking = looking.catch(() => {}).then(() => look(isAnew))
    await looking
    const board = quadro()
    if (!board || board === told) return false
    told = board
    for (const listener of listeners) listener(board)
    return true
  }

  return {
    quadro,
    refresh: () => refresh(false),
    reload: () => refresh(true),
    onQuadro: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
