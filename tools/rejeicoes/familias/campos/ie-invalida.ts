import type { Familia } from '../familia.ts'

/**
 * A state registration that is not formed as its state forms them. Parameters: `quem`, `campo`, `uf`
 * (paths).
 */
export const familia: Familia = (ficha) => {
  const [campo, uf] = [ficha.um('campo'), ficha.um('uf')]
  return {
    causas: [
      `A inscrição estadual ${ficha.um('quem')} (${campo}) não tem o tamanho, a composição ou o dígito verificador das inscrições da UF em ${uf}.`,
      'A conta depende da UF: uma inscrição certa com a UF errada também é recusada.',
    ],
    passos: [
      `Leia ${campo} e ${uf}.`,
      `Confira a inscrição no cadastro dessa UF e corrija ${campo} ou ${uf}, no XML e no cadastro de onde o erro veio.`,
    ],
  }
}
