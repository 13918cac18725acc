import { type Uf, ufs } from '../documento/uf.ts'
import type { Sabido } from './conselho.ts'
import { type Svc, svcDe } from './contingencia.ts'
import { autorizadorDe } from './rules.ts'
import type { Quadro } from './sefaz-rodada.ts'

/** A question to an SVC: whether a state has activated it. */
export type PerguntaDeSvc = { doc: 'nfe' | 'cte'; uf: Uf; svc: Svc }

/**
 * What is known by a board: who is out, and which contingencies are activated. What an SVC said before the
 * state's authorizer fell is of another time, and so is not known.
 */
export function sabidoPor({ abertos, ativacaoDe }: Pick<Quadro, 'abertos' | 'ativacaoDe'>): Sabido {
  const desde = new Map(
    abertos.flatMap(({ quedas }) =>
      quedas.flatMap(({ autorizador, inicio, fim }) =>
        fim === null ? [[autorizador, inicio] as const] : [],
      ),
    ),
  )
  return {
    fora: new Set(desde.keys()),
    ativacaoDe: (doc, uf) => {
      const known = ativacaoDe(doc, uf)
      const fell = desde.get(autorizadorDe(doc, uf).id)
      return known && fell !== undefined && known.em >= fell ? known : undefined
    },
  }
}

/**
 * Whom to ask about which state: of each SVC the one of its states without an authorizer that was asked
 * longest ago. An SVC that is out itself is not asked.
 */
export function perguntasDeSvc({ fora, ativacaoDe }: Sabido): PerguntaDeSvc[] {
  return (['nfe', 'cte'] as const).flatMap((doc) => {
    const affected = ufs.flatMap((uf) => {
      const svc = fora.has(autorizadorDe(doc, uf).id) ? svcDe(doc, uf) : undefined
      return svc && !fora.has(svc.autorizador) ? [{ doc, uf, svc }] : []
    })
    const askedAt = ({ uf }: PerguntaDeSvc): number => ativacaoDe(doc, uf)?.em ?? -1
    return [...Map.groupBy(affected, ({ svc }) => svc.nome).values()].flatMap((ofSvc) =>
      ofSvc.toSorted((a, b) => askedAt(a) - askedAt(b)).slice(0, 1),
    )
  })
}
