import { testContas } from '../kit/contas.ts'
import { forEachDatabase } from '../kit/databases.ts'

forEachDatabase((dialect) => testContas(dialect))
