import { diaDepois, diasEntre, inicioDoDia } from '../documento/dia.ts'
import { type Uf, ufs } from '../documento/uf.ts'
import { contarIncidente, type IncidenteContado } from './incidente.ts'
import { autorizadorDe, autorizadores, type Doc } from './rules.ts'
import { conferirPalavra, type PalavraDaSefaz, type TotaisSefaz, totalizar } from './rules-historico.ts'
import type { DiaSefaz } from './sefaz-rodada.ts'
import type { Sefaz } from './store.ts'

/** What is asked: a document, a state or all, and days of Brasília (AAAA-MM-DD), both included. */
export type HistoricoPedido = { doc: Doc; uf: Uf | undefined; de: string; ate: string }

/** How the authorizer of a state served it. */
type HistoricoDoEstado = {
  uf: Uf
  /** The authorizer's name. */
  autorizador: string
  totais: TotaisSefaz
  palavra: PalavraDaSefaz
}

/** The history of a document. `dias` has every day of the period; it is empty where all states are asked. */
export type Historico = {
  estados: HistoricoDoEstado[]
  dias: { dia: string; totais: TotaisSefaz }[]
  /** Those that struck an authorizer that is asked about, the newest first. */
  incidentes: IncidenteContado[]
}

type Recursos = { store: { sefaz: Pick<Sefaz, 'dias' | 'incidentes'> }; now: () => Date }

/** Tells the history of a state, or of all, by what the monitor met. */
export async function historicoDe(
  { store: { sefaz }, now }: Recursos,
  { doc, uf, de, ate }: HistoricoPedido,
): Promise<Historico> {
  const asked = autorizadores.filter((one) => one.doc === doc && (uf === undefined || one.ufs.includes(uf)))
  const ids = asked.map(({ id }) => id)
  const dias = await sefaz.dias({ autorizadores: ids, de, ate })
  const periodo = { de: inicioDoDia(de), ate: inicioDoDia(diaDepois(ate, 1)) - 1 }
  const incidentes = await sefaz.incidentes(periodo)
  const byAutorizador = Map.groupBy(dias, ({ autorizador }) => autorizador)
  const summed = new Map(ids.map((id) => [id, somar(byAutorizador.get(id) ?? [])]))
  const struck = new Set(ids)
  return {
    estados: (uf === undefined ? ufs : [uf]).map((one) => {
      const { id, nome } = autorizadorDe(doc, one)
      return { uf: one, autorizador: nome, ...(summed.get(id) ?? somar([])) }
    }),
    dias: uf === undefined ? [] : diaADia(dias, diasEntre(de, ate)),
    incidentes: incidentes
      .filter(({ quedas }) => quedas.some(({ autorizador }) => struck.has(autorizador)))
      .map((incidente) => contarIncidente(incidente, now().getTime())),
  }
}

const somar = (dias: readonly DiaSefaz[]) => ({ totais: totalizar(dias), palavra: conferirPalavra(dias) })

/** Each day of one authorizer, those without a reading too. */
function diaADia(dias: readonly DiaSefaz[], all: readonly string[]): Historico['dias'] {
  const byDay = Map.groupBy(dias, ({ dia }) => dia)
  return all.map((dia) => ({ dia, totais: totalizar(byDay.get(dia) ?? []) }))
}
