import { acharItem, alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A code that its official table does not have. Parameters: `campo` (path), `nome`, `tabela`, `origem`,
 * `procura`.
 */
export const familia: Familia = (ficha) => {
  const [campo, nome, tabela] = [ficha.um('campo'), ficha.um('nome'), ficha.um('tabela')]
  return {
    causas: [
      `O ${nome} informado (${campo}) não existe na ${tabela}.`,
      ficha.um('origem'),
      ...alcance(ficha),
    ],
    passos: [
      `${acharItem(ficha)} e leia ${campo}.`,
      ficha.um('procura'),
      `Grave em ${campo} o código da ${tabela} e corrija também o cadastro de onde ele veio.`,
    ],
  }
}
