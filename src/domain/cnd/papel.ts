import type { Classificacao, Situacao } from './cnd.ts'
import { readDividas, type Trecho } from './dividas.ts'
import { first, irregularidade, naoInscrito, recusaPorDebitos, regularidade } from './frase.ts'
import { type Linha, wordsAt } from './linha.ts'
import { readNomes } from './nome.ts'

/**
 * The outcome of a certificate, from all its words: what it calls itself, and what it says of debts. Its own words of
 * effects decide, for such a one cites both outcomes. Otherwise a paper that says both is not understood: a contradiction
 * is never settled for the better answer.
 */
export function classifyPapel(linha: Linha): Classificacao {
  const nomes = readNomes(linha)
  const { deve, nadaDeve } = readDividas(linha.folded)
  const told = (situacao: Situacao, { inicio, fim }: Trecho): Classificacao => ({
    situacao,
    frase: wordsAt(linha, inicio, fim),
  })
  if (nomes.efeitos) return told('positiva_com_efeitos_de_negativa', nomes.efeitos)
  const positiva =
    nomes.positiva ?? deve ?? placeOf(linha, irregularidade.se) ?? placeOf(linha, recusaPorDebitos.se)
  const negativa = nomes.negativa ?? nadaDeve
  if (positiva && negativa) return contradiction(told('negativa', negativa), told('positiva', positiva))
  if (positiva) return told('positiva', positiva)
  if (negativa) return told('negativa', negativa)
  const found = first(linha, [regularidade])
  if (found) return found
  return (
    (!hasNumber.test(linha.folded) && first(linha, [naoInscrito])) || { situacao: 'nao-entendido', frase: '' }
  )
}

const hasNumber = /\b(?:CERTIDAO|CND) Nº ?:? ?\d/

const contradiction = (...said: Classificacao[]): Classificacao => ({
  situacao: 'nao-entendido',
  frase: said.map(({ frase }) => frase).join(' … '),
})

function placeOf({ folded }: Linha, wanted: RegExp): Trecho | undefined {
  const found = wanted.exec(folded)
  return found ? { inicio: found.index, fim: found.index + found[0].length } : undefined
}
