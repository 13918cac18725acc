import { type Conexao, chamadorDe, type Opcoes, prazoTotalDe } from './configuracao.ts'
import { MAXIMO, textoDe } from './corpo.ts'
import { ErroDaApi, ErroDeConexao, ErroFiscal } from './erros.ts'
import { esperaApos } from './espera.ts'
import { erroDaApi, problemaDe } from './problema.ts'
import { type Recibo, reciboDe } from './recibo.ts'
import type { Requisicao } from './requisicao.ts'

/** The head of an answer. */
export type Tentativa = { resposta: Response; recibo: Recibo }

const ESPERA_MS = 60_000
const PRAZO_MS = { orgaos: 180_000, servico: 60_000 }

/**
 * Sends a request until `ler` makes an answer of it, as often and as long as the options let; `fim` ends it,
 * and what was not yet read of its answer. Throws what the last try threw, and the reason of an aborted
 * signal.
 */
export async function tentarAte<T>(
  conexao: Conexao,
  requisicao: Requisicao,
  opcoes: Opcoes,
  fim: AbortSignal | undefined,
  ler: (tentativa: Tentativa) => Promise<T>,
): Promise<T> {
  const tentativas = opcoes.tentativas ?? conexao.tentativas ?? 3
  const maiorEsperaMs = opcoes.esperaMaximaMs ?? conexao.esperaMaximaMs ?? ESPERA_MS
  const signal = chamadorDe(conexao, opcoes)
  const ate = performance.now() + prazoTotalDe(conexao, opcoes)
  for (let feitas = 1; ; feitas++) {
    const prazoMs = Math.min(prazoDe(conexao, opcoes, requisicao), ate - performance.now())
    try {
      return await tentar(conexao, requisicao, { signal, fim, prazoMs, feitas }, ler)
    } catch (erro) {
      if (!(erro instanceof ErroFiscal) || !erro.retryable) throw erro
      if (!requisicao.repetivel || feitas >= tentativas) throw erro
      if ((erro.retryAfterS ?? 0) * 1000 > maiorEsperaMs) throw erro
      const esperaMs = esperaApos(feitas, erro.retryAfterS)
      if (performance.now() + esperaMs >= ate) throw erro
      await conexao.esperar(esperaMs, signal)
    }
  }
}

const prazoDe = (conexao: Conexao, opcoes: Opcoes, { url }: Requisicao): number =>
  opcoes.prazoMs ?? conexao.prazoMs ?? (/\/api\/v\d+\//.test(url) ? PRAZO_MS.servico : PRAZO_MS.orgaos)

type Limites = { signal: AbortSignal; fim: AbortSignal | undefined; prazoMs: number; feitas: number }

async function tentar<T>(
  conexao: Conexao,
  { url, init }: Requisicao,
  { signal, fim, prazoMs, feitas }: Limites,
  ler: (tentativa: Tentativa) => Promise<T>,
): Promise<T> {
  const prazo = new AbortController()
  const relogio = setTimeout(() => prazo.abort(), prazoMs)
  let recibo: Recibo | undefined
  try {
    const sinais = AbortSignal.any([signal, prazo.signal, ...(fim ? [fim] : [])])
    const resposta = await conexao.fetch(url, { ...init, signal: sinais })
    recibo = reciboDe(resposta, feitas, Date.now())
    await recusar(resposta, recibo, conexao.maximoDeOctetos)
    return await ler({ resposta, recibo })
  } catch (erro) {
    signal.throwIfAborted()
    if (erro instanceof ErroFiscal) throw erro
    const detalhes = recibo && { recibo }
    if (prazo.signal.aborted) throw new ErroDeConexao('PRAZO', detalhes)
    throw new ErroDeConexao(recibo ? 'CONEXAO_INTERROMPIDA' : 'CONEXAO', {
      ...detalhes,
      motivo: motivoDe(erro),
    })
  } finally {
    clearTimeout(relogio)
  }
}

/** The code of what went wrong below: another's text could have the key in it. */
function motivoDe(erro: unknown): string {
  const causa = erro instanceof Error ? (erro.cause ?? erro) : undefined
  if (typeof causa === 'object' && causa !== null && 'code' in causa && /^\w+$/.test(String(causa.code)))
    return String(causa.code)
  return erro instanceof Error ? erro.name : 'erro'
}

/** Throws the failure that an answer is. */
async function recusar(resposta: Response, recibo: Recibo, maximo = MAXIMO): Promise<void> {
  const { status, ok, type } = resposta
  if (ok) return
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await resposta.body?.cancel()
    throw new ErroDeConexao('REDIRECIONAMENTO', { recibo })
  }
  const problema = problemaDe(await textoDe(resposta, maximo))
  throw problema ? erroDaApi({ status, recibo, problema }) : new ErroDaApi({ status, recibo })
}
