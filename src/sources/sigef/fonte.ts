import { HOST_DO_SIGEF } from '../../domain/sigef/cookies.ts'

/**
 * SIGEF, the land agency's register of certified parcels. It shows them to whoever entered by gov.br (public
 * clients, 2025-02 to 2026-01).
 */
export const fonteSigef = {
  source: { id: 'BR/sigef', nome: 'O SIGEF (INCRA)' },
  url: `https://${HOST_DO_SIGEF}`,
} as const

/** INCRA's open map of certified parcels. It names no holder, so it only adds to parcels that are known. */
export const fonteAcervo = {
  source: { id: 'BR/acervo-fundiario', nome: 'O acervo fundiário (INCRA)' },
  url: 'https://acervofundiario.incra.gov.br/i3geo/ogc.php',
} as const

/** The shortest time between two questions, and how many are under way at once. We chose them with care. */
export const PAUSA_MS = 500
export const SIMULTANEAS = 2

/** The longest time of one page. */
export const PAGINA_MS = 40_000

/** No holder that we know of has more. A list that goes on is not read to its end. */
export const MAIS_FOLHAS = 200
export const MAIS_PARCELAS = 2_000
