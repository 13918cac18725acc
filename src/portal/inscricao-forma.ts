import { inscricaoProblem } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { fold } from '../platform/texto.ts'
import type { Inscricao } from './rules-inscricao.ts'
import { isSituacao } from './situacao-ie.ts'

/** A date as we write it, whole or in part, or as a page writes it; or the words that there is none. */
const DATA =
  /^(?:\d{4}(?:-\d{2}){0,2}|\d{1,2}\/\d{1,2}\/\d{2,4}|-+|N\/?[ACDI]|(?:NAO|SEM|NENHUM|INDETERMINAD)[A-Z ]*)$/

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)

const isNumber = (text: string): boolean => /^[\d./ -]{7,}$/.test(text)

/** A name or a place. It is no number, date or status. */
const isWords = (text: string): boolean => hasWord(text) && !isSituacao(text)

/** The form of each field that is told. All other fields are free text. */
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
 * Finds a field with an impossible value, such as a date in the place of a number: the page's columns changed
 * places. Undefined if every field has its form.
 */
export function foraDeForma(inscricao: Inscricao, uf: Uf): keyof Inscricao | undefined {
  for (const [campo, isInForm] of formas)
    if (inscricao[campo] !== '' && !isInForm(inscricao[campo])) return campo
  return isOutro(inscricao, uf) ? 'inscricao_estadual' : undefined
}

/** Whether a number cannot be the registration: the state's check digits show a document or a postal code. */
function isOutro({ inscricao_estadual, cpf_cnpj, cep }: Inscricao, uf: Uf): boolean {
  if (inscricao_estadual === cpf_cnpj.replace(/\D/g, '')) return true
  const isIe = (text: string): boolean => inscricaoProblem(uf, text) === undefined
  return cep !== '' && isIe(cep) && !isIe(inscricao_estadual)
}
