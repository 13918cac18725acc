import type { Familia } from './familia.ts'

/** A person that may download the XML. Parameters: `campo`, `defeito`, `conserto` (one step). */
export const familia: Familia = (ficha) => {
  const campo = `{${ficha.um('campo')}}`
  return {
    causas: [`O ${campo} ${ficha.um('defeito')}.`],
    passos: [
      `Localize em autXML a ocorrência com esse ${campo}.`,
      ficha.um('conserto'),
      'Confira se o cadastro do cliente ou da empresa inclui esse documento por conta própria, e mude-o lá.',
    ],
  }
}
