import type { Familia } from '../familia.ts'

/**
 * A state registration that the register links to somebody else. Parameters: `quem`, `ie`, `doc` and `uf`
 * (paths), `documento` (`CNPJ` or `CPF`), `dono` (what decides between the two), `comum` (a sentence).
 */
export const familia: Familia = (ficha) => {
  const [ie, doc] = [ficha.um('ie'), ficha.um('doc')]
  return {
    causas: [
      `A inscrição estadual ${ficha.um('quem')} (${ie}) não está vinculada ao ${ficha.um('documento')} informado (${doc}) no cadastro da UF.`,
      ...ficha.lista('comum'),
    ],
    passos: [
      `Consulte no cadastro de ${ficha.um('uf')} a quem pertence ${ie}.`,
      `Decida pelo ${ficha.um('dono')} qual dos dois campos está errado e corrija ${ie} ou ${doc}.`,
    ],
  }
}
