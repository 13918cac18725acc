import { tipoDoDocumento } from '../documento/documento.ts'
import { checkInscricao } from '../documento/inscricao-estadual.ts'
import { limparDocumento } from '../documento/mascara.ts'
import type { Uf } from '../documento/molde.ts'
import type { Pergunta } from '../mundo/pergunta.ts'

/** The demand on a field: that text, or a text of that form. */
export type Exigencias = Readonly<Record<string, string | RegExp>>

/** A document as its form's mask writes it. */
export const COM_MASCARA = {
  cnpj: /^[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}$/,
  cpf: /^\d{3}\.\d{3}\.\d{3}-\d{2}$/,
} as const

/** The first of the fields that did not come or holds something else; undefined when all are right. */
export function campoErrado(campos: ReadonlyMap<string, string>, exigidos: Exigencias): string | undefined {
  return Object.entries(exigidos).find(([nome, quer]) => {
    const veio = campos.get(nome)
    return veio === undefined || (typeof quer === 'string' ? veio !== quer : !quer.test(veio))
  })?.[0]
}

/** The question in the only field that is filled in. Undefined when none is, or several are. */
export function unicaPreenchida(
  { campo }: { campo: (nome: string) => string },
  campos: Partial<Record<Pergunta['tipo'], string>>,
): Pergunta | undefined {
  const perguntas = (['cnpj', 'cpf', 'ie'] as const).flatMap((tipo) => {
    const nome = campos[tipo]
    const documento = nome === undefined ? '' : campo(nome)
    return documento === '' ? [] : [{ tipo, documento }]
  })
  return perguntas.length === 1 ? perguntas[0] : undefined
}

/** A bare CPF or CNPJ, told apart by its length. */
export function perguntaDeDocumento(documento: string): Pergunta {
  return { tipo: documento.length === 11 ? 'cpf' : 'cnpj', documento }
}

/** Why a page does not take a document, in the usual words; undefined when its check digits are right. */
export function recusaDoDocumento(uf: Uf, { tipo, documento }: Pergunta): string | undefined {
  const numero = limparDocumento(documento)
  if (tipo === 'ie') return checkInscricao(uf, numero) ? undefined : 'Inscrição Estadual inválida'
  return tipoDoDocumento(numero) === tipo ? undefined : `${tipo.toUpperCase()} inválido`
}

/** The usual refusal of a document that came in a form of its own. */
export function invalido({ tipo }: Pergunta): string {
  return tipo === 'ie' ? 'Inscrição Estadual inválida' : `${tipo.toUpperCase()} inválido`
}
