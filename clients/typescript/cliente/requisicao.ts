import type { Conexao, Opcoes } from './configuracao.ts'
import type { Operacao } from './operacao.ts'

/** A request that is ready to be sent, as often as it may be. */
export type Requisicao = {
  url: string
  init: {
    method: string
    headers: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer>
    redirect: 'manual'
  }
  /** Whether it may be sent again: it changes nothing, or has an `Idempotency-Key`. */
  repetivel: boolean
}

/** Makes the request of a call. One key serves all tries of it. */
export async function requisicaoDe(
  { endereco, credencial }: Conexao,
  operacao: Operacao,
  pedido: object,
  opcoes: Opcoes & { aceita: string },
): Promise<Requisicao> {
  const { verbo, idempotente, publica } = operacao
  const resto = new Map(Object.entries(pedido).filter(([, valor]) => valor !== undefined))
  const caminho = operacao.caminho.replace(/\{(\w+)\}/g, (_, nome: string) => {
    const valor = resto.get(nome)
    resto.delete(nome)
    return encodeURIComponent(String(valor))
  })
  const xml = bytesDe(operacao, resto)
  const naConsulta = verbo === 'GET' || xml !== undefined
  const consulta = naConsulta ? `?${new URLSearchParams([...resto].map(emTexto))}` : ''
  const headers: Record<string, string> = { Accept: opcoes.aceita }
  const enviada = publica ? undefined : await credencial()
  if (enviada) headers[enviada[0]] = enviada[1]
  if (opcoes.cacheControl) headers['Cache-Control'] = opcoes.cacheControl
  if (idempotente) headers['Idempotency-Key'] = opcoes.idempotencyKey ?? novaChave()
  if (verbo !== 'GET') headers['Content-Type'] = xml ? 'application/xml' : 'application/json'
  return {
    url: endereco + caminho + (consulta === '?' ? '' : consulta),
    init: {
      method: verbo,
      headers,
      redirect: 'manual',
      ...(verbo !== 'GET' && { body: xml ?? JSON.stringify(Object.fromEntries(resto)) }),
    },
    repetivel: verbo === 'GET' || idempotente === true,
  }
}

/** The bytes of an XML, which are the whole body then. They are taken out of the other fields. */
function bytesDe({ xml: campo }: Operacao, resto: Map<string, unknown>): Uint8Array<ArrayBuffer> | undefined {
  const valor = campo === undefined ? undefined : resto.get(campo)
  if (campo === undefined || !(valor instanceof Uint8Array)) return undefined
  resto.delete(campo)
  // A part of a larger buffer is sent alone, and one that is shared is not sent.
  return new Uint8Array(valor)
}

const emTexto = ([nome, valor]: [string, unknown]): [string, string] => [nome, String(valor)]

/** 128 random bits. `crypto.randomUUID` is missing from pages without HTTPS. */
const novaChave = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((octeto) => octeto.toString(16).padStart(2, '0'))
    .join('')
