import { readTable } from './table.ts'

const { textos } = readTable<{ textos: Readonly<Record<number, string>> }>('./motivos.json', import.meta.url)

/** `xMotivo` of a code; without accents for the authorities that strip them (AN, SVRS). */
export function motivo(cStat: number, acentos: boolean): string {
  const texto = `${cStat < 200 ? '' : 'Rejeição: '}${textos[cStat] ?? 'Erro não catalogado'}`
  return acentos ? texto : texto.normalize('NFD').replace(/\p{M}/gu, '')
}
