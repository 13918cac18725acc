import { type Conexao, chamadorDe, type Opcoes } from './configuracao.ts'
import { MAXIMO, textoDe } from './corpo.ts'
import { ErroDeConexao } from './erros.ts'
import { esperaApos } from './espera.ts'
import { erroDaFonte, temFonte } from './fonte.ts'
import type { Operacao } from './operacao.ts'
import { jsonDe } from './problema.ts'
import type { Recibo } from './recibo.ts'
import { type Requisicao, requisicaoDe } from './requisicao.ts'
import { tentarAte } from './tentativas.ts'

/** An answer and what its headers say. */
export type Recebida = { dados: object; recibo: Recibo }

const EMISSAO_MS = 10 * 60_000
/** Where an issuance that goes on names no time. */
const EMISSAO_S = 30

/** Calls an operation, and waits an issuance out where the options want it. */
export async function chamar(
  conexao: Conexao,
  operacao: Operacao,
  pedido: object,
  opcoes: Opcoes,
): Promise<Recebida> {
  const { esperarEmissao = false } = opcoes
  const fim = performance.now() + (typeof esperarEmissao === 'number' ? esperarEmissao : EMISSAO_MS)
  for (;;) {
    const requisicao = await requisicaoDe(conexao, operacao, pedido, {
      ...opcoes,
      aceita: 'application/json',
    })
    const recebida = await receber(conexao, requisicao, opcoes)
    if (!esperarEmissao || !isEmEmissao(recebida.dados)) return recebida
    const esperaMs = esperaApos(1, recebida.recibo.retryAfterS ?? EMISSAO_S)
    if (performance.now() + esperaMs >= fim) return semFalha(recebida, opcoes)
    await conexao.esperar(esperaMs, chamadorDe(conexao, opcoes))
  }
}

const isEmEmissao = (dados: object): boolean =>
  temFonte(dados) && dados.source_status.error_code === 'EM_PROCESSAMENTO'

/** The answer itself. Throws the failure that its `source_status` tells, where the options want it. */
function semFalha(recebida: Recebida, { exigirFonte }: Opcoes): Recebida {
  const { dados, recibo } = recebida
  const falha = exigirFonte && temFonte(dados) ? erroDaFonte(dados, recibo) : undefined
  if (falha) throw falha
  return recebida
}

const receber = (conexao: Conexao, requisicao: Requisicao, opcoes: Opcoes): Promise<Recebida> =>
  tentarAte(conexao, requisicao, opcoes, undefined, async ({ resposta, recibo }) => {
    const dados = jsonDe(await textoDe(resposta, conexao.maximoDeOctetos ?? MAXIMO))
    if (typeof dados !== 'object' || dados === null) throw new ErroDeConexao('RESPOSTA_ILEGIVEL', { recibo })
    const recebida = { dados, recibo }
    return opcoes.esperarEmissao && isEmEmissao(dados) ? recebida : semFalha(recebida, opcoes)
  })
