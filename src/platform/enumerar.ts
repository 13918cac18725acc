const juntas = {
  e: new Intl.ListFormat('pt-BR', { type: 'conjunction' }),
  ou: new Intl.ListFormat('pt-BR', { type: 'disjunction' }),
}

/** Words joined as Portuguese does: `a, b e c`, or with the other joint `a, b ou c`. */
export const enumerar = (palavras: readonly string[], junta: keyof typeof juntas = 'e'): string =>
  juntas[junta].format(palavras)
