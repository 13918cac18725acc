import type { Ambito } from '../documento/uf.ts'
import type { CaptchaSolver } from './captcha-captcha.ts'
import type { Rota } from './estado.ts'

/** Says whether this service can ask a route with its settings, or why not. */
export const disponibilidades = [
  'disponivel',
  'desligada',
  'sem-certificado',
  'protocolo-desconhecido',
  'sem-solucao-de-captcha',
  'sem-contrato',
  'sem-conector',
  'sem-sessao',
] as const

export type Disponibilidade = (typeof disponibilidades)[number]

/** The settings of this service that decide it. */
export type Capacidade = {
  certificado: boolean
  captcha: Pick<CaptchaSolver, 'takes'>
}

/** The part of a route that decides it. */
type RotaPedida = Pick<Rota, 'certeza' | 'certificado' | 'captcha'>

/** Says whether a route can be asked, whatever the document. */
export function disponibilidadeOf(
  rota: RotaPedida,
  uf: Ambito,
  { certificado, captcha }: Capacidade,
): Disponibilidade {
  if (rota.certeza === 'desconhecido') return 'protocolo-desconhecido'
  if (rota.certificado && !certificado) return 'sem-certificado'
  if (asksAlways(rota) && !solvesCaptcha(rota, uf, captcha)) return 'sem-solucao-de-captcha'
  return 'disponivel'
}

/** Tells the client that the protocol of a route is unknown. */
export const semProtocolo = ({ source, url }: Pick<Rota, 'source' | 'url'>): string =>
  `${source.nome} não publica como se consulta por programa, e o que se sabe dela não basta. Consulte na página dela (${url}).`

/** Whether every query to a route meets a captcha. */
export const asksAlways = ({ captcha }: Pick<RotaPedida, 'captcha'>): boolean =>
  captcha !== 'nenhum' && captcha.quando === 'sempre'

/**
 * Whether this service can solve the captcha of a route, or the route has none. A proof of work needs no
 * solver.
 */
export const solvesCaptcha = (
  { captcha }: Pick<RotaPedida, 'captcha'>,
  uf: Ambito,
  solver: Capacidade['captcha'],
): boolean => captcha === 'nenhum' || captcha.tipo === 'altcha' || solver.takes(uf, captcha.tipo)
