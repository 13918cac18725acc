import type { Db } from '../../src/platform/db/db.ts'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import { autorizadores } from '../../src/sefaz/rules.ts'
import type { Rodada, RodadaFeita } from '../../src/sefaz/rules-rodada.ts'
import { openSefazStore } from '../../src/sefaz/store.ts'
import { NOW } from './now.ts'

export const EVERY_MS = 120_000

/** A reading that an authority answered well, in 500 ms. */
export const boa = (autorizador: string, em: number, rest: Partial<LeituraSefaz> = {}): LeituraSefaz => ({
  autorizador,
  em,
  resultado: 'resposta',
  conexaoMs: 12,
  tlsMs: 34,
  respostaMs: 500,
  cStat: 107,
  motivo: '',
  desmentida: null,
  ...rest,
})

/** A time-out. */
export const muda = (autorizador: string, em: number): LeituraSefaz =>
  boa(autorizador, em, { resultado: 'timeout', respostaMs: null, cStat: null, motivo: 'não respondeu' })

type Feita = Partial<Omit<RodadaFeita, 'rodada'>> & { rodada?: Partial<Rodada> }

/** A round that began at `em`; where no readings are named, all 27 authorizers answered well. */
export const feita = (em: number, { rodada, ...rest }: Feita = {}): RodadaFeita => ({
  rodada: { em, fim: em + 3_000, fonte: 'servicos', semRede: false, ...rodada },
  leituras: autorizadores.map(({ id }) => boa(id, em)),
  incidentes: [],
  ritmos: [],
  ativacoes: [],
  ...rest,
})

/** The monitor's store of a node, and the clock that all nodes read. */
export function relogio(start = NOW.getTime()) {
  const clock = { instant: start }
  const open = (db: Db, ambiente: 'simulador' | 'producao' = 'simulador') =>
    openSefazStore(db, { now: () => new Date(clock.instant), ambiente, everyMs: EVERY_MS })
  return { clock, open }
}
