import { after, before } from 'node:test'
import { forEachDatabase } from '../kit/databases.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'
import { testSegredos } from '../kit/nfe-secrets.ts'

let house: NfeHouse
before(async () => {
  house = await startNfe()
})
after(() => house.close())

forEachDatabase((dialect, fresh) => testSegredos(() => house, dialect, fresh))
