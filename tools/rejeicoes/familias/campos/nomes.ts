/** A path as a sentence names it: a path of one step alone is told to be a group. */
export const nomear = (campo: string): string => (campo.includes('/') ? campo : `o grupo ${campo}`)
