import { describe } from 'node:test'
import { noBrowser } from '../kit/browser.ts'
import { walkJornada } from '../kit/pages.ts'

describe('from the first visit to a lookup and a new key', { skip: noBrowser }, () =>
  walkJornada([['phone', true]]),
)
