import { forEachDatabase } from '../kit/databases.ts'
import { provarMortes } from '../kit/store-kill.ts'

forEachDatabase((_dialect, fresh) => provarMortes(fresh, [1, 200, 777]))
