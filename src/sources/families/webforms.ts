import type { Uf } from '../../domain/uf.ts'
import type { RotaIe } from '../estado.ts'
import type { Frase } from '../portal/frase.ts'
import { readResultado } from '../portal/resultado.ts'
import { portalIe } from '../portal/rota.ts'
import { legendaOf, type Rotulos } from '../portal/rotulo.ts'
import { askWebforms, EXPIRADA, type WebformsOptions } from './webforms-pedido.ts'

/** A registry on ASP.NET WebForms (CADESP in SP, SAT in SC): its labels and marks, besides how it is asked. */
export type WebformsIeOptions = WebformsOptions & {
  segunda?: true
  rotulos?: Rotulos
  frases?: readonly Frase[]
  registro?: string
  blocos?: true
}

/** A registry whose pages are ASP.NET WebForms. */
export function webforms(uf: Uf, options: WebformsIeOptions): RotaIe {
  const { rotulos, frases = [], registro, blocos } = options
  const resultado = {
    legenda: legendaOf(rotulos),
    frases: [...frases, EXPIRADA],
    ...(registro && { registro }),
    ...(blocos && { blocos }),
  }
  return portalIe('webforms', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await askWebforms(portal, pergunta, options), resultado),
  )
}
