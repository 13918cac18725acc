/** The longest value that a message quotes, in characters. */
const CITACAO = 80

/** Shortens a value of the note. */
export const citar = (texto: string): string =>
  texto.length > CITACAO ? `${texto.slice(0, CITACAO).toWellFormed().trimEnd()}…` : texto
