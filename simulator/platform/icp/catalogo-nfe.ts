import { cenarios } from '../../nfe/cenarios.ts'
import { type ItemA1, item } from './catalogo.ts'

/** The A1 file of each scenario of the NF-e: `nfe-<nome>`. They share one key pair of each kind. */
export const CATALOGO_NFE: readonly ItemA1[] = cenarios.map(({ nome, titular, nota, chaveDoA1 }) =>
  item(`nfe-${nome}`, titular, nota, { chave: chaveDoA1, par: 'comum' }),
)
