import { forEachDatabase } from './databases.ts'
import { provarMortes } from './kill.ts'

// `npm run test:longo` kills it more often, and on PostgreSQL too.
forEachDatabase((_dialect, fresh) => provarMortes(fresh, [200]), ['sqlite'])
