import type { Familia } from './familia.ts'

/** A request that reached an authority of another UF: the sheet tells the field and the particular mend. */
export const familia: Familia = () => ({
  causas: ['O endereço do serviço foi escolhido para outra UF, ou o código da UF foi gravado errado.'],
  passos: [
    'Veja na relação oficial de serviços qual autorizadora atende a UF e o endereço dela no ambiente usado.',
    'Corrija o código da UF, se está errado, ou o endereço no emissor, se o código está certo.',
  ],
})
