/** What is asked of a state: a document with or without punctuation, of whichever kind. */
export type Pergunta = { tipo: 'cpf' | 'cnpj' | 'ie'; documento: string }
