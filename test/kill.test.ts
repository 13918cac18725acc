import { provarLivros } from './kill-livros.ts'
import { forEachDatabase } from './store/databases.ts'

// `npm run test:longo` does it on PostgreSQL too.
forEachDatabase(provarLivros, ['sqlite'])
