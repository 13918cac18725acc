import { isChaveComDigito } from '../../documento/chave.ts'
import { isCnpj, isCpf } from '../../documento/documento.ts'
import { inscricaoProblem } from '../../documento/inscricao-estadual.ts'
import { findUf, ufs, unidades } from '../../documento/uf.ts'

/** Whether the last digit of a GTIN of 8, 12, 13 or 14 digits is its check digit (GS1). */
function isGtin(texto: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(texto)) return false
  const soma = [...texto].reverse().reduce((total, digito, i) => total + Number(digito) * (i % 2 ? 3 : 1), 0)
  return soma % 10 === 0
}

/** Municipalities whose published code has another last digit (IBGE, "Códigos dos municípios"). */
const semDigito: ReadonlySet<string> = new Set([
  '2201919',
  '2202251',
  '2201988',
  '2611533',
  '3117836',
  '3152131',
  '4305871',
  '5203939',
  '5203962',
])

/** Whether the last digit of a code of IBGE is its check digit, or the code is of the known others. */
function isMunicipioComDigito(texto: string): boolean {
  if (!/^\d{7}$/.test(texto)) return false
  if (semDigito.has(texto)) return true
  const soma = [...texto].slice(0, 6).reduce((total, digito, i) => {
    const produto = Number(digito) * (i % 2 ? 2 : 1)
    return total + (produto > 9 ? produto - 9 : produto)
  }, 0)
  return (10 - (soma % 10)) % 10 === Number(texto[6])
}

/**
 * Whether a number has a form and check digits of its state, which `estado` names or tells by its two digits.
 * Zeros on the left may be missing or too many, as the authorities take them.
 */
function isInscricaoDaUf(estado: string, inscricao: string): boolean {
  const uf = findUf(estado) ?? ufs.find((sigla) => unidades[sigla].codigo === estado)
  if (!uf) return false
  const semZeros = inscricao.replace(/^0+/, '')
  if (semZeros === '') return false
  if (inscricaoProblem(uf, inscricao) === undefined) return true
  for (let tamanho = semZeros.length; tamanho <= 14; tamanho++)
    if (inscricaoProblem(uf, semZeros.padStart(tamanho, '0')) === undefined) return true
  return false
}

/** Whether the last of the nine digits of a registration at Suframa is its check digit (modulus 11). */
function isSuframa(texto: string): boolean {
  if (!/^\d{9}$/.test(texto)) return false
  const resto = [...texto].slice(0, 8).reduce((total, digito, i) => total + Number(digito) * (9 - i), 0) % 11
  return (resto < 2 ? 0 : 11 - resto) === Number(texto[8])
}

/** The check digits that a check may ask for, each with the texts that it is given. */
export const digitos = {
  chave: ([chave = '']: string[]) => isChaveComDigito(chave),
  cnpj: ([cnpj = '']: string[]) => isCnpj(cnpj),
  cpf: ([cpf = '']: string[]) => isCpf(cpf),
  documento: ([documento = '']: string[]) => isCnpj(documento) || isCpf(documento),
  gtin: ([gtin = '']: string[]) => isGtin(gtin),
  'ie-da-uf': ([uf = '', ie = '']: string[]) => isInscricaoDaUf(uf, ie),
  municipio: ([municipio = '']: string[]) => isMunicipioComDigito(municipio),
  suframa: ([suframa = '']: string[]) => isSuframa(suframa),
} as const
