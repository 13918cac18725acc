import { dvCnpj } from '../dados-abertos/documento.ts'
import {
  type Contribuinte,
  findContribuinte,
  type Inscricao,
  listContribuintes,
} from '../mundo/contribuinte.ts'
import type { Uf } from '../mundo/molde.ts'

/** A taxpayer of the seeded world and its registrations in one state. */
export type Escolhido = { uf: Uf; contribuinte: Contribuinte; inscricoes: readonly Inscricao[] }

/** The first of the seeded world that has what is wanted in a state; throws when nobody has, for then the list is wrong. */
export function escolher(uf: Uf, serve: (escolhido: Escolhido) => boolean): Escolhido {
  for (const contribuinte of listContribuintes()) {
    const escolhido = { uf, contribuinte, inscricoes: contribuinte.inscricoes.filter((i) => i.uf === uf) }
    if (escolhido.inscricoes.length > 0 && serve(escolhido)) return escolhido
  }
  throw new Error(`Ninguém do mundo simulado serve para ${uf}.`)
}

/** A CNPJ with valid check digits that nobody knows. */
export function cnpjDesconhecido(): string {
  for (let raiz = 98_764_000; ; raiz++) {
    const documento = `${raiz}0001${dvCnpj(`${raiz}0001`)}`
    if (!findContribuinte(documento)) return documento
  }
}

/** The same number with another last digit. */
export function trocarUltimo(numero: string): string {
  return numero.slice(0, -1) + ((Number(numero.at(-1)) + 1) % 10)
}
