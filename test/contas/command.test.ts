import { provarContas } from '../kit/cli-contas.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { fiscalHere } from '../kit/fiscal-here.ts'

// `npm run test:longo` does it on both databases, with each command in a process of its own.
forEachDatabase(
  (dialect) => provarContas(dialect, (env, ...args) => fiscalHere({ env }, ...args)),
  ['sqlite'],
)
