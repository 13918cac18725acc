import type { Ambito } from '../domain/uf.ts'
import type { CaptchaSolver } from './captcha/captcha.ts'
import type { Rota } from './estado.ts'

/** Whether this service, as it is set up, can ask a route; otherwise why not. */
export type Disponibilidade =
  | 'disponivel'
  | 'desligada'
  | 'sem-certificado'
  | 'protocolo-desconhecido'
  | 'sem-solucao-de-captcha'

/** What of this service decides it. */
export type Capacidade = {
  certificado: boolean
  captcha: Pick<CaptchaSolver, 'takes'>
}

/** As much of a route as decides it. */
type RotaPedida = Pick<Rota, 'certeza' | 'certificado' | 'captcha'>

/** Whether a route can be asked, whatever the document. */
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

/** What is said of a route whose protocol is unknown. */
export const semProtocolo = ({ source, url }: Pick<Rota, 'source' | 'url'>): string =>
  `${source.nome} não publica como se consulta por programa, e o que se sabe dela não basta. Consulte na página dela (${url}).`

/** Whether each query to a route meets a captcha. */
export const asksAlways = ({ captcha }: Pick<RotaPedida, 'captcha'>): boolean =>
  captcha !== 'nenhum' && captcha.quando === 'sempre'

/** Whether this service solves the captcha of a route, or there is none. A proof of work asks for nobody. */
export const solvesCaptcha = (
  { captcha }: Pick<RotaPedida, 'captcha'>,
  uf: Ambito,
  solver: Capacidade['captcha'],
): boolean => captcha === 'nenhum' || captcha.tipo === 'altcha' || solver.takes(uf, captcha.tipo)
