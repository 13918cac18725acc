/** O cliente do Consulta Fiscal: o que um programa importa. */

export * from '../gerado/erros.ts'
export { operacoes } from '../gerado/operacoes.ts'
export type * from '../openapi.d.ts'
export { type Cliente, criarCliente, documentoDoServico, type Metodo } from './cliente.ts'
export type { Configuracao, Opcoes } from './configuracao.ts'
export { ErroDaApi, ErroDaFonte, ErroDeConexao, ErroFiscal } from './erros.ts'
export type { EventoDoFluxo, Fluxo } from './fluxo.ts'
export { type ComFonte, type ComResultado, exigirFonte } from './fonte.ts'
export type { NomeDeMetodo, Pedido, Resposta } from './operacao.ts'
export type { Recibo } from './recibo.ts'
