import { tipoDoDocumento } from '../mundo/documento.ts'
import { checkInscricao } from '../mundo/inscricao/inscricao-estadual.ts'
import type { Uf } from '../mundo/inscricao/molde.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { limparDocumento } from './mascara.ts'

/** What a field must hold: that text, or a text of that form. */
export type Exigencias = Readonly<Record<string, string | RegExp>>

/** The first of the fields that did not come or holds something else; undefined when all are right. */
export function campoErrado(campos: ReadonlyMap<string, string>, exigidos: Exigencias): string | undefined {
  return Object.entries(exigidos).find(([nome, quer]) => {
    const veio = campos.get(nome)
    return veio === undefined || (typeof quer === 'string' ? veio !== quer : !quer.test(veio))
  })?.[0]
}

/** Why a page does not take a document, in the usual words; undefined when its check digits are right. */
export function recusaDoDocumento(uf: Uf, { tipo, documento }: Pergunta): string | undefined {
  const numero = limparDocumento(documento)
  if (tipo === 'ie') return checkInscricao(uf, numero) ? undefined : 'Inscrição Estadual inválida'
  return tipoDoDocumento(numero) === tipo ? undefined : `${tipo.toUpperCase()} inválido`
}
