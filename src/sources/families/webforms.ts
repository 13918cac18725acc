import type { Uf } from '../../domain/uf.ts'
import type { RotaIe } from '../estado.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../inscricao/resultado.ts'
import { portalIe } from '../portal/rota.ts'
import { askWebforms, type WebformsOptions } from './webforms-pedido.ts'

/** A registry on ASP.NET WebForms (CADESP in SP, SAT in SC): its labels and marks, besides how it is asked. */
export type WebformsIeOptions = WebformsOptions & ResultadoOptions & { segunda?: true }

/** A registry whose pages are ASP.NET WebForms. */
export function webforms(uf: Uf, options: WebformsIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('webforms', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await askWebforms(portal, pergunta, options), resultado),
  )
}
