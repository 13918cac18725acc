import type { SituacaoDita } from '../../src/portal/rules-certidao.ts'
import type { Leitor } from './propriedade.ts'

/**
 * The essence of the rule until 2026-11-22: the title line decides, else the first of these marks in their
 * order. It believed a negative phrase before any positive one, and stays here to show that the property
 * finds that.
 */
export const regraAntiga: Leitor = (texto) => {
  const linhas = texto.split(/\r?\n|\r/).map(plain)
  const titulo =
    linhas.find((linha) => /^CERTIDAO (?!N(?:º|O|R)?\.? ?:? ?\d|EMITIDA|VALIDA)[^.:]{3,160}$/.test(linha)) ??
    ''
  const inteiro = plain(texto)
  const doTitulo = first(titulo, titulos)
  const isDenied = doTitulo === 'negativa' && first(inteiro, [deve, positiva]) && !first(inteiro, [nadaDeve])
  if (isDenied) return { situacao: 'nao-entendido' }
  return { situacao: doTitulo ?? first(inteiro, corpo) ?? 'nao-entendido' }
}

type Marca = [SituacaoDita, RegExp]

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase()

const first = (text: string, marcas: readonly Marca[]): SituacaoDita | undefined =>
  marcas.find(([, se]) => se.test(text))?.[0]

const DEBITO = '\\b(?:DEBITOS?|DIVIDAS?|PENDENCIAS?)\\b'
const TEM = '(?:CONSTAM?|POSSUI|EXISTEM?|HA|APRESENTA|FO(?:I|RAM) ENCONTRAD[AO]S?)\\b'
const ENTRE = '(?:(?!CERTIDAO|NAO\\b|EXIST|POSSU|CONST)[^.:;!?]){0,200}?'

const efeitos: Marca = [
  'positiva_com_efeitos_de_negativa',
  /COM EFEITOS? (?:DE |DA )?(?:CERTIDAO )?NEGATIV[AO]/,
]
const nadaDeve: Marca = ['negativa', new RegExp(`\\bNAO ${TEM}${ENTRE}${DEBITO}|\\bNADA CONSTA\\b`)]
const negativa: Marca = ['negativa', /\bCERTIDAO NEGATIVA\b|- NEGATIVA\b/]
const deve: Marca = [
  'positiva',
  new RegExp(`(?<!\\b(?:NAO|NADA|SE) )\\b${TEM}${ENTRE}${DEBITO}|\\bE DEVEDORA?\\b`),
]
const positiva: Marca = ['positiva', /(?:\bCERTIDAO|-) POSITIVA\b(?! ?[,-]? ?COM EFEITO)/]
const regular: Marca = ['negativa', /\bCERTIDAO DE REGULARIDADE\b/]

const titulos: readonly Marca[] = [
  efeitos,
  ['positiva', /\bPOSITIVA\b|\bIRREGULARIDADE\b/],
  ['negativa', /\bNEGATIVA\b/],
]
const corpo: readonly Marca[] = [efeitos, nadaDeve, negativa, deve, positiva, regular]
