import { after, before } from 'node:test'
import { type CasaNfe, startNfe } from '../nfe/casa.ts'
import { provarSegredos } from '../nfe/segredos-prova.ts'
import { forEachDatabase } from '../store/databases.ts'

let casa: CasaNfe
before(async () => {
  casa = await startNfe()
})
after(() => casa.close())

forEachDatabase((dialect, fresh) => provarSegredos(() => casa, dialect, fresh))
