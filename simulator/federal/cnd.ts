import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Mensagem } from '../platform/mensagem.ts'
import { findCenarioFederal, type ManiaDoContrato } from './cenarios.ts'
import type { Produto } from './contrato.ts'
import type { Livro } from './livro.ts'
import { erroDoGateway } from './mensagem.ts'
import { documentoDe, lerPedido, type PedidoDeCnd } from './pedido.ts'
import { comCertidao, semCertidao } from './resposta.ts'
import { type Situacao, situacaoDe } from './situacao.ts'
import { EM_PROCESSAMENTO, recusaDe } from './textos.ts'

/** Milliseconds between two questions with a key, before `ritmo`. */
const INTERVALO = 500
/** How many keys and companies are remembered. */
const MAXIMO = 10_000

type Casa = {
  livro: Livro
  ritmo: number
  /** What a key was given for, and when it was last shown, by a clock that never stands still. */
  chaves: LRUCache<string, { documento: string; vista: number; perdida: boolean }>
  /** What a company was refused once. */
  uma: LRUCache<string, true>
}

/** SERPRO's Consulta CND, versions 1 and 2. While a valid certificate exists it gives that one. */
export function criarConsultaCnd({ livro, ritmo = 1 }: { livro: Livro; ritmo?: number }): Produto {
  const casa: Casa = {
    livro,
    ritmo,
    chaves: new LRUCache({ max: MAXIMO }),
    uma: new LRUCache({ max: MAXIMO }),
  }
  return {
    caminhos: ['/consulta-cnd/v1/', '/consulta-cnd/v2/'],
    documento: documentoDe,
    responder: (pedido) => {
      const versao = /^\/consulta-cnd\/(v1|v2)\/certidao$/.exec(pedido.caminho)?.[1]
      if (versao === undefined) return erroDoGateway('sem-recurso')
      if (pedido.metodo !== 'POST') return erroDoGateway('metodo-errado')
      const lido = lerPedido(pedido, versao === 'v2' ? 'v2' : 'v1')
      return 'mensagem' in lido ? semCertidao(lido.status, lido.mensagem) : responder(casa, lido)
    },
  }
}

function responder(casa: Casa, pedido: PedidoDeCnd): Mensagem | Promise<Mensagem> {
  // Persons and rural properties are not played.
  if (pedido.tipo !== 1) return semCertidao(8, 'Contribuinte não cadastrado.')
  const situacao = situacaoDe(pedido.documento)
  const forcado = forcar(casa, situacao)
  if (forcado) return forcado
  const { livro } = casa
  if (pedido.chave !== '') return continuar(casa, pedido, situacao)
  livro.perguntar(situacao)
  const valida = livro.valida(situacao)
  if (valida) return comCertidao(1, valida, pedido.pdf)
  const recusa = recusaDe(situacao)
  if (recusa !== undefined) return semCertidao(statusDaRecusa(situacao), recusa)
  return emitir(casa, pedido, situacao, randomUUID())
}

function continuar(casa: Casa, pedido: PedidoDeCnd, situacao: Situacao): Mensagem | Promise<Mensagem> {
  const { chave, documento } = pedido
  const guardada = casa.chaves.get(chave)
  if (guardada?.documento !== documento || guardada.perdida) return semCertidao(14, 'Chave não encontrada.')
  const passados = performance.now() - guardada.vista
  guardada.vista = performance.now()
  if (passados < INTERVALO * casa.ritmo) return erroDoGateway('estrangulado')
  return emitir(casa, pedido, situacao, chave)
}

/** Goes on with the issuance of that key: the certificate, or the key again. */
function emitir(
  { livro, chaves }: Casa,
  { documento, pdf }: PedidoDeCnd,
  situacao: Situacao,
  chave: string,
): Mensagem | Promise<Mensagem> {
  const certidao = livro.emitir(situacao, chave)
  if (certidao) return comCertidao(2, certidao, pdf)
  const perdida = maniaDe(situacao) === 'chave-perdida' && livro.emissoes()[situacao.matriz] === 1
  if (!chaves.has(chave)) chaves.set(chave, { documento, vista: performance.now(), perdida })
  return semCertidao(7, EM_PROCESSAMENTO[0], chave)
}

const maniaDe = ({ matriz }: Situacao): ManiaDoContrato | undefined => findCenarioFederal(matriz)?.contrato

/** The answer that a company gets whatever its certificates are. */
function forcar({ uma }: Casa, situacao: Situacao): Mensagem | undefined {
  const analise = 'Houve atualização da base durante a análise. Tente novamente.'
  switch (maniaDe(situacao)) {
    case 'analise':
      return semCertidao(5, analise)
    case 'analise-uma-vez':
      if (uma.has(situacao.matriz)) return undefined
      uma.set(situacao.matriz, true)
      return semCertidao(5, analise)
    case 'base-fora':
      return semCertidao(6, 'Base de apoio indisponível.')
    case 'parametro':
      return semCertidao(9, 'Parâmetro inválido.')
    case 'falha':
      return semCertidao(99, 'Erro no servidor.')
    default:
      return undefined
  }
}

function statusDaRecusa({ desfecho }: Situacao): number {
  if (desfecho === 'nao-inscrito') return 8
  return desfecho === 'inapta' ? 4 : 3
}
