/** A whole number as an operator reads it: 3507 is `3.507`. */
export const thousands = (value: number): string => value.toLocaleString('pt-BR')
