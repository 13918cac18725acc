import { InvalidArgumentError, Option } from 'commander'
import { isPlano, type NomePlano, nomesDosPlanos } from '../platform/ledger/rules.ts'

export const planosListed = nomesDosPlanos.join(', ')

export const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

/** Writes what a command did: one JSON object, or a text for people. */
export function tell({ json }: { json?: true }, done: object, text: string): void {
  console.log(json ? JSON.stringify(done) : text)
}

export function parsePlano(text: string): NomePlano {
  if (isPlano(text)) return text
  throw new InvalidArgumentError(`Os planos são ${planosListed}.`)
}

export function parseMes(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('Envie ano e mês, como 2026-11.')
}

export function parseNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro.')
}

/** Credits to give or to take. */
export function parseCreditos(text: string): number {
  if (/^0*[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro de créditos, de 1 a 999999999.')
}

const MOTIVO_MAX = 200

/** One line that people read on a statement or in a refusal, without control and format characters. */
export function parseMotivo(text: string): string {
  const motivo = text.trim()
  if (motivo !== '' && motivo.length <= MOTIVO_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(motivo)) return motivo
  throw new InvalidArgumentError(
    `Escreva o motivo em uma linha, de 1 a ${MOTIVO_MAX} caracteres, sem caracteres de controle.`,
  )
}

/** A price in BRL as exact decimal text with two decimals or more: `0,12` and `0.120` are prices. */
export function parseReais(text: string): string {
  const [, inteiros, decimais = ''] = /^0*(\d{1,6})(?:[.,](\d{1,6}))?$/.exec(text) ?? []
  if (inteiros !== undefined && /[1-9]/.test(inteiros + decimais))
    return `${inteiros}.${decimais.padEnd(2, '0')}`
  throw new InvalidArgumentError('Envie um preço em reais maior que zero, como 0,12.')
}
