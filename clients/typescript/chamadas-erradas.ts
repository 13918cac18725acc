import { criarCliente, ErroDaApi, exigirFonte, LimiteAtingido, type paths } from '@consulta-fiscal/cliente'

type Consultar = paths['/api/consultar']['get']

const fiscal = criarCliente({ endereco: 'http://127.0.0.1:8080' })
const pedido = { uf: 'RS', cnpj: '99034721000180' } as const

/** What the types refuse. Each line that compiled would be an error: its `@ts-expect-error` expects one. */
export const erradas: ((erro: unknown) => unknown)[] = [
  // @ts-expect-error: no lookup has this name.
  () => fiscal.consulta(pedido),
  // @ts-expect-error: the CNPJ is required.
  () => fiscal.consultarCnpj({}),
  // @ts-expect-error: something is required.
  () => fiscal.consultarNfeXml(),
  // @ts-expect-error: no state is called that.
  () => fiscal.consultar({ uf: 'XX', cnpj: '99034721000180' }),
  // @ts-expect-error: no registration has this field.
  async () => (await fiscal.consultar(pedido)).results[0]?.situacao,
  // @ts-expect-error: the parameter is called cnpj.
  () => ({ uf: 'RS', CNPJ: '99034721000180' }) satisfies Consultar['parameters']['query'],
  // @ts-expect-error: the body is not one entry of the stream.
  async () => (await fiscal.consultarCndTodos(pedido)).source_status,
  // @ts-expect-error: one state is not streamed.
  () => fiscal.consultarCnd.stream(pedido),
  async () => {
    // @ts-expect-error: an entry has registrations, and no certificate.
    for await (const parte of fiscal.consultarIeTodos.stream(pedido)) parte.result
  },
  // @ts-expect-error: the receipt stands beside the answer.
  async () => (await fiscal.conta.comRecibo()).recibo.plano,
  // @ts-expect-error: an answer without source_status has no source to demand.
  async () => exigirFonte(await fiscal.consultar(pedido)),
  // @ts-expect-error: a class has the code that is its own.
  (erro: unknown) => erro instanceof LimiteAtingido && erro.codigo === 'ERRO_INTERNO',
  // @ts-expect-error: no error has this member.
  (erro: unknown) => erro instanceof ErroDaApi && erro.code,
]
