import { ApiError } from '../platform/errors.ts'
import type { CatalogoAberto } from './catalogo-aberto.ts'
import type { Catalogo } from './ler.ts'

/** What a question to the catalogue needs of the service. The Context has it. */
export type RecursosRejeicoes = { store: { rejeicoes: Pick<CatalogoAberto, 'ler'> } }

/** The catalogue that answers now. Throws REJEICOES_INDISPONIVEL if no good file was seen. */
export function catalogoVigente({ store }: RecursosRejeicoes): Catalogo {
  const catalogo = store.rejeicoes.ler()
  if (catalogo) return catalogo
  throw semCatalogo()
}

/** The failure of a question to a catalogue that cannot be read. */
export const semCatalogo = (): ApiError =>
  new ApiError(
    'REJEICOES_INDISPONIVEL',
    'O catálogo de rejeições não pode ser lido agora: o arquivo falta ou está danificado neste servidor. Tente de novo em um minuto. Operador: o motivo está em /ready.',
  )
