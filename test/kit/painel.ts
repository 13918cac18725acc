import { load } from 'cheerio'
import type { Dialect } from '../../src/platform/db/tables.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { newPostgres } from './databases.ts'
import { type Answer, type House, start } from './harness.ts'

/** Somebody who has entered the dashboard: an account of his own, and what his browser sends. */
export type NoPainel = {
  conta: { id: string; plano: NomePlano }
  key: string
  /** The `Cookie` header of his session. */
  cookie: string
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** Sends a form as the pages do: from our own origin, with the token of the session. */
  post: (path: string, fields?: Record<string, string>) => Promise<Answer>
}

/** Starts a service on an empty database of a kind. */
export async function startOn(dialect: Dialect): Promise<House> {
  if (dialect === 'sqlite') return start()
  return start({ DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' })
}

/** Opens an account with a session of the dashboard. */
export async function entrarNoPainel(house: House, plano: NomePlano = 'pro'): Promise<NoPainel> {
  const { conta, key } = await house.open(plano)
  const { token } = await house.rooms.contas.acessos.open({
    conta_id: conta.id,
    tipo: 'painel',
    agente: 'teste',
    endereco: '127.0.0.1',
  })
  const cookie = `acesso=${token}`
  const get: NoPainel['get'] = (path, headers = {}) =>
    house.ask(path, { key: null, headers: { cookie, ...headers } })
  return {
    conta,
    key,
    cookie,
    get,
    post: async (path, fields = {}) => {
      const form = await get('/painel/')
      const [formulario = ''] = (form.headers.get('set-cookie') ?? '').split(';')
      const _csrf = load(form.text)('input[name="_csrf"]').attr('value') ?? ''
      return house.ask(path, {
        key: null,
        method: 'POST',
        headers: { cookie: `${cookie}; ${formulario}`, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ _csrf, ...fields }),
      })
    },
  }
}
