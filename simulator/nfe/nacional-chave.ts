import { tipoDoDocumento } from '../documento/documento.ts'
import { codigosUf } from '../documento/uf.ts'
import { dvDaChave, horaDeBrasilia, lerChave, type PartesDaChave } from './chave.ts'

/**
 * The shape of a key, as the schemas check it: letters in the CNPJ's first 12 characters since 2026-07 (NT
 * Conjunta 2025.001).
 */
export const FORMATO_DA_CHAVE = /^\d{6}[0-9A-Z]{12}\d{26}$/

const codigos: readonly string[] = Object.values(codigosUf)

/**
 * Rules 236 and 614 to 619 of an access key that has the shape of one, in that order (NT 2014.002 v1.21, 3.8;
 * NT 2020.001 v1.50, 6.3.7). `modelos`: those that the service takes.
 */
export function conferirChave(chave: string, modelos: readonly string[], agora: Date): number | undefined {
  const partes = lerChave(chave)
  if (!partes || dvDaChave(chave.slice(0, 43)) !== partes.dv) return 236
  const ano = Number(partes.aamm.slice(0, 2))
  const mes = Number(partes.aamm.slice(2))
  if (!codigos.includes(partes.cUF)) return 614
  if (ano < 6 || ano > Number(horaDeBrasilia(agora).slice(2, 4))) return 615
  if (mes < 1 || mes > 12) return 616
  if (!temEmitente(partes)) return 617
  if (!modelos.includes(partes.modelo)) return 618
  return Number(partes.nNF) === 0 ? 619 : undefined
}

/**
 * Series up to 909 are of companies, the others of persons, whose CPF comes after three zeros (MOC 7.0, Anexo
 * I, "série").
 */
function temEmitente({ serie, documento }: PartesDaChave): boolean {
  if (Number(serie) <= 909) return tipoDoDocumento(documento) === 'cnpj'
  return documento.startsWith('000') && tipoDoDocumento(documento.slice(3)) === 'cpf'
}
