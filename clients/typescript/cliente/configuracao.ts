import { type Esperar, esperar } from './espera.ts'

/** O que vale para todas as chamadas de um cliente. */
export type Configuracao = {
  /** Onde o serviço atende, como https://fiscal.exemplo.com.br. */
  endereco: string
  /** A chave de API da conta. Vai em todas as chamadas, e não aparece em mensagem nenhuma. */
  chave?: string | undefined
  /** No lugar da chave: um token de acesso (Bearer), ou de onde ele vem. */
  token?: string | (() => string | Promise<string>) | undefined
  /** O `fetch` a usar; o do ambiente, se nenhum. */
  fetch?: typeof globalThis.fetch | undefined
  /** Cancela todas as chamadas. */
  signal?: AbortSignal | undefined
  /** Quantas vezes tentar uma chamada, com a primeira; 3. */
  tentativas?: number | undefined
  /** O tempo de uma tentativa; 180 s nas consultas aos órgãos, que podem levar minutos, e 60 s nas outras. */
  prazoMs?: number | undefined
  /** O tempo de uma chamada, com as repetições e as esperas entre elas; 5 minutos. */
  prazoTotalMs?: number | undefined
  /** A maior espera entre duas tentativas; quando o serviço pede mais, o erro é lançado logo. 60 s. */
  esperaMaximaMs?: number | undefined
  /** Octetos de uma resposta, no máximo; 64 MiB. */
  maximoDeOctetos?: number | undefined
  /** Como esperar entre duas tentativas; serve a testes. */
  esperar?: Esperar | undefined
}

/** O que vale para uma chamada, no lugar do que o cliente tem. */
export type Opcoes = Pick<
  Configuracao,
  'signal' | 'tentativas' | 'prazoMs' | 'prazoTotalMs' | 'esperaMaximaMs'
> & {
  /** `no-cache` pergunta de novo ao órgão; `max-age=60` aceita uma resposta de até 60 segundos. */
  cacheControl?: string | undefined
  /** A Idempotency-Key de um POST que a aceita; uma nova em cada chamada, se nenhuma. */
  idempotencyKey?: string | undefined
  /** Lança um `ErroDaFonte` quando `source_status` diz que a fonte falhou, depois de repetir o que passa. */
  exigirFonte?: boolean | undefined
  /** Espera a certidão federal que está em emissão: até 10 minutos, ou tantos milissegundos. */
  esperarEmissao?: boolean | number | undefined
}

/** A configuration that was checked. Its functions hold the key, so that no inspection shows it. */
export type Conexao = {
  endereco: string
  credencial: () => Promise<[nome: string, valor: string] | undefined>
  fetch: typeof globalThis.fetch
  esperar: Esperar
} & Omit<Configuracao, 'endereco' | 'chave' | 'token' | 'fetch' | 'esperar'>

const TOTAL_MS = 5 * 60_000

/** The time of a call, with all its tries. */
export const prazoTotalDe = (conexao: Conexao, opcoes: Opcoes): number =>
  opcoes.prazoTotalMs ?? conexao.prazoTotalMs ?? TOTAL_MS

/** Aborted by whoever made the client, or this call. */
export const chamadorDe = (conexao: Conexao, opcoes: Opcoes): AbortSignal =>
  AbortSignal.any([conexao.signal, opcoes.signal].filter((um) => um !== undefined))

/** Checks a configuration. Throws a `TypeError` in Portuguese, which has neither address nor key. */
export function conexaoDe(configuracao: Configuracao): Conexao {
  const { chave, token, fetch, ...resto } = configuracao
  return {
    ...resto,
    endereco: enderecoDe(configuracao.endereco),
    fetch: fetch ?? ((...args) => globalThis.fetch(...args)),
    esperar: configuracao.esperar ?? esperar,
    credencial: credencialDe(chave, token),
  }
}

function enderecoDe(endereco: string): string {
  if (!URL.canParse(endereco)) throw new TypeError('O endereço do serviço não é uma URL.')
  const { protocol, username, password, origin, pathname } = new URL(endereco)
  if (!/^https?:$/.test(protocol))
    throw new TypeError('O endereço do serviço começa com https:// ou http://.')
  if (username || password)
    throw new TypeError('O endereço do serviço não leva usuário e senha: use chave ou token.')
  return origin + pathname.replace(/\/+$/, '')
}

/** What a header can carry. `fetch` would tell a wrong value, which is the key, in its message. */
const EM_CABECALHO = /^[\x21-\x7e]+$/

function credencialDe(chave: Configuracao['chave'], token: Configuracao['token']): Conexao['credencial'] {
  const conferir = (valor: string, que: string): string => {
    if (!EM_CABECALHO.test(valor))
      throw new TypeError(`${que} está vazia, ou tem espaço, quebra de linha ou acento.`)
    return valor
  }
  if (chave !== undefined) {
    conferir(chave, 'A chave de API')
    return async () => ['X-API-Key', chave]
  }
  if (typeof token === 'string') conferir(token, 'A credencial Bearer')
  return async () => {
    if (token === undefined) return undefined
    const valor = typeof token === 'string' ? token : conferir(await token(), 'A credencial Bearer')
    return ['Authorization', `Bearer ${valor}`]
  }
}
