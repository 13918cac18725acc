import { describe } from 'node:test'
import { testNotas } from '../kit/nfe-steps.ts'

describe('the list of notes is right', { concurrency: false }, () => testNotas(() => true))
