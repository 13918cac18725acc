import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Dialect } from '../../src/platform/db/tables.ts'
import { newPostgres } from './databases.ts'
import { fiscal as fiscalAlone, type Said } from './fiscal.ts'
import { BANCO_DO_BRASIL, type House, start } from './harness.ts'

const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const EMAIL = 'ana@exemplo.test'

/**
 * Declares what an operator does with accounts beside a service, on a database. `run` is how his commands
 * run; those that run at once are always processes of their own.
 */
export function provarContas(dialect: Dialect, run: typeof fiscalAlone = fiscalAlone): void {
  let house: House
  let env: Record<string, string> = {}
  // Commands have the machine's clock, so the server has it too.
  const clock = { ahead: 0 }
  before(async () => {
    if (dialect === 'postgres')
      env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
    house = await start(env, () => new Date(Date.now() + clock.ahead))
  })
  after(() => house.close())

  const settings = () => ({ DATA_DIR: house.pasta, LOG_LEVEL: 'silent', ...env })
  const fiscal = (...args: string[]): Promise<Said> => run(settings(), 'contas', ...args)
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await fiscal(...args, '--json')
    assert.deepEqual([code, stderr], [0, ''], `${args}`)
    return Object(JSON.parse(stdout))
  }

  test('beside a running server an operator makes, prices, debits, blocks and unblocks an account', async () => {
    const { chave: key, ...made } = await json(
      'criar',
      '--nome',
      'Ana',
      '--email',
      EMAIL,
      '--plano',
      'starter',
    )
    assert.deepEqual([made.email, made.plano], [EMAIL, 'starter'])
    assert.equal((await house.ask(CNPJ, { key })).status, 200)
    assert.deepEqual(await json('preco-exclusivo', EMAIL, '--reais', '0,12'), {
      email: EMAIL,
      preco_exclusivo: true,
      preco_xml: { creditos: 1, reais: '0.12' },
    })
    const [ana] = (await json('listar')).filter(({ email }: { email: string }) => email === EMAIL)
    assert.deepEqual(ana.preco_xml, { creditos: 1, reais: '0.12' })
    const debit = await json('debitar', EMAIL, '99', '--motivo', 'estorno em dobro de outubro')
    assert.deepEqual([debit.creditos, debit.saldo.cota, debit.saldo.extra], [99, 900, 0])
    const blocked = await json('bloquear', EMAIL, '--motivo', 'fatura em aberto')
    assert.equal(blocked.bloqueio.motivo, 'fatura em aberto')
    clock.ahead += 5_000
    const refused = await house.ask(CNPJ, { key })
    assert.deepEqual([refused.status, refused.body.error_code], [403, 'CONTA_BLOQUEADA'])
    assert.match(String(refused.body.detail), /Motivo: fatura em aberto$/)
    assert.equal((await house.ask('/api/v1/conta', { key })).status, 403)
    const shown = await json('mostrar', EMAIL)
    assert.deepEqual([shown.id, shown.bloqueio.motivo], [made.id, 'fatura em aberto'])
    assert.deepEqual([shown.chaves.total, shown.chaves.anterior_ate], [1, null])
    assert.deepEqual(shown.uso.endpoints, [{ endpoint: '/api/consultar-cnpj', chamadas: 1, creditos: 1 }])
    assert.equal(JSON.stringify(shown).includes('fk_'), false)
    assert.deepEqual(await json('desbloquear', EMAIL), {
      email: EMAIL,
      bloqueio: null,
      estava_bloqueada: true,
    })
    clock.ahead += 5_000
    const { request_id, ...conta } = (await house.ask('/api/v1/conta', { key })).body
    for (const [name, value] of Object.entries(conta)) assert.deepEqual(shown[name], value, name)
    assert.deepEqual(await json('preco-exclusivo', EMAIL, '--remover'), {
      email: EMAIL,
      preco_exclusivo: false,
      preco_xml: { creditos: 3, reais: '0.30' },
    })
    const { stdout } = await fiscal('extrato', EMAIL)
    assert.match(stdout, new RegExp(`débito.*-99.*estorno em dobro de outubro.*${debit.request_id}`))
  })

  test('of debits by several operators at once, only those that the balance pays are made', async () => {
    await json('criar', '--nome', 'Bia', '--email', 'bia@exemplo.test')
    const runs = await Promise.all(
      ['a', 'b', 'c'].map((motivo) =>
        fiscalAlone(settings(), 'contas', 'debitar', 'bia@exemplo.test', '40', '--motivo', motivo),
      ),
    )
    assert.deepEqual(runs.map(({ code }) => code).sort(), [0, 0, 1])
    assert.equal((await json('mostrar', 'bia@exemplo.test')).creditos.disponiveis, 20)
  })

  test('what an operator must mend is told in Portuguese, and the exit code is 1', async () => {
    const failed: [string[], RegExp][] = [
      [['debitar', EMAIL, '5'], /falta a opção '--motivo <texto>'/],
      [
        ['debitar', EMAIL, '1001', '--motivo', 'x'],
        /créditos disponíveis, menos que 1\.001\. Nada foi debitado/,
      ],
      [['bloquear', 'ninguem@exemplo.test', '--motivo', 'x', '--json'], /Não há conta/],
      [['preco-exclusivo', EMAIL, '--reais', '1', '--remover'], /não vão juntas/],
    ]
    for (const [args, says] of failed) {
      const { code, stdout, stderr } = await fiscal(...args)
      assert.deepEqual([code, stdout], [1, ''], `${args}`)
      assert.match(stderr, says)
    }
  })
}
