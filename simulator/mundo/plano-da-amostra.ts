import { type Plano, planejar } from '../dados-abertos/plano.ts'

let plano: Plano | undefined

/**
 * The plan of `data/cnpj-amostra` (same seed, vintage and size as its README says); made once, on first use.
 */
export function planoDaAmostra(): Plano {
  plano ??= planejar({ estabelecimentos: 3500, semente: 1, versao: '2026-10', sujeira: true, partes: 10 })
  return plano
}
