import type { Classificacao, Situacao } from './cnd.ts'
import { type Linha, wordsAt } from './linha.ts'

/** Words that mean something; they meet the text as `fold` gives it. */
export type Marca = { situacao: Situacao; se: RegExp }

const frase = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'))

/** Debts, in words that do not name them: each was seen of one state, or is its own way to refuse. */
export const recusaPorDebitos: Marca = {
  situacao: 'positiva',
  se: frase(
    // MT, of a requerimento it refuses: a verdict on the taxpayer, so the refusal has its reason.
    'NAO SAO SUFICIENTES PARA QUE SE CONSIDERE (?:A )?SUA SITUACAO REGULAR',
    // ES, MT and SP: a negative one is what it cannot issue. Where the name of the service is meant, the
    // sentence says how or when.
    'NAO FOI POSSIVEL (?:A EMISSAO|EMITIR)[^.:;!?]{0,60}?CERTIDAO NEGATIVA(?![^.;!?]{0,120}(?:PELA INTERNET|MOMENTO|SISTEMA|TENTE))',
    // TO and AP, seen of taxpayers with debts (2020).
    'FAVOR PROCURAR (?:A )?COLETORIA ESTADUAL',
    'NAO FOI POSSIVEL ATENDER (?:A )?SUA SOLICITACAO ?\\.? FAVOR COMPARECER (?:A )?REPARTICAO FISCAL',
  ),
}

/** PE and RJ: issued to who is regular, unless the body says otherwise. */
export const regularidade: Marca = { situacao: 'negativa', se: /\bCERTIDAO DE REGULARIDADE\b/ }

/** PE: what it is called where it is not. */
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

/** What the first of the marks that a line carries means, in its words; undefined where it carries none. */
export function first(linha: Linha, marcas: readonly Marca[]): Classificacao | undefined {
  for (const { situacao, se } of marcas) {
    const match = se.exec(linha.folded)
    if (match) return { situacao, frase: wordsAt(linha, match.index, match.index + match[0].length) }
  }
  return undefined
}
