import { provarContas } from '../kit/cli-contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

forEachDatabase((dialect) => provarContas(dialect))
