import { isUf } from '../domain/uf.ts'
import { municipioDoIbge } from '../sources/inscricao/municipio.ts'

/** Whether a table that we carry holds a value. Undefined for a table that we do not carry. */
export function consultarTabela(nome: string, valor: string): boolean | undefined {
  if (nome === 'municipios') return municipioDoIbge(valor) !== ''
  if (nome === 'uf') return isUf(valor)
  return undefined
}
