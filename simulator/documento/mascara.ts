/**
 * Fills a mask with the characters of a bare number, left to right: `mascarar('00.000.000/0000-00', cnpj)`;
 * `0` is any character.
 */
export function mascarar(mascara: string, numero: string): string {
  let usados = 0
  return mascara.replaceAll('0', () => numero.charAt(usados++))
}

/** A CPF or CNPJ as people write it. */
export function mascararDocumento(documento: string): string {
  return mascarar(documento.length === 11 ? '000.000.000-00' : '00.000.000/0000-00', documento)
}

/** Only the digits and letters of a document, in capitals. */
export function limparDocumento(texto: string): string {
  return texto.toUpperCase().replace(/[^0-9A-Z]/g, '')
}

/** YYYY-MM-DD as dd/mm/aaaa; empty stays empty. */
export function dataBrasileira(data: string): string {
  return data.split('-').reverse().join('/')
}
