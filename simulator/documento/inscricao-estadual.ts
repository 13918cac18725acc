import { mix } from './aleatorio.ts'
import { dvCnpj } from './documento.ts'
import { type Molde, type Serie, series, type Uf } from './uf.ts'

/** `corpo` is the other digits (sintegra.gov.br; GO by its own roteiro). */
const digitosVerificadores = (uf: Uf, corpo: string): string => REGRAS[uf]?.(corpo) ?? modulo11(corpo, 9)

const doisDe9 = (corpo: string): string => doisDigitos(corpo, 9)
const REGRAS: Partial<Record<Uf, (corpo: string) => string>> = {
  ...{
    AC: doisDe9,
    DF: doisDe9,
    PE: doisDe9,
    AP: amapa,
    BA: bahia,
    GO: goias,
    MG: minasGerais,
    SP: saoPaulo,
  },
  PR: (corpo) => doisDigitos(corpo, 7),
  RJ: (corpo) => modulo11(corpo, 7),
  RN: (corpo) => modulo11(corpo, 10),
  RO: (corpo) => String((11 - resto(corpo, 9)) % 10),
  RR: (corpo) => String([...corpo].reduce((soma, digito, i) => soma + Number(digito) * (i + 1), 0) % 9),
  // The 11-digit form carries the kind of taxpayer in positions 3 and 4; the sum skips it.
  TO: (corpo) => modulo11(corpo.length === 10 ? corpo.slice(0, 2) + corpo.slice(4) : corpo, 9),
}

/** Sum modulo 11 with weights from the right, 2 up to `maior` and from 2 again, on top of `inicial`. */
function resto(corpo: string, maior: number, inicial = 0): number {
  let soma = inicial
  for (let i = 0; i < corpo.length; i++) soma += Number(corpo.at(-1 - i)) * (2 + (i % (maior - 1)))
  return soma % 11
}

/** 11 less the remainder; 10 and 11 become 0. */
function modulo11(corpo: string, maior: number): string {
  const r = resto(corpo, maior)
  return String(r < 2 ? 0 : 11 - r)
}

function doisDigitos(corpo: string, maior: number): string {
  const primeiro = modulo11(corpo, maior)
  return primeiro + modulo11(corpo + primeiro, maior)
}

/** Two ranges of old numbers add a constant to the sum, and one of them turns the result 11 into 1. */
function amapa(corpo: string): string {
  const numero = Number(corpo)
  const [soma, onze] = numero <= 3017000 ? [5, 0] : numero <= 3019022 ? [9, 1] : [0, 0]
  const digito = 11 - resto(corpo, 9, soma)
  return String(digito === 11 ? onze : digito % 10)
}

/** The second digit is worked out first; the pivot (1st of 8 digits, 2nd of 9) tells modulus 10 from 11. */
function bahia(corpo: string): string {
  const modulo = '679'.includes(corpo.charAt(corpo.length - 6)) ? 11 : 10
  const digito = (texto: string): string => {
    const soma = [...texto].reduce((total, d, i) => total + Number(d) * (texto.length + 1 - i), 0)
    const r = soma % modulo
    return String(r === 0 || (modulo === 11 && r === 1) ? 0 : modulo - r)
  }
  const segundo = digito(corpo)
  return digito(corpo + segundo) + segundo
}

function goias(corpo: string): string {
  const r = resto(corpo, 9)
  const numero = Number(corpo)
  return r === 1 && numero >= 10103105 && numero <= 10119997 ? '1' : String(r < 2 ? 0 : 11 - r)
}

/**
 * First digit: a zero after the municipality, weights 1 and 2 by turns, the digits of the products summed.
 */
function minasGerais(corpo: string): string {
  const aberto = `${corpo.slice(0, 3)}0${corpo.slice(3)}`
  let soma = 0
  for (let i = 0; i < aberto.length; i++) {
    const produto = Number(aberto[i]) * (1 + (i % 2))
    soma += Math.floor(produto / 10) + (produto % 10)
  }
  const primeiro = String((10 - (soma % 10)) % 10)
  return primeiro + modulo11(corpo + primeiro, 11)
}

/** Companies: 8 digits, check, 2 digits, check. Rural form (11 free digits): one check after the eighth. */
function saoPaulo(corpo: string): string {
  const oito = corpo.slice(0, 8)
  const soma = [1, 3, 4, 5, 6, 7, 8, 10].reduce((total, peso, i) => total + peso * Number(oito[i]), 0)
  const primeiro = String((soma % 11) % 10)
  if (corpo.length === 11) return primeiro
  return primeiro + String(resto(oito + primeiro + corpo.slice(8), 10) % 10)
}

export const ufs: readonly Uf[] = Object.keys(series).filter(isUf).sort()

export function isUf(texto: string): texto is Uf {
  return Object.hasOwn(series, texto)
}

/** A valid registration, digits only (SP rural: `P` and 12 digits); equal arguments give the same number. */
export function makeInscricao(uf: Uf, semente: number, tipo: 'comum' | 'produtor' = 'comum'): string {
  const serie: Serie = series[uf]
  const moldes = (tipo === 'produtor' ? serie.produtor : undefined) ?? serie.emitidos ?? serie.validos
  const sorte = mix(semente, mix(uf.charCodeAt(0), uf.charCodeAt(1)))
  const molde = moldes[sorte % 4 < 3 ? 0 : (sorte >>> 2) % moldes.length] ?? ''
  const livres = livresDe(molde)
  // 53 bits of luck: enough for the 11 free digits of MG and SP's rural form. Never zero: no state issues it.
  const indice = mix(semente, sorte) * 0x200000 + (mix(sorte, semente ^ 0x2545f491) >>> 11)
  return fill(uf, molde, String((indice % (10 ** livres - 1)) + 1).padStart(livres, '0'))
}

