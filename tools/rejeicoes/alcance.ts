import type { Ficha } from './familias/familia.ts'

const porModelo: Readonly<Record<string, string>> = {
  '55': 'Vale para NF-e (modelo 55)',
  '65': 'Vale para NFC-e (modelo 65)',
  '55/65': 'Vale para NF-e (modelo 55) e NFC-e (modelo 65)',
}

/**
 * Where the rule holds: `modelos` (`55`, `65` or `55/65`) and `opcional` of the sheet, then its exceptions
 * (`excecoes`) and its date (`vigencia`). Nothing for what the sheet does not tell.
 */
export function alcance(ficha: Ficha): string[] {
  const modelo = porModelo[ficha.talvez('modelos')] ?? ''
  const opcional = ficha.talvez('opcional') ? 'cada UF decide se aplica a regra' : ''
  const onde =
    modelo && opcional ? `${modelo}; ${opcional}.` : modelo || opcional ? `${modelo}${opcional}.` : ''
  const frases = [...ficha.lista('excecoes'), ficha.talvez('vigencia'), onde]
  return frases.filter(Boolean).map((frase) => frase.charAt(0).toUpperCase() + frase.slice(1))
}

/**
 * How the first step starts. The message tells the number of the item only where the official reason says so
 * (`nItem`); `daNota`: the fault is of the note, not of an item.
 */
export function acharItem(ficha: Ficha): string {
  if (ficha.talvez('daNota')) return 'Abra o XML da nota'
  return ficha.talvez('nItem')
    ? 'Localize o item pelo nItem da mensagem'
    : 'Localize o item em que isso ocorre'
}
