import { describe } from 'node:test'
import { noBrowser } from '../kit/browser.ts'
import { tryReference } from '../kit/pages.ts'

const CALLS = ['/api/consultar-cnpj', '/api/consultar-nfe-xml']

describe(
  'the reference page in a browser, by one call that asks and one that sends',
  { skip: noBrowser },
  () => tryReference((path) => CALLS.includes(path)),
)