/** Whether a state's own service takes `ie` for one of its numbers (cStat 260 when not). */
export const checkInscricao = (uf: Uf, ie: string): boolean => indiceDaInscricao(uf, ie) !== undefined

/** Whether the number is of a series that its state keeps for rural producers (PR: 95 and 96; SP: P). */
export function isDeProdutor(uf: Uf, ie: string): boolean {
  const { produtor = [] }: Serie = series[uf]
  return produtor.some((molde) => readLivres(molde, ie) !== undefined)
}

/** Where a valid number stands: its form's place in `validos`, and its free digits as a number. */
export type Indice = { forma: number; numero: number }

export function indiceDaInscricao(uf: Uf, ie: string): Indice | undefined {
  // SEFAZ-GO's roteiro: this one number is valid with either check digit.
  if (uf === 'GO' && ie === '110944021') return indiceDaInscricao(uf, '110944020')
  for (const [forma, molde] of series[uf].validos.entries()) {
    const livres = readLivres(molde, ie)
    if (livres !== undefined && fill(uf, molde, livres) === ie && /[1-9]/.test(ie))
      return { forma, numero: Number(livres) }
  }
  return undefined
}

/** The inverse of `indiceDaInscricao`; undefined outside the state's numbers. */
export function inscricaoDoIndice(uf: Uf, { forma, numero }: Indice): string | undefined {
  const molde = series[uf].validos[forma]
  if (!molde || numero >= 10 ** livresDe(molde)) return undefined
  const ie = fill(uf, molde, String(numero).padStart(livresDe(molde), '0'))
  return /[1-9]/.test(ie) ? ie : undefined
}

const livresDe = (molde: Molde): number => molde.split('#').length - 1

function fill(uf: Uf, molde: Molde, livres: string): string {
  let usados = 0
  const aberto = molde.replaceAll('#', () => livres.charAt(usados++))
  const digitos = digitosVerificadores(uf, aberto.replace(/[vP]/g, ''))
  let postos = 0
  return aberto.replaceAll('v', () => digitos.charAt(postos++))
}

function readLivres(molde: Molde, ie: string): string | undefined {
  if (ie.length !== molde.length || !/^P?\d+$/.test(ie)) return undefined
  let livres = ''
  for (let i = 0; i < molde.length; i++) {
    if (molde[i] === '#') livres += ie[i]
    else if (molde[i] !== 'v' && molde[i] !== ie[i]) return undefined
  }
  return livres
}

// The branch number (5000 and up) tells state, form and the high digits; the eight lowest free digits,
// stirred, are the root. RO's numbers above 11 free digits were never issued.
/** The holder of an unseeded registration is a branch whose CNPJ is that number in other digits. */
type Faixa = { uf: Uf; forma: number; primeira: number; ordens: number }

const RAIZES = 10 ** 8
/** Has an inverse modulo 10^8, so that stirring can be undone. */
const FATOR = 61_803_399n
const INVERSO = inverso(FATOR, BigInt(RAIZES))
const DESLOCAMENTO = 27_182_818n

const faixas: readonly Faixa[] = divide()

/** The CNPJ that stands for a registration; undefined when no number of the state reads so. */
export function cnpjReservado(uf: string, ie: string): string | undefined {
  if (!isUf(uf)) return undefined
  const indice = indiceDaInscricao(uf, ie)
  const faixa = faixas.find((f) => f.uf === uf && f.forma === indice?.forma)
  if (!indice || !faixa) return undefined
  const acima = Math.floor(indice.numero / RAIZES)
  if (acima >= faixa.ordens) return undefined
  const raiz = (BigInt(indice.numero % RAIZES) * FATOR + DESLOCAMENTO) % BigInt(RAIZES)
  const doze = String(raiz).padStart(8, '0') + (faixa.primeira + acima)
  return doze + dvCnpj(doze)
}

/** The registration that a CNPJ of the reserved range stands for; undefined for any other CNPJ. */
export function inscricaoReservada(cnpj: string): { uf: Uf; ie: string } | undefined {
  if (!/^\d{14}$/.test(cnpj)) return undefined
  const ordem = Number(cnpj.slice(8, 12))
  const faixa = faixas.find(({ primeira, ordens }) => ordem >= primeira && ordem < primeira + ordens)
  if (!faixa) return undefined
  const mexida = BigInt(cnpj.slice(0, 8)) - DESLOCAMENTO + BigInt(RAIZES)
  const baixo = Number((mexida * INVERSO) % BigInt(RAIZES))
  const numero = (ordem - faixa.primeira) * RAIZES + baixo
  const ie = inscricaoDoIndice(faixa.uf, { forma: faixa.forma, numero })
  return ie ? { uf: faixa.uf, ie } : undefined
}

function divide(): Faixa[] {
  let primeira = 5000
  return ufs.flatMap((uf) =>
    series[uf].validos.map((molde, forma) => {
      const ordens = 10 ** Math.min(3, Math.max(0, livresDe(molde) - 8))
      const faixa = { uf, forma, primeira, ordens }
      primeira += ordens
      return faixa
    }),
  )
}

function inverso(a: bigint, modulo: bigint): bigint {
  let [r, proximoR, t, proximoT] = [modulo, a, 0n, 1n]
  while (proximoR > 0n) {
    const q = r / proximoR
    ;[r, proximoR, t, proximoT] = [proximoR, r - q * proximoR, proximoT, t - q * proximoT]
  }
  return (t + modulo) % modulo
}
