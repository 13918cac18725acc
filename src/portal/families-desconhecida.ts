import type { Uf } from '../documento/uf.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import { semProtocolo } from './disponibilidade.ts'
import type { RotaCnd, RotaIe } from './estado.ts'
import type { Portal } from './portal.ts'
import { type PortalOptions, portalCnd, portalIe } from './rota.ts'

/** The options of a page whose requests are unknown. */
type DesconhecidaOptions = Omit<PortalOptions, 'certeza' | 'charset' | 'espera' | 'paceMs'> & {
  segunda?: true
}

/** A route that is never asked needs no `espera`. */
const nunca = { certeza: 'desconhecido', espera: { marca: '', minimo: 0, partes: [] } } as const

/**
 * A page of registrations whose requests are unknown. It is listed, but never asked nor simulated:
 * RotaNaoAtende names the address where a person can ask.
 */
export const desconhecidaIe = (uf: Uf, options: DesconhecidaOptions): RotaIe =>
  portalIe('desconhecida', uf, { ...options, ...nunca }, refuse(options))

/** A page of certificates whose requests are unknown. The registrations are not looked up for it either. */
export const desconhecidaCnd = (uf: Uf, options: DesconhecidaOptions & Pick<RotaCnd, 'abrange'>): RotaCnd =>
  portalCnd('desconhecida', uf, { ...options, ...nunca, naoContribuinte: 'pagina' }, refuse(options))

const refuse =
  ({ url }: DesconhecidaOptions) =>
  async ({ source }: Portal): Promise<never> => {
    throw new RotaNaoAtende(semProtocolo({ source, url }))
  }
