import { after, before } from 'node:test'
import { forEachDatabase } from '../kit/databases.ts'
import { type CasaNfe, startNfe } from '../kit/nfe-casa.ts'
import { provarSegredos } from '../kit/nfe-segredos-prova.ts'

let casa: CasaNfe
before(async () => {
  casa = await startNfe()
})
after(() => casa.close())

forEachDatabase((dialect, fresh) => provarSegredos(() => casa, dialect, fresh))
