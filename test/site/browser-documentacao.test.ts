import { describe } from 'node:test'
import { noBrowser } from '../kit/browser.ts'
import { tryReference } from '../kit/pages.ts'

// The call that sends most: `npm run test:longo` has all of them.
describe('the reference page in a browser, by one call', { skip: noBrowser }, () =>
  tryReference((path) => path === '/api/consultar-nfe-xml'),
)
