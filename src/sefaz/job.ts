import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { Every } from '../platform/jobs/agenda.ts'
import { readSite } from '../platform/simulator.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { makeRodada } from './rodada.ts'
import { autorizadores } from './rules.ts'
import type { PassadoSefaz } from './rules-rodada.ts'
import type { SefazRoom } from './sefaz.ts'

/** 90 days of 27 authorizers are 1.4 MB. */
const MAX_BYTES = 8 * 1024 * 1024
const MOST_DAYS = 100 * autorizadores.length
const MOST_FALLS = 1_000

const Contagem = Type.Integer({ minimum: 0, maximum: 0xff_ff })
const Instante = Type.Integer({ minimum: 0, maximum: 8.64e15 })
const Quem = Type.Enum(autorizadores.map(({ id }) => id))

const Intervalo = { inicio: Instante, fim: Type.Union([Instante, Type.Null()]) }

const Passado = Type.Object({
  dias: Type.Array(
    Type.Object({
      autorizador: Quem,
      dia: Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$' }),
      leituras: Contagem,
      erros: Contagem,
      timeouts: Contagem,
      tempos: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: 8_000 }),
      confirmadas: Contagem,
      desmentidas: Contagem,
    }),
    { maxItems: MOST_DAYS },
  ),
  incidentes: Type.Array(
    Type.Object({
      casa: Type.Enum([...new Set(autorizadores.map(({ casa }) => casa))]),
      ...Intervalo,
      quedas: Type.Array(
        Type.Object({
          autorizador: Quem,
          ...Intervalo,
          cStat: Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.Null()]),
          motivo: Type.String({ maxLength: 300 }),
        }),
        { minItems: 1, maxItems: MOST_FALLS },
      ),
    }),
    { maxItems: MOST_FALLS },
  ),
})

/** Undefined where the simulator tells no past: an older one, or somebody else's. */
export async function readPassado(endereco: string): Promise<PassadoSefaz | undefined> {
  const told = await readSite(endereco, '/sefaz/passado.json', { maxBytes: MAX_BYTES }).catch(noneOf)
  return Check(Passado, told) ? passadoOf(told) : undefined
}

function noneOf(error: unknown): undefined {
  if (!(error instanceof SourceError || error instanceof SyntaxError)) throw error
}

const passadoOf = ({ dias, incidentes }: Static<typeof Passado>): PassadoSefaz => ({
  dias: dias.map(({ tempos, ...rest }) => ({ ...rest, tempos: numbersOf(tempos) })),
  incidentes: incidentes.map((one) => ({ ...one, id: randomUUID() })),
})

function numbersOf(base64: string): Uint16Array {
  const bytes = Buffer.from(base64, 'base64')
  const numbers = new Uint16Array(bytes.length >> 1)
  for (let at = 0; at < numbers.length; at++) numbers[at] = bytes.readUInt16LE(2 * at)
  return numbers.sort()
}

const SECOND_MS = 1_000

/** The specification's interval. A shorter one is the operator's own risk of a block. */
const USUAL_S = 120

export function scheduleMonitor(room: SefazRoom): readonly Every[] {
  const { config, monitor, ambiente, log } = room
  if (config.SEFAZ_MONITOR === 'desligado') return []
  if (config.SEFAZ_SECONDS < USUAL_S && ambiente !== 'simulador')
    log.warn(
      { SEFAZ_SECONDS: config.SEFAZ_SECONDS },
      'as SEFAZ são consultadas mais vezes que o usual: querem 180 segundos ou mais, e podem bloquear o certificado',
    )
  return [
    {
      // Each kind of authority has a beat of its own, as it has a history of its own.
      name: `sondar-sefaz-${ambiente}`,
      everyMs: config.SEFAZ_SECONDS * SECOND_MS,
      on: 'one-node',
      atOnce: true,
      run: async (signal) => {
        await seed(room)
        await makeRodada(room, signal)
      },
    },
    {
      // The node that ran the round shows it at once.
      name: 'refresh-sefaz',
      everyMs: SECOND_MS,
      on: 'each-node',
      run: async () => void (await monitor.refresh()),
    },
  ]
}

/** Before the first round of a new installation, the simulator tells the past of its authorities. */
async function seed({ monitor, simulador, log }: SefazRoom): Promise<void> {
  if (simulador === undefined || (await monitor.recentes(1)).length > 0) return
  const passado = await readPassado(simulador)
  if (passado && (await monitor.seed(passado)))
    log.info(
      { dias: passado.dias.length, incidentes: passado.incidentes.length },
      'o histórico das SEFAZ do simulador foi lido',
    )
}
