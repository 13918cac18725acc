import { createHash } from 'node:crypto'
import type { Textos } from './textos.ts'
import { TIPOS_DE_TOKEN, type Tokens } from './tokens.ts'

/** Plays the webhook with which an operator has captchas solved. */
export type Resolvedor = {
  /** What its calls must carry: `Authorization: Bearer <token>`. */
  token: string
  /** Solves what the JSON asks for; the answer is JSON too: `resposta`, or `motivo` with 400, 401 or 422. */
  resolver: (autorizacao: string | undefined, corpo: Buffer) => Resolvido
}

/** HTTP status and JSON. */
type Resolvido = { status: number; json: { resposta: string } | { motivo: string } }

/**
 * A solver for the captchas of one office: it knows the images drawn there, and its tokens are good there
 * alone. Its password is derived from `semente`, because a service may outlive its simulator.
 */
export function criarResolvedor(textos: Textos, tokens: Tokens, semente: string): Resolvedor {
  const token = createHash('sha256').update(`captcha ${semente}`).digest('base64url')
  return {
    token,
    resolver: (autorizacao, corpo) => {
      if (autorizacao !== `Bearer ${token}`) return recusar(401, 'Token ausente ou errado.')
      const pedido = lerObjeto(corpo)
      if (!pedido) return recusar(400, 'O corpo não é um objeto JSON.')
      const tipo = textoEm(pedido, 'tipo')
      const widget = TIPOS_DE_TOKEN.find((um) => um === tipo)
      const resposta = widget
        ? tokens.emitir(widget, textoEm(pedido, 'site_key'), hostDe(textoEm(pedido, 'pagina')), {
            invisivel: simEm(pedido, 'invisivel'),
            enterprise: simEm(pedido, 'enterprise'),
            acao: textoEm(pedido, 'acao'),
          })
        : tipo === 'imagem' || tipo === 'palavras'
          ? textos.reconhecer(Buffer.from(textoEm(pedido, 'imagem_base64'), 'base64'))
          : undefined
      if (resposta !== undefined) return { status: 200, json: { resposta } }
      if (widget) return recusar(422, 'Nenhuma página deste endereço tem um captcha com esta chave.')
      return recusar(422, tipo ? `Não sei resolver esta imagem (${tipo}).` : 'Falta o tipo.')
    },
  }
}

function recusar(status: number, motivo: string): Resolvido {
  return { status, json: { motivo } }
}

function lerObjeto(corpo: Buffer): object | undefined {
  try {
    const lido: unknown = JSON.parse(corpo.toString())
    return typeof lido === 'object' && lido !== null ? lido : undefined
  } catch {
    return undefined
  }
}

function textoEm(objeto: object, nome: string): string {
  const valor: unknown = Object.entries(objeto).find(([chave]) => chave === nome)?.[1]
  return typeof valor === 'string' ? valor : ''
}

const simEm = (objeto: object, nome: string): boolean =>
  Object.entries(objeto).some(([chave, valor]) => chave === nome && valor === true)

function hostDe(pagina: string): string {
  return URL.parse(pagina)?.hostname ?? ''
}
