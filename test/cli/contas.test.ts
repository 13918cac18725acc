import { forEachDatabase } from '../store/databases.ts'
import { provarContas } from './contas.ts'

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase(provarContas, ['sqlite'])
