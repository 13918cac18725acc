import { provarContas } from '../kit/cli-contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase(provarContas, ['sqlite'])
