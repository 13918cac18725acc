import { testContas } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { fiscalHere } from '../kit/processes.ts'

// `npm run test:longo` does it on both databases, with each command in a process of its own.
forEachDatabase((dialect) => testContas(dialect, (env, ...args) => fiscalHere({ env }, ...args)), ['sqlite'])
