import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Locator, Page } from 'playwright-core'
import { buildApp } from '../../src/app.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import type { Rooms } from '../../src/rooms.ts'
import { NOW } from './basics.ts'
import { axe, follow, onPage, screens, takePicture } from './browser.ts'
import { newPostgres } from './databases.ts'
import { type Answer, BANCO_DO_BRASIL, type House, start } from './house.ts'
import { listSideways } from './in-page.js'

/** A browser without JavaScript: it keeps its cookies, and sends the forms of pages as they stand. */
export type Visitor = {
  cookies: Map<string, string>
  /** What the server last said of each cookie, flags included. */
  said: Map<string, string>
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  /** Opens a page, fills its form of that action, and sends it. The page is that of the form by default. */
  submit: (path: string, fields?: Record<string, string>, pagina?: string) => Promise<Answer>
  /** Sends fields with a token, as no page of ours may have done it. */
  post: (path: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
}

/** A new browser, with the name that it gives itself. */
export function newVisitor(house: Pick<House, 'ask'>, agente = 'teste'): Visitor {
  const cookies = new Map<string, string>()
  const said = new Map<string, string>()
  const ask = async (
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'user-agent': agente, ...(cookie && { cookie }), ...init.headers }
    const answer = await house.ask(path, { key: null, ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      said.set(name, line)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const get: Visitor['get'] = (path, headers = {}) => ask(path, { headers })
  const post: Visitor['post'] = (path, fields, headers = { 'sec-fetch-site': 'same-origin' }) =>
    ask(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return {
    cookies,
    said,
    get,
    post,
    submit: async (path, fields = {}, pagina = path) => {
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
export const newEmail = (): string => `pessoa-${process.pid}-${++pessoas}@exemplo.test`

/** Signs a person up, who is then in. */
export async function signUp(
  house: House,
  { email = newEmail(), nome = 'Maria da Silva' } = {},
): Promise<{ visitor: Visitor; email: string; answer: Answer }> {
  const visitor = newVisitor(house)
  const answer = await visitor.submit('/criar-conta/', { nome, email, senha: SENHA })
  return { visitor, email, answer }
}

/** Somebody who has entered the dashboard: an account of his own, and what his browser sends. */
export type Member = {
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
export async function enterPainel(house: House, plano: NomePlano = 'pro'): Promise<Member> {
  const { conta, key } = await house.open(plano)
  const { token } = await house.rooms.contas.acessos.open({
    conta_id: conta.id,
    tipo: 'painel',
    agente: 'teste',
    endereco: '127.0.0.1',
  })
  return enterWith(house, { conta, key, cookie: `acesso=${token}` })
}

/** The same session at a service, as at another node of the one that opened it. */
export function enterWith(house: House, quem: Pick<Member, 'conta' | 'key' | 'cookie'>): Member {
  const { cookie } = quem
  const get: Member['get'] = (path, headers = {}) =>
    house.ask(path, { key: null, headers: { cookie, ...headers } })
  return {
    ...quem,
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

type Live = (fields: Record<string, string>, signal?: AbortSignal, accept?: string) => Promise<Response>

/** Sends forms as a browser does that may leave, and hears the states one by one if it says so. */
export async function openLive(
  { address }: Pick<House, 'address'>,
  who: Pick<Member, 'get' | 'cookie'>,
  path = '/painel/consultar/',
): Promise<Live> {
  const form = await who.get('/painel/')
  const [cookie = ''] = (form.headers.get('set-cookie') ?? '').split(';')
  const _csrf = load(form.text)('input[name="_csrf"]').attr('value') ?? ''
  return (fields, signal, accept = 'text/event-stream') =>
    fetch(address + path, {
      method: 'POST',
      headers: { cookie: `${who.cookie}; ${cookie}`, 'sec-fetch-site': 'same-origin', accept },
      body: new URLSearchParams({ _csrf, ...fields }),
      redirect: 'manual',
      ...(signal && { signal }),
    })
}

/** Hears all states until the first certificate has come, and leaves: what was heard, and its page. */
export async function leaveOnTheWay(
  live: Live,
  fields: Record<string, string>,
): Promise<{ text: string; path: string }> {
  const leaving = new AbortController()
  const answer = await live(fields, leaving.signal)
  let text = ''
  const reader = answer.body?.getReader()
  while (!/palavra":"(Negativa|Positiva)/.test(text)) {
    const { value } = (await reader?.read()) ?? {}
    text += Buffer.from(value ?? []).toString()
  }
  leaving.abort()
  const [, number = ''] = /"request_id":"([0-9a-f-]+)"/.exec(text) ?? []
  return { text, path: `/painel/consultas/${number}/` }
}

/** A route that answers. `isKeyed` tells that its document wants the key, or the token, of an account. */
export type Rota = { method: string; url: string; isKeyed: boolean }

const STARTED = 'fastify.initialization'

/** All routes of the service, as its app declares them: a new one is in the list by itself. */
export async function listRotas(rooms: Rooms): Promise<Rota[]> {
  const rotas: Omit<Rota, 'isKeyed'>[] = []
  const onApp = (message: unknown): void => {
    const { fastify }: { fastify: FastifyInstance } = Object(message)
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      // What refuses the other methods of a path is one route of many methods.
      if (typeof method === 'string') rotas.push({ method, url })
    })
  }
  subscribe(STARTED, onApp)
  const app = await buildApp(rooms).finally(() => unsubscribe(STARTED, onApp))
  const { paths } = (await app.inject('/openapi.json')).json()
  await app.close()
  return rotas.map((one) => {
    const path = one.url.replace(/:(\w+)/g, '{$1}')
    const { security = [] } = paths[path]?.[one.method.toLowerCase()] ?? {}
    return { ...one, isKeyed: security.length > 0 }
  })
}

const HOUR_MS = 3_600_000

/** Declares the way from the first visit to a lookup and a new key, on these screens. */
export function walkJornada(
  ways: readonly (readonly [screen: 'desktop' | 'phone', javaScriptEnabled: boolean])[],
): void {
  let house: House
  const clock = { instant: NOW.getTime() }
  before(async () => {
    house = await start({}, () => new Date(clock.instant))
  })
  after(() => house.close())

  const consultar = async (key: string): Promise<number> =>
    (await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })).status

  for (const [screen, javaScriptEnabled] of ways) {
    const name = `${screen}${javaScriptEnabled ? '' : '-sem-javascript'}`
    test(name, () =>
      onPage({ ...screens[screen], javaScriptEnabled }, async (page) => {
        /** What holds of each page on the way. Axe is a script, and a picture waits for one. */
        const look = async (passo: string): Promise<void> => {
          assert.deepEqual(await page.evaluate(listSideways), [], passo)
          if (!javaScriptEnabled) return
          await takePicture(page, `jornada-${passo}-${name}`)
          assert.deepEqual(await axe(page), [], passo)
        }
        const onMenu = async (entrada: string): Promise<void> => {
          const botao = page.getByText('Menu', { exact: true })
          if (await botao.isVisible()) await botao.click()
          const menu = page.getByRole('navigation', { name: 'Principal' })
          await goOn(page, menu.getByRole('link', { name: entrada, exact: true }))
        }

        await page.goto(`${house.address}/sefaz/`)
        await goOn(page, page.getByRole('link', { name: 'Entrar', exact: true }))
        await goOn(page, page.getByRole('link', { name: 'Criar conta' }).first())
        await page.getByLabel('Nome').fill('Cerealista Boa Safra')
        await page.getByLabel('E-mail').fill(`${name}@exemplo.test`)
        await page.getByLabel('Senha').fill('cavalo bateria grampo')
        await goOn(page, page.getByRole('button', { name: 'Criar conta' }))
        assert.equal(new URL(page.url()).pathname, '/painel/comecar/')
        const [, shown = ''] = /X-API-Key: (fk_\w+)/.exec(await page.locator('main').innerText()) ?? []
        await look('1-primeiros-passos')
        await onMenu('Visão geral')
        await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor()

        await onMenu('Configurações')
        const first = await mostrar(page)
        assert.equal(first, shown)
        await look('2-chave')
        if (javaScriptEnabled) await copiar(page)
        assert.equal(await consultar(first), 200)

        await onMenu('Consultar')
        await page.getByLabel('CPF, CNPJ').fill(BANCO_DO_BRASIL)
        // A page that is left while it asks what was typed gives that up, and the browser complains.
        if (javaScriptEnabled) await page.getByText('CNPJ válido').waitFor()
        await goOn(page, page.locator('button[value="cnpj"]'))
        await page.getByText('BANCO DO BRASIL').first().waitFor()
        await look('3-resposta')
        assert.ok(!(await page.content()).includes(first))

        await house.rooms.contas.usos.flush()
        await onMenu('Chamadas')
        assert.equal(await page.locator('main th a[href^="/painel/registro/0"]').count(), 2)
        await onMenu('Uso')
        assert.match(await page.locator('main').innerText(), /CNPJ/)
        await look('4-uso')

        await onMenu('Configurações')
        await trocar(page, 'agora: se ela vazou')
        await page.getByText('A chave nova está pronta').waitFor()
        await look('5-chave-nova')
        clock.instant += 5_000
        const second = await mostrar(page)
        assert.deepEqual([await consultar(first), await consultar(second)], [401, 200])
        await onMenu('Configurações')
        await trocar(page, 'em 1 hora')
        await page.getByText('A chave anterior vale até').waitFor()
        await look('6-chave-anterior')
        clock.instant += 5_000
        assert.deepEqual([await consultar(second), await consultar(await mostrar(page))], [200, 200])
        clock.instant += HOUR_MS
        assert.equal(await consultar(second), 401)

        await goOn(page, page.getByRole('button', { name: 'Sair' }))
        await page.getByText('Você saiu').waitFor()
        await page.goto(`${house.address}/painel/configuracoes/`)
        assert.match(page.url(), /\/entrar\/\?para=%2Fpainel%2Fconfiguracoes%2F$/)
      }),
    )
  }

  const goOn = (page: Page, by: Locator): Promise<void> => follow(page, () => by.click())

  /** Shows the key, and reads it off the page. */
  async function mostrar(page: Page): Promise<string> {
    await goOn(page, page.getByRole('button', { name: 'Mostrar a chave' }))
    const key = await page.locator('#chave').innerText()
    assert.match(key, /^fk_[0-9A-Za-z]{38}$/)
    return key
  }

  async function copiar(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Copiar' }).click()
    await page.getByRole('status').getByText('Selecionado: copie com Ctrl+C').waitFor()
    assert.match(await page.evaluate('String(getSelection())'), /^fk_/)
    await page.context().grantPermissions(['clipboard-write'])
    await page.getByRole('button', { name: /^Copiar|^Selecionado/ }).click()
    await page.getByRole('status').getByText('Copiado').waitFor()
  }

  async function trocar(page: Page, quando: string): Promise<void> {
    await goOn(page, page.getByRole('link', { name: 'Gerar outra chave' }))
    await page.getByLabel(quando).check()
    await goOn(page, page.getByRole('button', { name: 'Gerar a chave' }))
  }
}
