import { comportamentos, type Efeito } from '../comportamento.ts'
import type { Uf } from '../mundo/molde.ts'
import { type Linha, linha } from './linha.ts'

/** Refused or paralysed: trying later, or with another certificate, may do. The other codes mean that we were not understood. */
const INDISPONIVEL = new Set([108, 109, 257, 262, 656])
const NUMERO_INVALIDO = new Set([258, 260, 263])
const NAO_CADASTRADO = new Set([259, 261, 264])

/**
 * Every misbehaviour, each in another state than the one before: a state's circuit breaker opens after five failures of availability in
 * a row, so no state may get many of them.
 */
export function linhasDeComportamento(endpoint: string, ufs: readonly Uf[]): Linha[] {
  return comportamentos
    .filter(({ efeito }) => !doPortal.has(efeito.tipo))
    .map(({ documento, efeito, nota }, indice) => {
      const { http, error_code } = espera(efeito)
      return linha(
        endpoint,
        { uf: ufs[indice % ufs.length] ?? 'SP', cnpj: documento },
        http,
        nota,
        error_code,
      )
    })
}

/** The effects that the web service knows nothing of. */
const doPortal = new Set<Efeito['tipo']>([
  'certidao',
  'papel',
  'fechado',
  'captcha',
  'layout',
  'waf',
  'sessao-velha',
  'so-em',
  'por-uf',
])

type Espera = { http: number; error_code?: string }

const certo: Espera = { http: 200 }
const indisponivel: Espera = { http: 503, error_code: 'SITE_INDISPONIVEL' }
const falhou: Espera = { http: 502, error_code: 'PROCESSAMENTO_FALHOU' }

function espera(efeito: Efeito): Espera {
  switch (efeito.tipo) {
    case 'muitas':
      return certo
    case 'demora':
      // Longer than the service waits for a state.
      return efeito.ms >= 30_000 ? indisponivel : certo
    case 'latin1':
      return efeito.declara === 'iso-8859-1' ? certo : falhou
    case 'queda':
    case 'tls':
      return indisponivel
    case 'pagina':
      return [403, 429].includes(efeito.status) || efeito.status >= 500 ? indisponivel : falhou
    case 'codigo':
      return esperaDoCodigo(efeito.cStat)
    default:
      return falhou
  }
}

function esperaDoCodigo(cStat: number): Espera {
  if (NUMERO_INVALIDO.has(cStat)) return { http: 400, error_code: 'DOCUMENTO_INVALIDO' }
  if (NAO_CADASTRADO.has(cStat)) return certo
  return INDISPONIVEL.has(cStat) ? indisponivel : falhou
}
