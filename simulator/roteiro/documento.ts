/** The same number with another last digit: a wrong check digit. */
export function trocarUltimo(numero: string): string {
  return numero.slice(0, -1) + ((Number(numero.at(-1)) + 1) % 10)
}

/** A CNPJ of 14 characters as people write it. */
export function mascararCnpj(cnpj: string): string {
  return cnpj.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')
}
