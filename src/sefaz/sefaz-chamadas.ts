import { estados } from '../estados/estados.ts'
import { listChamadas } from './chamadas.ts'
import type { ChamadasProprias } from './palavra.ts'
import type { RecursosDaRodada } from './recursos.ts'
import { autorizadorDe } from './rules.ts'

/**
 * The sources that are a web service of the SEFAZ, by the state's NF-e authorizer: what our clients' calls
 * meet there is held against its word.
 */
const fontesPor: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      [...estados.values()].flatMap(({ uf, ie }) =>
        ie.flatMap(({ familia, source }) =>
          familia === 'cadastro' ? [{ autorizador: autorizadorDe('nfe', uf).id, fonte: source.id }] : [],
        ),
      ),
      ({ autorizador }) => autorizador,
    ),
  ].map(([autorizador, all]) => [autorizador, all.map(({ fonte }) => fonte)]),
)

/** What our own calls came to in the interval before a round, by authorizer. */
export async function chamadasPorAutorizador(
  { store: { db }, sources: { ambiente } }: RecursosDaRodada,
  when: { em: number; intervaloMs: number },
): Promise<ReadonlyMap<string, ChamadasProprias>> {
  const fontes = [...fontesPor.values()].flat()
  const byFonte = await listChamadas(db, { ambiente, fontes, ...when })
  return new Map(
    [...fontesPor].flatMap(([autorizador, own]) => {
      const called = own.flatMap((fonte) => byFonte.get(fonte) ?? [])
      const boas = called.reduce((sum, one) => sum + one.boas, 0)
      const falhas = called.flatMap((one) => one.falhas)
      return called.length === 0 ? [] : [[autorizador, { boas, falhas }] as const]
    }),
  )
}
