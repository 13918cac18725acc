import type { Classificacao, SituacaoDita } from './classificacao.ts'
import { first, irregularidade, naoInscrito, recusaPorDebitos, regularidade } from './cnd-frase.ts'
import { findIndicio, findNulidade } from './indicio.ts'
import type { Trecho } from './palavras.ts'
import { readDividas } from './rules-dividas.ts'
import { readNomes } from './rules-indicio.ts'
import { type Linha, wordsAt } from './rules-palavras.ts'

/**
 * Reads the outcome of a certificate from its name and its words on debts. A paper with words of effects
 * cites both outcomes, so those words decide; any other paper with both, or that voids itself, is not
 * understood.
 */
export function classifyPapel(linha: Linha): Classificacao {
  const nomes = readNomes(linha)
  const { deve, nadaDeve } = readDividas(linha.folded)
  const told = (situacao: SituacaoDita, { inicio, fim }: Trecho): Classificacao => ({
    situacao,
    frase: wordsAt(linha, inicio, fim),
  })
  const nula = findNulidade(linha.folded)
  if (nula) return { situacao: 'nao-entendido', frase: wordsAt(linha, nula.inicio, nula.fim) }
  const efeitos = nomes.efeitosDitos ?? nomes.efeitos
  // After a title without effects, a name with effects is a note. A sentence on its own effects is none.
  const isOfNote = efeitos !== nomes.efeitosDitos && isBefore(nomes.positiva, efeitos)
  if (efeitos && nomes.positiva && isOfNote)
    return contradiction(told('positiva', nomes.positiva), told('positiva_com_efeitos_de_negativa', efeitos))
  if (efeitos) return told('positiva_com_efeitos_de_negativa', efeitos)
  const positiva =
    nomes.positiva ?? deve ?? placeOf(linha, irregularidade.se) ?? placeOf(linha, recusaPorDebitos.se)
  const negativa = nomes.negativa ?? nadaDeve
  if (positiva && negativa) return contradiction(told('negativa', negativa), told('positiva', positiva))
  if (positiva) return told('positiva', positiva)
  const nadaConsta = negativa ?? placeOf(linha, regularidade.se)
  const indicio = nadaConsta && findIndicio(linha.folded)
  if (indicio) return contradiction(told('negativa', nadaConsta), told('positiva', indicio))
  if (nadaConsta) return told('negativa', nadaConsta)
  return (
    (!hasNumber.test(linha.folded) && first(linha, [naoInscrito])) || { situacao: 'nao-entendido', frase: '' }
  )
}

const isBefore = (one: Trecho | undefined, other: Trecho | undefined): boolean =>
  one !== undefined && other !== undefined && one.inicio < other.inicio

const hasNumber = /\b(?:CERTIDAO|CND) Nº ?:? ?\d/

const contradiction = (...said: Classificacao[]): Classificacao => ({
  situacao: 'nao-entendido',
  frase: said.map(({ frase }) => frase).join(' … '),
})

function placeOf({ folded }: Linha, wanted: RegExp): Trecho | undefined {
  const found = wanted.exec(folded)
  return found ? { inicio: found.index, fim: found.index + found[0].length } : undefined
}
