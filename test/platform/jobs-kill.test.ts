import { test } from 'node:test'
import { forEachDatabase } from '../kit/databases.ts'
import { killNodes } from '../kit/kill.ts'

// `npm run test:longo` kills 100 times on each database.
forEachDatabase(
  (_dialect, fresh) => {
    test('after 3 times kill -9 of a node every job is done, and wrote once', async (t) => {
      await killNodes(t, await fresh(t), 3)
    })
  },
  ['postgres'],
)
