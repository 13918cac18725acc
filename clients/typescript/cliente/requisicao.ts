import type { Conexao, Opcoes } from './configuracao.ts'
import type { Operacao } from './operacao.ts'

/** A request that is ready to be sent, as often as it may be. */
export type Requisicao = {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual' }
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
  const consulta = verbo === 'GET' ? `?${new URLSearchParams([...resto].map(emTexto))}` : ''
  const headers: Record<string, string> = { Accept: opcoes.aceita }
  const enviada = publica ? undefined : await credencial()
  if (enviada) headers[enviada[0]] = enviada[1]
  if (opcoes.cacheControl) headers['Cache-Control'] = opcoes.cacheControl
  if (idempotente) headers['Idempotency-Key'] = opcoes.idempotencyKey ?? novaChave()
  if (verbo !== 'GET') headers['Content-Type'] = 'application/json'
  return {
    url: endereco + caminho + (consulta === '?' ? '' : consulta),
    init: {
      method: verbo,
      headers,
      redirect: 'manual',
      ...(verbo !== 'GET' && { body: JSON.stringify(Object.fromEntries(resto)) }),
    },
    repetivel: verbo === 'GET' || idempotente === true,
  }
}

const emTexto = ([nome, valor]: [string, unknown]): [string, string] => [nome, String(valor)]

/** 128 random bits. `crypto.randomUUID` is missing from pages without HTTPS. */
const novaChave = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((octeto) => octeto.toString(16).padStart(2, '0'))
    .join('')
