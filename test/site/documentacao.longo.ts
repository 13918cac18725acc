import { describe } from 'node:test'
import { noBrowser } from '../kit/chromium.ts'
import { tryReference } from '../kit/reference.ts'

describe('the reference page in a browser, by each call', { skip: noBrowser }, () => tryReference(() => true))
