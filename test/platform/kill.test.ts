import { forEachDatabase } from '../kit/databases.ts'
import { provarMortes } from '../kit/store-kill.ts'

// `npm run test:longo` kills it more often, and on PostgreSQL too.
forEachDatabase((_dialect, fresh) => provarMortes(fresh, [200]), ['sqlite'])
