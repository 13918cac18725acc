import type { Classificacao, Marca } from './classificacao.ts'
import { type Linha, wordsAt } from './rules-palavras.ts'

const frase = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'))

/** Sentences that mean debts without naming them. Each was seen in one state. */
export const recusaPorDebitos: Marca = {
  situacao: 'positiva',
  se: frase(
    // MT refuses a requerimento with these words. They judge the taxpayer, so they mean debts.
    'NAO SAO SUFICIENTES PARA QUE SE CONSIDERE (?:A )?SUA SITUACAO REGULAR',
    // ES, MT and SP say so if there are debts. If the service fails, the sentence also says how or when.
    'NAO FOI POSSIVEL (?:A EMISSAO|EMITIR)[^.:;!?]{0,60}?CERTIDAO NEGATIVA(?![^.;!?]{0,120}(?:PELA INTERNET|MOMENTO|SISTEMA|TENTE))',
    // TO and AP say so to taxpayers with debts (seen in 2020).
    'FAVOR PROCURAR (?:A )?COLETORIA ESTADUAL',
    'NAO FOI POSSIVEL ATENDER (?:A )?SUA SOLICITACAO ?\\.? FAVOR COMPARECER (?:A )?REPARTICAO FISCAL',
  ),
}

/** PE and RJ give this paper to a regular taxpayer, unless its body says otherwise. */
export const regularidade: Marca = { situacao: 'negativa', se: /\bCERTIDAO DE REGULARIDADE\b/ }

/** PE gives this paper to an irregular taxpayer. */
export const irregularidade: Marca = { situacao: 'positiva', se: /\bCERTIDAO DE IRREGULARIDADE\b/ }

export const naoInscrito: Marca = {
  situacao: 'nao_contribuinte',
  se: frase(
    '(?<!DEBITOS? |TRIBUTARIOS |CREDITOS )\\bNAO (?:E |ESTA |SE ENCONTRA )?INSCRIT[AO]S?\\b(?! (?:EM|NA) DIVIDA)',
    '(?<!USUARIO |SENHA |E-?MAIL )\\bNAO (?:E |ESTA |SE ENCONTRA )?CADASTRAD[AO]\\b',
    '(?<!(?:SESSAO|PAGINA|CERTIDAO|REQUERIMENTO|DEBITOS?|PENDENCIAS?|ARQUIVO|PROTOCOLO|USUARIO) )\\bINEXISTENTE\\b',
    '\\bNAO E CONTRIBUINTE\\b',
    '\\bNAO (?:POSSUI|TEM|HA) INSCRICAO\\b',
    '\\b(?:CONTRIBUINTE|CNPJ|CPF|INSCRICAO|INSCRICAO ESTADUAL) NAO (?:FOI )?(?:ENCONTRAD|LOCALIZAD)[AO]\\b',
    '\\bNENHUM CONTRIBUINTE (?:FOI )?(?:ENCONTRAD|LOCALIZAD)O\\b',
    '\\bDOCUMENTO SEM INSCRICAO\\b',
  ),
}

/**
 * Finds the first mark that stands in the line, and gives its meaning and words. Undefined if there is none.
 */
export function first(linha: Linha, marcas: readonly Marca[]): Classificacao | undefined {
  for (const { situacao, se } of marcas) {
    const match = se.exec(linha.folded)
    if (match) return { situacao, frase: wordsAt(linha, match.index, match.index + match[0].length) }
  }
  return undefined
}
