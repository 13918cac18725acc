import { after, before, describe } from 'node:test'
import { type House, start } from '../harness.ts'
import { noBrowser } from './chromium.ts'
import { keepRules } from './page-rules.ts'

describe('the page of errors', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())
  keepRules('erros', () => `${house.address}/erros`)
})
