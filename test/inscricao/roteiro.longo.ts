import { describe } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { testRoteiro } from '../kit/portal.ts'

describe('the list is right, row by row', { concurrency: true }, () => testRoteiro(listRoteiro()))
