import type { DiaSefaz } from '../../src/sefaz/rules-rodada.ts'
import type { House } from './harness.ts'
import { NOW } from './now.ts'
import { feita } from './sefaz.ts'

const MINUTE_MS = 60_000

/** A day with readings every 10 minutes, of which some failed. */
const dia = (dia: string, autorizador: string, timeouts: number): DiaSefaz => ({
  autorizador,
  dia,
  leituras: 144,
  erros: 0,
  timeouts,
  tempos: Uint16Array.from({ length: 144 - timeouts }, (_, i) => 180 + 3 * i),
  confirmadas: 40,
  desmentidas: timeouts > 0 ? 1 : 0,
})

/** Gives a service of the tests' day a history of two days with an incident, and a round of this minute. */
export async function semearMonitor({ rooms }: House): Promise<void> {
  const { monitor } = rooms.sefaz
  const inicio = NOW.getTime() - 20 * 60 * MINUTE_MS
  const fim = inicio + 40 * MINUTE_MS
  const motivo = 'SEFAZ SP não respondeu em 30 segundos.'
  await monitor.seed({
    dias: ['nfe-sp', 'nfe-svrs'].flatMap((id) => [
      dia('2026-11-12', id, 0),
      dia('2026-11-13', id, id === 'nfe-sp' ? 4 : 0),
    ]),
    incidentes: [
      {
        id: '01a1e6d5-3f00-7000-8000-000000000001',
        casa: 'SP',
        inicio,
        fim,
        quedas: [{ autorizador: 'nfe-sp', inicio, fim, cStat: null, motivo }],
      },
    ],
  })
  await monitor.keep(feita(NOW.getTime() - MINUTE_MS))
}
