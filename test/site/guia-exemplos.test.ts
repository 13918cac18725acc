import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsShown, isPrintedAsShown, isShownIn, testExemplos } from '../kit/guide.ts'

// `npm run test:longo` runs those of all chapters.
testExemplos((slug) => slug === 'comece-aqui')

test('an answer that is other than shown is found', () => {
  assert.ok(isAsShown({ a: '…', b: [1], c: 'abc…', '…': '…' }, { a: 0, b: [1], c: 'abcd', d: 2 }))
  assert.ok(isAsShown([1, '…'], [1, 2, 3]))
  for (const [shown, real] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: '…' }, {}],
    [{ a: '…' }, { a: '' }],
    [[1], [1, 2]],
    [[1, '…'], [1]],
    [
      [1, '…'],
      [2, 3],
    ],
  ])
    assert.equal(isAsShown(shown, real), false, JSON.stringify(shown))
  assert.ok(isPrintedAsShown('a … c\nd', 'a b c\nd\n'))
  assert.equal(isPrintedAsShown('a … c', 'a b d'), false)
  assert.equal(isPrintedAsShown('a', 'a\nb'), false)
  assert.equal(isShownIn({ a: 1 }, { b: [{ a: 2 }] }), false)
})
