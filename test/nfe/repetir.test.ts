import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startNfe, useNfe } from '../kit/nfe.ts'

describe('whether a note may be asked for again', { concurrency: false }, () => {
  // BR is not named, so nobody solves the captcha of the national portal.
  const nfeOf = useNfe(() => startNfe({ CAPTCHA_UFS: 'SP' }))

  test('a captcha that nobody solves is told with its reason, and without Retry-After', async () => {
    const { house, key } = nfeOf()
    const { item, headers } = await house.askFor('portal-captcha', { key })
    assert.deepEqual(
      [item.status, item.retryable, headers.get('retry-after')],
      ['somente_resumo', false, null],
    )
    assert.match(item.mensagem, /sem quem o resolva.*Peça o XML a quem emitiu a nota\.$/)
  })
})
