/**
 * The files that take longest, in this order. They begin first, so that none of them runs alone at the end.
 */
export const LONG = [
  'test/start.test.ts',
  'test/api/roteiro.test.ts',
  'test/api/todos-sse.test.ts',
  'test/base-cnpj/importar/retomada.test.ts',
  'test/api/consultar-cnd-todos.test.ts',
  'test/api/roteiro-notas.test.ts',
  'test/api/no-morto.test.ts',
  'test/api/dois-nos.test.ts',
  'test/store/kill.test.ts',
  'test/kill.test.ts',
]
