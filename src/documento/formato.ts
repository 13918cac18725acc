type Late<T> = { format: (value: T) => string }

/** Made with its first use: for the first format ICU takes 6 MB, and an idle service needs none. */
function late<T>(make: () => Late<T>): Late<T> {
  let made: Late<T> | undefined
  return {
    format: (value) => {
      made ??= make()
      return made.format(value)
    },
  }
}

/** Of instants, in Brasília unless `options` name another time zone. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Late<Date | number> =>
  late(() => new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', ...options }))

export const numberFormat = (options: Intl.NumberFormatOptions = {}): Late<number> =>
  late(() => new Intl.NumberFormat('pt-BR', options))

/** `a, b e c`, or `a, b ou c`. */
export const listFormat = (type: 'conjunction' | 'disjunction'): Late<readonly string[]> =>
  late(() => new Intl.ListFormat('pt-BR', { type }))
