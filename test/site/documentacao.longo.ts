import { describe } from 'node:test'
import { noBrowser } from '../kit/browser.ts'
import { tryReference } from '../kit/pages.ts'

describe('the reference page in a browser, by each call', { skip: noBrowser }, () => tryReference(() => true))
