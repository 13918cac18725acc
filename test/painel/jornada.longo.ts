import { describe } from 'node:test'
import { noBrowser } from '../kit/chromium.ts'
import { walkJornada } from '../kit/jornada.ts'

describe('from the first visit to a lookup and a new key', { skip: noBrowser }, () =>
  walkJornada([
    ['desktop', true],
    ['desktop', false],
    ['phone', false],
  ]),
)
