import type { Inscricao } from '../inscricao/inscricao.ts'
import { isSituacao } from '../inscricao/situacao-ie.ts'
import { fold } from '../texto/texto-plano.ts'
import type { Uf } from '../uf.ts'
import { inscricaoProblem } from './inscricao-estadual.ts'

/** A date as we write it, whole or in part, or as a page does; or that there is none. */
const DATA =
  /^(?:\d{4}(?:-\d{2}){0,2}|\d{1,2}\/\d{1,2}\/\d{2,4}|-+|N\/?[ACDI]|(?:NAO|SEM|NENHUM|INDETERMINAD)[A-Z ]*)$/

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)

const isNumber = (text: string): boolean => /^[\d./ -]{7,}$/.test(text)

/** A name, a place: words, and neither a number, a date nor a status. */
const isWords = (text: string): boolean => hasWord(text) && !isSituacao(text)

/** What each field is when it is told. The rest is free text. */
const formas: readonly (readonly [keyof Inscricao, (text: string) => boolean])[] = [
  ['inscricao_estadual', (text) => /^P?\d{7,14}$/.test(text)],
  ['razao_social', isWords],
  ['municipio', (text) => isWords(text) && !/\d{4}/.test(text)],
  ['logradouro', (text) => !isNumber(text) && !isSituacao(text)],
  ['bairro', (text) => !isNumber(text) && !isSituacao(text)],
  ['cep', (text) => /^\d{8}$/.test(text)],
  ['cnae_codigo', (text) => /^\d{4,7}$/.test(text)],
  ['data_inicio_atividade', (text) => DATA.test(fold(text))],
  ['data_situacao', (text) => DATA.test(fold(text))],
]

/**
 * Finds a field with an impossible value (a date as number, a name as municipality): the page's columns
 * changed places. Undefined if every field is in form.
 */
export function foraDeForma(inscricao: Inscricao, uf: Uf): keyof Inscricao | undefined {
  for (const [campo, isInForm] of formas)
    if (inscricao[campo] !== '' && !isInForm(inscricao[campo])) return campo
  return isOutro(inscricao, uf) ? 'inscricao_estadual' : undefined
}

/**
 * A number that is not the registration: the document, or a postal code, by the check digits of the state.
 */
function isOutro({ inscricao_estadual, cpf_cnpj, cep }: Inscricao, uf: Uf): boolean {
  if (inscricao_estadual === cpf_cnpj.replace(/\D/g, '')) return true
  const isIe = (text: string): boolean => inscricaoProblem(uf, text) === undefined
  return cep !== '' && isIe(cep) && !isIe(inscricao_estadual)
}
