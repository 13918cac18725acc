import { describe } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { provarLinhas } from '../kit/roteiro.ts'

describe('the list is right, row by row', { concurrency: true }, () => provarLinhas(listRoteiro()))
