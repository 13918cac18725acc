/**
 * Whom a request is sent to: `id` stands in logs and circuit breakers (`SP/ie`), `nome` in what clients read.
 */
export type Source = { id: string; nome: string }

/** The name inside of a sentence: `a SEFAZ-SP`. */
export const nomeNaFrase = ({ nome }: Pick<Source, 'nome'>): string =>
  nome.replace(/^[AO] /, (article) => article.toLowerCase())
