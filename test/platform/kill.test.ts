import { forEachDatabase } from '../kit/databases.ts'
import { testKills } from '../kit/kill.ts'

// `npm run test:longo` kills it more often, and on PostgreSQL too.
forEachDatabase((_dialect, fresh) => testKills(fresh, [200]), ['sqlite'])
