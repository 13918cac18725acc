import { describe } from 'node:test'
import { provarNotas } from '../api/roteiro-notas.ts'

describe('the list of notes is right', { concurrency: false }, () => provarNotas(() => true))
