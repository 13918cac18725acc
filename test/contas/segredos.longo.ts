import { test } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { provarOperador } from '../kit/segredos.ts'

test("the operator's certificate, its password and its key are in no log, file or answer", (t) =>
  provarOperador(
    t,
    listRoteiro().filter((_, i) => i % 4 === 0),
  ))
