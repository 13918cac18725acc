import { describe } from 'node:test'
import { noBrowser } from '../browser/chromium.ts'
import { tryReference } from '../browser/reference.ts'

describe('the reference page in a browser, by each call', { skip: noBrowser }, () => tryReference(() => true))
