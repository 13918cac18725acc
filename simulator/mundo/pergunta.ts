/** A question to a state: a document of any kind, with or without punctuation. */
export type Pergunta = { tipo: 'cpf' | 'cnpj' | 'ie'; documento: string }
