import type { Situacao } from './cnd.ts'

/** Words that mean something; they meet the text as `fold` gives it. */
export type Marca = { situacao: Situacao; se: RegExp }

/** What stands between a verb and its object: no other sentence, no other verb, nothing that is said of a certificate. */
const ENTRE =
  '(?:(?!CERTIDAO|NAO\\b|EXIST|POSSU|CONST|MAS\\b|POREM|PAGAMENTO|QUITACAO|RECOLHIMENTO)(?:[^.:;!?]|(?<=\\b[A-Z0-9])\\.|(?<=\\d)\\.)){0,200}?'

/** A debt; what is pending of something else (MA: IPVA) is none. */
const DEBITO =
  '\\b(?:DEBITOS?|DIVIDAS?|PENDENCIAS?(?! (?:D[EAO]S? )?(?:AUTO|IPVA|CADASTR|DOCUMENT|ENTREGA|DECLARA)))\\b(?! (?:EM CONTA|AUTOMATICO))'

const ACHADO = '(?:ENCONTRAD|IDENTIFICAD|LOCALIZAD|CONSTATAD|VERIFICAD)[AO]S?'
const TEM = `(?:CONSTAM?|POSSUI|EXISTEM?|HA|APRESENTA|FO(?:I|RAM) ${ACHADO})\\b`

const frase = (...alternatives: string[]): RegExp => new RegExp(alternatives.join('|'))

export const comEfeitos: Marca = {
  situacao: 'positiva_com_efeitos_de_negativa',
  se: frase(
    '(?:POSITIVA ?[,-]? ?)?(?<!SEM |NAO TEM )\\bCOM EFEITOS? (?:DE |DA )?(?:CERTIDAO )?NEGATIV[AO]',
    'NEGATIVA ?[,-]? ?COM EFEITOS? (?:DE )?POSITIVA',
  ),
}

/** That nothing is owed. */
export const nadaDeve: Marca = {
  situacao: 'negativa',
  se: frase(
    `\\bNAO (?:SE |MAIS )?${TEM}${ENTRE}${DEBITO}`,
    '\\bINEXIST(?:EM|ENCIA DE) (?:DEBITO|PENDENCIA)S?\\b',
    '\\bSEM (?:DEBITO|PENDENCIA)S?\\b',
    '\\bNADA CONSTA\\b',
  ),
}

/** That something is. `NAO CONSTA DEBITO` holds `CONSTA DEBITO`, and a form says what happens if there are debts. */
export const deve: Marca = {
  situacao: 'positiva',
  se: frase(
    `(?<!\\b(?:NAO|NAO SE|NAO MAIS|NADA|SE|CASO|QUANDO) )\\b${TEM}${ENTRE}${DEBITO}`,
    '(?<!\\bNAO |CREDORA? )\\bE DEVEDORA?\\b',
    '(?<!\\b(?:NAO|NAO ESTA|SE|CASO) )\\bCOM (?:DEBITO|PENDENCIA)S?\\b(?! (?:EM CONTA|AUTOMATICO|CADASTR))',
    // MT, of a requerimento it refuses: a verdict on the taxpayer, so the refusal has its reason.
    'NAO SAO SUFICIENTES PARA QUE SE CONSIDERE (?:A )?SUA SITUACAO REGULAR',
    // ES and MT: a negative one is what it cannot issue. Where the name of the service is meant, the sentence says how or when.
    'NAO FOI POSSIVEL (?:A EMISSAO|EMITIR)[^.:;!?]{0,60}?CERTIDAO NEGATIVA(?![^.;!?]{0,120}(?:PELA INTERNET|MOMENTO|SISTEMA|TENTE))',
  ),
}

/** The title of a certificate that says its outcome in full. */
export const tituloPositivo: Marca = { situacao: 'positiva', se: /\bPOSITIVA\b|\bCPD\b|\bIRREGULARIDADE\b/ }
export const tituloNegativo: Marca = { situacao: 'negativa', se: /\bNEGATIVA\b/ }
export const tituloComEfeitos: Marca = {
  situacao: 'positiva_com_efeitos_de_negativa',
  se: frase(comEfeitos.se.source, '\\b(?:CPEND|CPEN|CPD-EN|CPN)\\b'),
}

/** The body of a certificate whose title does not tell (DF, MG, PR have one title for all three). */
export const corpoPositivo: Marca = {
  situacao: 'positiva',
  se: /(?:\bCERTIDAO|-) POSITIVA\b(?! ?[,-]? ?COM EFEITO)/,
}
export const corpoNegativo: Marca = { situacao: 'negativa', se: /\bCERTIDAO NEGATIVA\b|- NEGATIVA\b/ }

/** PE and RJ: issued to who is regular, unless the body says otherwise. */
export const regular: Marca = { situacao: 'negativa', se: /\bCERTIDAO DE REGULARIDADE\b/ }

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
