import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { keepRules, noBrowser, withSession } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member, signUp } from '../kit/pages.ts'

describe('the doors and the settings', { skip: noBrowser }, () => {
  let house: House
  let letters: House
  let visitor: Member
  let email: string
  let codigo: string
  before(async () => {
    house = await start()
    visitor = await enterPainel(house)
    letters = await start({
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'http://127.0.0.1',
      CADASTRO: 'convite',
    })
    email = (await signUp(house)).email
    const { db, now } = house.rooms.platform
    const conta = await findContaByEmail(db, email)
    assert.ok(conta)
    const novo = { tipo: 'redefinir', conta_id: conta.id, email, vidaMs: 3_600_000, now: now() } as const
    codigo = await createCodigo(db, novo)
  })
  after(async () => {
    await house.close()
    await letters.close()
  })

  const PAGES: readonly [name: string, address: () => string][] = [
    ['entrar', () => `${house.address}/entrar/`],
    ['criar-conta', () => `${house.address}/criar-conta/`],
    ['criar-conta-convite', () => `${letters.address}/criar-conta/`],
    ['recuperar-senha', () => `${letters.address}/recuperar-senha/`],
    ['nova-senha', () => `${house.address}/nova-senha/?codigo=${codigo}`],
    ['confirmar-email', () => `${house.address}/confirmar-email/?codigo=x`],
  ]
  for (const [name, address] of PAGES) describe(`the page ${name}`, () => keepRules(name, address))

  for (const [name, path] of [
    ['configuracoes', '/painel/configuracoes/'],
    ['chave-nova', '/painel/configuracoes/chave/nova/'],
  ] as const)
    describe(`the page ${path}`, () =>
      keepRules(
        name,
        () => house.address + path,
        () => withSession(house.address, visitor),
      ))
})
