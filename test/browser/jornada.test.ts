import { describe } from 'node:test'
import { noBrowser } from './chromium.ts'
import { walkJornada } from './jornada.ts'

describe('from the first visit to a lookup and a new key', { skip: noBrowser }, () =>
  walkJornada([['phone', true]]),
)
