import { dvCnpj } from './dados-abertos-documento.ts'
import { indiceDaInscricao, inscricaoDoIndice, isUf, livresDe, ufs } from './inscricao-estadual.ts'
import { series, type Uf } from './molde.ts'

// The branch number (5000 and up) tells the state, the form and the digits above the eight lowest free ones;
// those eight, stirred, are the root.
// Forms with more than 11 free digits (RO) use 11 of them: higher numbers were never issued.
/**
 * The holder of an unseeded registration is a branch whose CNPJ is the number itself in other digits, so that
 * each leads to the other.
 */
type Faixa = { uf: Uf; forma: number; primeira: number; ordens: number }

const RAIZES = 10 ** 8
/** Has an inverse modulo 10^8, so that stirring can be undone. */
const FATOR = 61_803_399n
const INVERSO = inverso(FATOR, BigInt(RAIZES))
const DESLOCAMENTO = 27_182_818n

const faixas: readonly Faixa[] = dividir()

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

function dividir(): Faixa[] {
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
