/**
 * The files that take longest, in this order. They begin first, so that none of them runs alone at the end.
 */
export const LONG = [
  'test/api/roteiro.test.ts',
  'test/start.test.ts',
  'test/nfe/segredos.test.ts',
  'test/simulator/processo.test.ts',
  'test/secrets.test.ts',
  'test/base-cnpj/importar/retomada.test.ts',
  'test/simulator/contrato/contrato.test.ts',
  'test/kill.test.ts',
  'test/api/todos-sse.test.ts',
  'test/browser/documentacao.test.ts',
  'test/red.test.ts',
  'test/contract/cliente.test.ts',
  'test/api/sigef-busca.test.ts',
  'test/api/consultar-cnd-federal.test.ts',
  'test/api/perfil-produtor.test.ts',
  'test/api/fuzz.test.ts',
  'test/api/consultar-cnd-todos.test.ts',
  'test/api/metrics.test.ts',
  'test/base-cnpj/importar/comando.test.ts',
  'test/api/ccc.test.ts',
  'test/api/nfe-xml-dois-nos.test.ts',
]
