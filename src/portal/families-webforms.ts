import type { Uf } from '../documento/uf.ts'
import type { RotaIe } from './estado.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from './resultado.ts'
import { portalIe } from './rota.ts'
import { askWebforms, type WebformsOptions } from './webforms.ts'

/** The options of a registry on ASP.NET WebForms (CADESP in SP, SAT in SC). */
export type WebformsIeOptions = WebformsOptions & ResultadoOptions & { segunda?: true }

/** A registry on ASP.NET WebForms. */
export function webforms(uf: Uf, options: WebformsIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('webforms', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await askWebforms(portal, pergunta, options), resultado),
  )
}
