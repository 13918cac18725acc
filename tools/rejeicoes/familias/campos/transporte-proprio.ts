import type { Familia } from '../familia.ts'

/**
 * The carrier against the kind of freight. Parameters: `quem` (sender or receiver), `frete` (what `modFrete`
 * is), `relacao` (`igual` or `difere`), `saida` and `entrada` (where that party stands in the note).
 */
export const familia: Familia = (ficha) => {
  const quem = ficha.um('quem')
  const relacao = ficha.um('relacao') === 'igual' ? 'é o próprio' : 'não é o'
  return {
    causas: [
      `O frete (transp/modFrete) é ${ficha.um('frete')}, mas o transportador (transp/transporta/CNPJ ou transp/transporta/CPF) ${relacao} ${quem}.`,
      `Na nota de saída o transportador é comparado com ${ficha.um('saida')}; na de entrada, com ${ficha.um('entrada')}. No CNPJ contam as 8 primeiras posições.`,
    ],
    passos: [
      `Leia transp/modFrete e compare o documento em transp/transporta com o do ${quem}, conforme ide/tpNF.`,
    ],
  }
}
