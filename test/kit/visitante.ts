import { load } from 'cheerio'
import type { Answer, House } from './harness.ts'

/** A browser without JavaScript: it keeps its cookies, and sends the forms of pages as they stand. */
export type Visitante = {
  cookies: Map<string, string>
  /** What the server last said of each cookie, flags included. */
  ditos: Map<string, string>
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** Opens a page, fills its form of that action, and sends it. The page is that of the form by default. */
  enviar: (path: string, fields?: Record<string, string>, pagina?: string) => Promise<Answer>
  /** Sends fields with a token, as no page of ours may have done it. */
  post: (path: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
}

/** A new browser, with the name that it gives itself. */
export function visitar(house: Pick<House, 'ask'>, agente = 'teste'): Visitante {
  const cookies = new Map<string, string>()
  const ditos = new Map<string, string>()
  const ask = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'user-agent': agente, ...(cookie && { cookie }), ...init.headers }
    const answer = await house.ask(path, { key: null, ...init, headers })
    for (const dito of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(dito) ?? []
      ditos.set(name, dito)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const get: Visitante['get'] = (path, headers = {}) => ask(path, { headers })
  const post: Visitante['post'] = (path, fields, headers = { 'sec-fetch-site': 'same-origin' }) =>
    ask(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return {
    cookies,
    ditos,
    get,
    post,
    enviar: async (path, fields = {}, pagina = path) => {
      const form = load((await get(pagina)).text)(`form[action="${path.replace(/\?.*/, '')}"]`).first()
      if (form.length === 0) throw new Error(`${pagina} has no form that is sent to ${path}`)
      const standing = form.serializeArray().map(({ name, value }) => [name, value] as const)
      return post(path, { ...Object.fromEntries(standing), ...fields })
    },
  }
}

/** A password that is not weak. */
export const SENHA = 'cavalo bateria grampo'

let pessoas = 0

/** An e-mail that no account has. */
export const novoEmail = (): string => `pessoa-${process.pid}-${++pessoas}@exemplo.test`

/** Signs a person up, who is then in. */
export async function cadastrarSe(
  house: House,
  { email = novoEmail(), nome = 'Maria da Silva' } = {},
): Promise<{ visitor: Visitante; email: string; answer: Answer }> {
  const visitor = visitar(house)
  const answer = await visitor.enviar('/criar-conta/', { nome, email, senha: SENHA })
  return { visitor, email, answer }
}
