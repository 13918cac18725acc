import { enumerate } from '../../../src/platform/texto.ts'
import { acharItem, alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A value of the item that is not the result of a formula. Parameters: `campo` (path), `nome`, `formula`,
 * `termos` (fields to read), `quando`, `tolerancia` (in reais or units), `refaz` (what depends on it).
 */
export const familia: Familia = (ficha) => {
  const [campo, nome, formula] = [ficha.um('campo'), ficha.um('nome'), ficha.um('formula')]
  const quando = ficha.talvez('quando')
  const tolerancia = ficha.talvez('tolerancia')
  const resultado = campo.split('/').at(-1)
  return {
    causas: [
      `No item apontado, ${nome} (${campo}) não é o resultado de ${formula}.`,
      ...(quando ? [`A conta é conferida quando ${quando}.`] : []),
      ...(tolerancia ? [`Diferença de até ${tolerancia}, para mais ou para menos, é aceita.`] : []),
      ...alcance(ficha),
    ],
    passos: [
      `${acharItem(ficha)} e leia ${enumerate(ficha.lista('termos'))}.`,
      `Calcule ${formula} com os valores do XML, arredonde só o resultado e compare com ${resultado}.`,
      `Se um dos termos está errado, corrija-o; se estão certos, grave o resultado em ${resultado}.`,
      `Refaça ${ficha.um('refaz')}.`,
    ],
  }
}
