import type { Pedido } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { Definicao } from './definicao.ts'
import { redirecionar } from './mensagem.ts'

/** The cookie, and the field of the address, by which ASP.NET finds out whether a visitor keeps cookies. */
const DETECCAO = 'AspxAutoDetectCookieSupport'

/** ASP.NET's redirect for a visitor without that cookie, who is redirected for ever; undefined for others. */
export function detectarCookies(
  escrita: Pick<Definicao, 'charset' | 'motor'>,
  {
    caminho,
    consulta,
    cookies,
  }: Pick<Pedido, 'caminho' | 'consulta'> & { cookies: ReadonlyMap<string, string> },
): Mensagem | undefined {
  if (cookies.has(DETECCAO)) return undefined
  const nova = new URLSearchParams(consulta)
  nova.set(DETECCAO, '1')
  const { cabecalhos, ...resto } = redirecionar(escrita, `${caminho}?${nova}`)
  return { ...resto, cabecalhos: { ...cabecalhos, 'set-cookie': `${DETECCAO}=1; path=/` } }
}
