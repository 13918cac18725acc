import { forEachDatabase } from '../store/databases.ts'
import { provarMortes } from '../store/kill.ts'

forEachDatabase((_dialect, fresh) => provarMortes(fresh, [1, 200, 777]))
