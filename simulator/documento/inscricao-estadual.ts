import { mix } from './aleatorio.ts'
import { digitosVerificadores } from './digito-verificador.ts'
import { type Molde, type Serie, series, type Uf } from './molde.ts'

/** The 27 states, in alphabetical order. */
export const ufs: readonly Uf[] = Object.keys(series).filter(isUf).sort()

/** Whether `texto` is the abbreviation of a state, in capitals. */
export function isUf(texto: string): texto is Uf {
  return Object.hasOwn(series, texto)
}

/**
 * A valid state registration as the state's SEFAZ writes it: digits only (SP rural: `P` and 12 digits). Equal
 * arguments give the same number; `produtor` takes the series for rural producers of PR and SP, the others
 * have one series.
 */
export function makeInscricao(uf: Uf, semente: number, tipo: 'comum' | 'produtor' = 'comum'): string {
  const serie: Serie = series[uf]
  const moldes = (tipo === 'produtor' ? serie.produtor : undefined) ?? serie.emitidos ?? serie.validos
  const sorte = mix(semente, mix(uf.charCodeAt(0), uf.charCodeAt(1)))
  // Three in four numbers are of a state's commonest form.
  const molde = moldes[sorte % 4 < 3 ? 0 : (sorte >>> 2) % moldes.length] ?? ''
  const livres = livresDe(molde)
  // 53 bits of luck: enough for the 11 free digits of MG and SP's rural form. Never zero: no state issues it.
  const indice = mix(semente, sorte) * 0x200000 + (mix(sorte, semente ^ 0x2545f491) >>> 11)
  return preencher(uf, molde, String((indice % (10 ** livres - 1)) + 1).padStart(livres, '0'))
}

/**
 * Whether a state's own service takes `ie` for one of its numbers (cStat 260 when not): form, prefix and
 * check digits by the published rules, not all zeros. Digits only, as in `makeInscricao`; MT with 9 or with
 * the rule's 11.
 */
export function checkInscricao(uf: Uf, ie: string): boolean {
  return indiceDaInscricao(uf, ie) !== undefined
}

/** Whether the number is of a series that its state keeps for rural producers (PR: 95 and 96; SP: P). */
export function isDeProdutor(uf: Uf, ie: string): boolean {
  const { produtor = [] }: Serie = series[uf]
  return produtor.some((molde) => lerLivres(molde, ie) !== undefined)
}

/**
 * Where a valid number stands: which of the state's forms (its place in `validos`), and its free digits as a
 * number.
 */
export type Indice = { forma: number; numero: number }

/** The place of `ie` among the state's valid numbers; undefined when it is not one. */
export function indiceDaInscricao(uf: Uf, ie: string): Indice | undefined {
  // SEFAZ-GO's roteiro: this one number is valid with either check digit.
  if (uf === 'GO' && ie === '110944021') return indiceDaInscricao(uf, '110944020')
  for (const [forma, molde] of series[uf].validos.entries()) {
    const livres = lerLivres(molde, ie)
    if (livres !== undefined && preencher(uf, molde, livres) === ie && /[1-9]/.test(ie))
      return { forma, numero: Number(livres) }
  }
  return undefined
}

/**
 * The number at a place among the state's valid ones: the inverse of `indiceDaInscricao`; undefined outside
 * it.
 */
export function inscricaoDoIndice(uf: Uf, { forma, numero }: Indice): string | undefined {
  const molde = series[uf].validos[forma]
  if (!molde || numero >= 10 ** livresDe(molde)) return undefined
  const ie = preencher(uf, molde, String(numero).padStart(livresDe(molde), '0'))
  return /[1-9]/.test(ie) ? ie : undefined
}

/** How many free digits a form has. */
export function livresDe(molde: Molde): number {
  return molde.split('#').length - 1
}

function preencher(uf: Uf, molde: Molde, livres: string): string {
  let usados = 0
  const aberto = molde.replaceAll('#', () => livres.charAt(usados++))
  const digitos = digitosVerificadores(uf, aberto.replace(/[vP]/g, ''))
  let postos = 0
  return aberto.replaceAll('v', () => digitos.charAt(postos++))
}

function lerLivres(molde: Molde, ie: string): string | undefined {
  if (ie.length !== molde.length || !/^P?\d+$/.test(ie)) return undefined
  let livres = ''
  for (let i = 0; i < molde.length; i++) {
    if (molde[i] === '#') livres += ie[i]
    else if (molde[i] !== 'v' && molde[i] !== ie[i]) return undefined
  }
  return livres
}
