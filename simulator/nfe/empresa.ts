import { dvCnpj } from '../documento/dados-abertos-documento.ts'
import type { Chamador } from '../platform/autoridade.ts'

/** A company, by the first twelve characters of its CNPJ. */
export function empresa(doze: string, nome: string): Chamador {
  return { tipo: 'cnpj', documento: doze + dvCnpj(doze), nome }
}

/** Another establishment of a company, by its order number: `0001` is the head office. */
export function estabelecimento({ documento, nome }: Chamador, ordem: string): Chamador {
  return empresa(`${documento.slice(0, 8)}${ordem}`, nome)
}
