import type { Resolvedor } from '../portal/resolvedor.ts'
import type { Estatisticas } from './estatisticas.ts'
import { DO_OPERADOR } from './icp/catalogo.ts'
import type { Pagina } from './mensagem.ts'
import type { Ambiente } from './pagina.ts'

/** Where captchas are solved, with POST. */
export const CAMINHO_DO_RESOLVEDOR = '/captcha/resolver'

/** The gateway's own parts that its pages show, besides its surroundings. */
export type Sabido = { estatisticas: Estatisticas; resolvedor: Resolvedor | undefined; ritmo: number }

/**
 * The pages that the gateway answers itself: what a service needs to use it (`/ambiente.json`, `/ca.pem`),
 * the A1 files (`/certificados.json`, `/certificados/<nome>.pfx`) and the counters (`/estatisticas.json`).
 */
export async function responderInstrumento(
  caminho: string,
  { gateway, icp, autoridades }: Ambiente,
  { estatisticas, resolvedor, ritmo }: Sabido,
): Promise<Pagina | undefined> {
  if (caminho === '/ca.pem') return { status: 200, tipo: 'application/x-pem-file', corpo: icp.ca }
  if (caminho === '/estatisticas.json') {
    const contadores = autoridades.map((uma) => uma.contadores?.() ?? {})
    return json(Object.assign({ processo: process.pid, ...estatisticas }, ...contadores))
  }
  if (caminho === '/ambiente.json') {
    const certificado = await icp.certificado(DO_OPERADOR.nome)
    const deAutoridades: Record<string, unknown> = Object.assign(
      {},
      ...autoridades.map((uma) => uma.ambiente?.() ?? {}),
    )
    return json({
      gateway: { host: gateway.host, port: gateway.porta },
      ca: icp.ca,
      certificado: { pfx: certificado?.pfx.toString('base64'), senha: DO_OPERADOR.senha },
      ...(resolvedor ? { captcha: { webhook: enderecoDoResolvedor(gateway), token: resolvedor.token } } : {}),
      ...deAutoridades,
      ritmo,
    })
  }
  if (caminho === '/certificados.json')
    return json(
      icp.catalogo.map(({ nome, titular, senha, nota }) => ({
        nome,
        arquivo: `/certificados/${nome}.pfx`,
        senha,
        titular,
        nota,
      })),
    )
  const nome = /^\/certificados\/([a-z0-9-]+)\.pfx$/.exec(caminho)?.[1]
  const certificado = nome ? await icp.certificado(nome) : undefined
  return certificado && { status: 200, tipo: 'application/x-pkcs12', corpo: certificado.pfx }
}

function enderecoDoResolvedor({ host, porta }: Ambiente['gateway']): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${porta}${CAMINHO_DO_RESOLVEDOR}`
}

function json(valor: unknown): Pagina {
  return {
    status: 200,
    tipo: 'application/json; charset=utf-8',
    corpo: `${JSON.stringify(valor, null, 2)}\n`,
  }
}
