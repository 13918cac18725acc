import { testContas } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase(testContas, ['sqlite'])
