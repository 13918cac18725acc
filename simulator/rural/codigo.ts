import { sementeDe } from '../documento/documento.ts'

/** A parcel by its first holder and its place among his parcels, from 0 to 255. */
export type LugarDaParcela = { documento: string; ordem: number }

// A code leads back to its parcel by itself, so that a page answers for it after a restart, too. Besides
// version and variant it has 8 digits that check it, 20 of the document (base 36 after a 1), 2 of the place.
const FORMA = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{12})$/

/** The UUID of a parcel. */
export function codigoDa({ documento, ordem }: LugarDaParcela): string {
  const dono = [...`1${documento}`].reduce(
    (soma, sinal) => soma * 36n + BigInt(Number.parseInt(sinal, 36)),
    0n,
  )
  const corpo = dono.toString(16).padStart(20, '0') + ordem.toString(16).padStart(2, '0')
  const hexa = conferencia(corpo) + corpo
  return [
    hexa.slice(0, 8),
    hexa.slice(8, 12),
    `4${hexa.slice(12, 15)}`,
    `8${hexa.slice(15, 18)}`,
    hexa.slice(18),
  ].join('-')
}

/** The parcel of a UUID; undefined for one that was never given. */
export function lugarDo(codigo: string): LugarDaParcela | undefined {
  const hexa = FORMA.exec(codigo)?.slice(1).join('') ?? ''
  const corpo = hexa.slice(8)
  if (hexa.length !== 30 || conferencia(corpo) !== hexa.slice(0, 8)) return undefined
  const documento = BigInt(`0x${corpo.slice(0, 20)}`)
    .toString(36)
    .slice(1)
    .toUpperCase()
  return { documento, ordem: Number.parseInt(corpo.slice(20), 16) }
}

const conferencia = (corpo: string): string => sementeDe(corpo).toString(16).padStart(8, '0')
