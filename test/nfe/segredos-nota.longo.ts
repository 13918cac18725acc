import { after, before } from 'node:test'
import { forEachDatabase } from '../kit/databases.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'
import { testSegredos } from '../kit/nfe-secrets.ts'

let casa: NfeHouse
before(async () => {
  casa = await startNfe()
})
after(() => casa.close())

forEachDatabase((dialect, fresh) => testSegredos(() => casa, dialect, fresh))
