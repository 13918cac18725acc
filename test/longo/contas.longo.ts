import { provarContas } from '../cli/contas.ts'
import { forEachDatabase } from '../store/databases.ts'

forEachDatabase(provarContas)
