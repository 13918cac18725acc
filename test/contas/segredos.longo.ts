import { test } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { searchOperator } from '../kit/contas.ts'

test("the operator's certificate, its password and its key are in no log, file or answer", (t) =>
  searchOperator(
    t,
    listRoteiro().filter((_, i) => i % 4 === 0),
  ))
