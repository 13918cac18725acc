import { describe } from 'node:test'
import { provarNotas } from '../kit/roteiro-notas.ts'

describe('the list of notes is right', { concurrency: false }, () => provarNotas(() => true))
