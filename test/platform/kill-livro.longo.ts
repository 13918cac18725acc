import { forEachDatabase } from '../kit/databases.ts'
import { testKills } from '../kit/kill.ts'

forEachDatabase((_dialect, fresh) => testKills(fresh, [1, 200, 777]))
