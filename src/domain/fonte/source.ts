/**
 * Whom a request is sent to: `id` stands in logs and circuit breakers (`SP/ie`), `nome` in what clients read.
 */
export type Source = { id: string; nome: string }
