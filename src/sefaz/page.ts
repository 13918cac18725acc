import { DIAS_GUARDADOS, diaDe, diaDepois, diasEntre, inicioDoDia } from '../documento/dia.ts'
import type { Context } from '../platform/context.ts'
import { ambienteNacional } from './ambiente-nacional.ts'
import { quadroVigente } from './lookup.ts'
import { autorizadores } from './rules.ts'
import { totalizar } from './rules-historico.ts'
import type { Incidente } from './rules-rodada.ts'
import type { DiaSefaz, Quadro } from './sefaz-rodada.ts'
import type { AmbienteNacional, DiaVisto, Vista } from './vista.ts'

/** How old the history may be before a visitor makes us read it again. */
const HISTORIA_MS = 60_000
/** How old the days that have ended may be: they hardly change. */
const TUDO_MS = 30 * 60_000

/** The monitor as the pages show it now. The same `versao` stands for the same content. */
export type Retrato = { vista: Vista; versao: string }

const nomes = {
  distribuicao: 'Download de notas pela chave',
  eventos: 'Manifestação e outros eventos',
}

type Deps = Pick<Context, 'store' | 'sources' | 'now' | 'config' | 'log'>

type Historia = {
  lida: number
  tudo: number
  ate: string
  dias: Dias
  incidentes: readonly Incidente[]
  nacional: readonly AmbienteNacional[]
}
type Dias = Map<string, Map<string, DiaVisto>>

/**
 * Takes the pages' picture of the monitor, whose board is in memory. The history is read for the first
 * visitor of a round, at most once a minute; if the database fails, the last one read goes on.
 */
export function openRetratos({ store, sources, now, config, log }: Deps): () => Promise<Retrato> {
  let historia: Historia | undefined
  // A database that fails is not asked again by each visitor.
  let tentada = Number.NEGATIVE_INFINITY
  let daRodada = -1
  let lendo: Promise<void> | undefined

  async function ler(agora: number): Promise<void> {
    const ate = diaDe(agora)
    const de = primeiroDia(ate)
    const known = historia?.ate === ate && agora - historia.tudo < TUDO_MS && temPassado(historia)
    const dias = await store.sefaz.dias({
      autorizadores: autorizadores.map(({ id }) => id),
      de: known ? ate : de,
      ate,
    })
    const incidentes = await store.sefaz.incidentes({ de: inicioDoDia(de), ate: agora })
    const nacional = await ambienteNacional({ store, sources, now })
    historia = {
      lida: agora,
      tudo: known && historia ? historia.tudo : agora,
      ate,
      dias: juntar(known && historia ? historia.dias : new Map(), dias),
      incidentes,
      nacional: nacional.map(({ servico, situacao }) => ({ nome: nomes[servico], situacao })),
    }
  }

  function renovar(agora: number, em: number): Promise<void> | undefined {
    const age = agora - tentada
    if (age >= 0 && (age < HISTORIA_MS || (em === daRodada && em !== 0))) return undefined
    tentada = agora
    lendo ??= ler(agora)
      .then(
        () => {
          daRodada = em
        },
        (error: unknown) => log.error({ err: error }, 'the history of the pages could not be read'),
      )
      .finally(() => {
        lendo = undefined
      })
    return lendo
  }

  return async () => {
    const agora = now().getTime()
    const last = store.sefaz.quadro()
    const quadro = quadroVigente({ store })
    await renovar(agora, quadro?.rodada.em ?? 0)
    const ate = diaDe(agora)
    const vista: Vista = {
      quadro,
      falta: faltaDe(last, config.SEFAZ_MONITOR),
      ultima: last?.rodada.fim,
      intervaloS: config.SEFAZ_SECONDS,
      calendario: diasEntre(primeiroDia(ate), ate),
      dias: historia?.dias ?? new Map(),
      incidentes: historia?.incidentes ?? [],
      nacional: historia?.nacional ?? [],
    }
    const { rodada, valeAte } = last ?? { rodada: { em: 0 }, valeAte: 0 }
    return { vista, versao: [vista.falta, rodada.em, valeAte, historia?.lida, ate].join(' ') }
  }
}

/** The first of the days that are shown. */
const primeiroDia = (ate: string): string => diaDepois(ate, 1 - DIAS_GUARDADOS)

const faltaDe = (last: Quadro | undefined, monitor: 'ligado' | 'desligado'): Vista['falta'] => {
  if (last) return last.parado ? 'parado' : undefined
  return monitor === 'ligado' ? 'sem-rodada' : 'desligado'
}

/** A history that has no day before today may yet be filled. */
const temPassado = ({ dias, ate }: Historia): boolean =>
  [...dias.values()].some((days) => [...days.keys()].some((dia) => dia !== ate))

function juntar(before: Dias, rows: readonly DiaSefaz[]): Dias {
  const dias = new Map([...before].map(([id, days]) => [id, new Map(days)]))
  for (const row of rows) {
    const days = dias.get(row.autorizador) ?? new Map<string, DiaVisto>()
    days.set(row.dia, verDia(row))
    dias.set(row.autorizador, days)
  }
  return dias
}

function verDia(day: DiaSefaz): DiaVisto {
  const { leituras, erros, timeouts, p50, p95 } = totalizar([day])
  const { dia, confirmadas, desmentidas } = day
  const falhas = erros + timeouts
  return { dia, leituras, falhas, p50: seconds(p50), p95: seconds(p95), confirmadas, desmentidas }
}

const seconds = (ms: number | null): number | undefined => (ms === null ? undefined : ms / 1000)
