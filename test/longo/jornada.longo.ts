import { describe } from 'node:test'
import { noBrowser } from '../browser/chromium.ts'
import { walkJornada } from '../browser/jornada.ts'

describe('from the first visit to a lookup and a new key', { skip: noBrowser }, () =>
  walkJornada([
    ['desktop', true],
    ['desktop', false],
    ['phone', false],
  ]),
)
