import type { Familia } from '../familia.ts'

/** A complementary note that points to a note it may not complete. Parameter: `defeito`, as a predicate. */
export const familia: Familia = (ficha) => ({
  causas: [`A nota complementar (ide/finNFe=2) ${ficha.um('defeito')} em ide/NFref/refNFe.`],
  passos: ['Consulte na SEFAZ a situação e a finalidade da nota cuja chave está em ide/NFref/refNFe.'],
})
