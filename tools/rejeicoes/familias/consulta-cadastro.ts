import type { Familia } from './familia.ts'

/**
 * A document of a query of the register of taxpayers. Parameters: `campo`, `defeito`, `conserto` (a list).
 */
export const familia: Familia = (ficha) => ({
  causas: [
    `Na consulta do cadastro de uma UF ({ConsCad/infCons/UF}), ${ficha.um('campo').endsWith('IE') ? 'a' : 'o'} {${ficha.um('campo')}} ${ficha.um('defeito')}.`,
    'É a resposta de uma consulta: nenhuma nota foi recusada.',
  ],
  passos: ficha.lista('conserto').slice(),
})
