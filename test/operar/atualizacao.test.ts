import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fiscalOf, PATHS, putAnterior, SKIPPED, settingsOf } from '../kit/deploy.ts'
import { start } from '../kit/house.ts'

// `npm run test:longo` has services that are upgraded, the way back, and nodes that are replaced one by one.
test('on the embedded database the new version goes on where the one before ended, with its keys and books', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const env = await settingsOf(t, '')
  const email = 'ana@exemplo.test'
  const { chave } = await fiscalOf(tree, env, 'contas', 'criar', '--nome', 'Ana', '--email', email)
  const debit = await fiscalOf(tree, env, 'contas', 'debitar', email, '1', '--motivo', 'teste')
  assert.equal(debit.saldo.cota, 99)
  const house = await start({ ...env, LOG_LEVEL: 'silent' }, () => new Date())
  t.after(() => house.close())
  const answer = await house.ask(PATHS[0] ?? '', { key: chave })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-credits-remaining'), '98', 'nothing is lost')
})
