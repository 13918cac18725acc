import { autorizadores } from '../../src/sefaz/rules.ts'
import type { Incidente } from '../../src/sefaz/rules-rodada.ts'
import type { House } from './harness.ts'
import { NOW } from './now.ts'
import { EVERY_MS, feita, muda } from './sefaz.ts'

export const agora = NOW.getTime()

/** What an authority might say of itself, at its worst. */
export const MOTIVOS = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'x'.repeat(10_000),
  '\u202eodarap \u2067serviço\u0000 \u0007fora\u2028do ar',
  '"><a href="javascript:alert(1)">clique</a> {{7*7}} %3Cb%3E &lt;b&gt;',
]

/** Each authorizer is an incident of its own. */
export const incidentes: Incidente[] = autorizadores.map(({ id, casa }, at) => ({
  id,
  casa,
  inicio: agora - at * 60_000,
  fim: null,
  quedas: [
    {
      autorizador: id,
      inicio: agora - at * 60_000,
      fim: null,
      cStat: 108,
      motivo: MOTIVOS[at % MOTIVOS.length] ?? '',
    },
  ],
}))

export const timeouts = (em: number) => autorizadores.map(({ id }) => muda(id, em))

/** How things stand, and what is stored for it. */
export const CENAS: [name: string, what: string, encher: (house: House) => Promise<unknown>, said: RegExp][] =
  [
    ['sem-rodada', 'no round at all', async () => undefined, /desligado/],
    [
      'tudo-fora',
      'all 81 pairs of state and document out, 27 incidents open, in hostile words',
      async ({ rooms }) => {
        for (const ago of [2, 1, 0]) {
          const em = agora - ago * EVERY_MS - 5_000
          await rooms.sefaz.monitor.keep(
            feita(em, { leituras: timeouts(em), incidentes: ago === 0 ? incidentes : [] }),
          )
        }
      },
      /27 incidentes em aberto/,
    ],
  ]
