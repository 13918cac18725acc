/** What all authorities share: the clock that dates their answers, and by what factor their late answers are late (1 when left out). */
export type Opcoes = { agora: () => Date; ritmo?: number }
