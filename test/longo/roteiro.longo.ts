import { describe } from 'node:test'
import { listarRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { provarLinhas } from '../api/roteiro.ts'

describe('the list is right, row by row', { concurrency: true }, () => provarLinhas(listarRoteiro()))
