import type { Familia } from './familia.ts'

/**
 * A request that reached an authority of another UF. Parameters: `defeito` and `conserto`, sentences; `comum`
 * (how it comes about) and `fim` (the last mend) where no code of a UF can be mended, as in a key.
 */
export const familia: Familia = (ficha) => ({
  causas: [
    ficha.um('defeito'),
    ficha.talvez('comum') ||
      'O endereço do serviço foi escolhido para outra UF, ou o código da UF foi gravado errado.',
  ],
  passos: [
    'Veja na relação oficial de serviços qual autorizadora atende a UF e o endereço dela no ambiente usado.',
    ficha.um('conserto'),
    ficha.talvez('fim') ||
      'Corrija o código da UF, se está errado, ou o endereço no emissor, se o código está certo.',
  ],
})
