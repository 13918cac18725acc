import type { Documento } from '../documento/documento.ts'
import type { PorChamada } from '../platform/cache/cache.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import { isAtivo, isInativo } from './rules.ts'
import type { RuralRoom } from './rural.ts'
import { askConector, type FichaDoTitular, fonteCnir } from './source-cnir.ts'

export type TitularAchado = FichaDoTitular & {
  total_imoveis: number
  total_imoveis_ativos: number
  avisos: string[]
  consultado_em: string
  cached: boolean
}

const TTL_MS = 24 * 60 * 60_000

const keyOf = ({ tipo, documento }: Documento): string => `cnir/1:${tipo}:${documento}`

export async function findTitularKept(
  { sealed }: RuralRoom,
  asked: Documento,
  maxAgeMs: number | undefined,
): Promise<TitularAchado | undefined> {
  const kept = await sealed.find<FichaDoTitular>(keyOf(asked), maxAgeMs)
  return kept && withTotals(kept.value, kept.since, true)
}

/** Throws RotaNaoAtende without a connector, SourceError for any failure of it. */
export async function findTitular(
  { now, config, sealed, cnir, guard }: RuralRoom,
  asked: Documento,
  { request_id, maxAgeMs }: PorChamada,
): Promise<TitularAchado> {
  if (!cnir) throw new RotaNaoAtende(SEM_CONECTOR)
  const { source } = fonteCnir
  const entry = { key: keyOf(asked), ttlMs: TTL_MS, loadMs: config.CNIR_SECONDS * 1000, maxAgeMs }
  const { value, since, cached } = await sealed.through(entry, (deadlineMs) =>
    guard({ source, deadlineMs, request_id }, async (leftMs, note) => {
      const ficha = await askConector(cnir, asked, { request_id, deadlineMs: leftMs, now })
      note({ vazia: !ficha || ficha.imoveis_cafir.length === 0 })
      return ficha ?? ninguem
    }),
  )
  return withTotals(value, since, cached)
}

const SEM_CONECTOR =
  'Nenhum órgão publica uma consulta ao CNIR, e este serviço está sem um conector que a faça. Operador: defina CNIR_URL e CNIR_SECRET.'

const ninguem: FichaDoTitular = { pessoa_fisica: null, pessoa_juridica: null, imoveis_cafir: [] }

function withTotals(ficha: FichaDoTitular, consultado_em: string, cached: boolean): TitularAchado {
  const { imoveis_cafir: imoveis } = ficha
  const unknown = new Set(
    imoveis.filter((one) => !isAtivo(one) && !isInativo(one)).map(({ situacao }) => situacao),
  )
  return {
    ...ficha,
    total_imoveis: imoveis.length,
    total_imoveis_ativos: imoveis.filter(isAtivo).length,
    avisos: [...unknown].slice(0, MAIS_AVISOS).map(avisoOf),
    consultado_em,
    cached,
  }
}

const MAIS_AVISOS = 10

const avisoOf = (situacao: string): string =>
  `Não se sabe o que significa a situação "${situacao}" do CNIR: imóveis assim não contam em total_imoveis_ativos.`
