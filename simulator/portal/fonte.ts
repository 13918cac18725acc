/** Height and width of a letter, in dots. */
export const ALTURA = 7
export const LARGURA = 5

/**
 * Five columns a letter, two hexadecimal digits each, the lowest bit on top: the 5 by 7 dots of character
 * displays.
 */
const colunas = {
  '0': '3E5149453E',
  '1': '00427F4000',
  '2': '4261514946',
  '3': '2141454B31',
  '4': '1814127F10',
  '5': '2745454539',
  '6': '3C4A494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291E',
  A: '7E1111117E',
  B: '7F49494936',
  C: '3E41414122',
  D: '7F4141221C',
  E: '7F49494941',
  F: '7F09090901',
  G: '3E4149497A',
  H: '7F0808087F',
  I: '00417F4100',
  J: '2040413F01',
  K: '7F08142241',
  L: '7F40404040',
  M: '7F020C027F',
  N: '7F0408107F',
  O: '3E4141413E',
  P: '7F09090906',
  Q: '3E4151215E',
  R: '7F09192946',
  S: '4649494931',
  T: '01017F0101',
  U: '3F4040403F',
  V: '1F2040201F',
  W: '3F4038403F',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
} as const

const letras = new Map<string, Buffer>(
  Object.entries(colunas).map(([letra, hexa]) => [letra, Buffer.from(hexa, 'hex')]),
)

/** Whether a dot of a letter (capital or digit) is inked, `x` from its left and `y` from its top. */
export function temTinta(letra: string, x: number, y: number): boolean {
  return (((letras.get(letra)?.[x] ?? 0) >> y) & 1) === 1
}
