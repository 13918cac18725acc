import { setTimeout as delay } from 'node:timers/promises'
import { diaDe } from '../documento/dia.ts'
import { type Source, SourceError } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import { failureOf } from '../portal/desfecho.ts'
import type { Rota } from '../portal/estado.ts'
import type { CertidaoFederal, EspecieFederal, RecusaFederal } from './rules.ts'
import { type LeituraFederal, readCertidaoFederal } from './source-certidao.ts'

export type RotaId = 'contrato' | 'portal'

/** `sempre` issues a new one; `se-preciso` only where none is valid for more than three days. */
export type PerguntaFederal = { cnpj: string; emitir: 'se-preciso' | 'sempre' }

/** What a later run needs to go on with an issuance that began. It is sealed where it is stored. */
export type AndamentoFederal = {
  rota: RotaId
  desde: string
  /** Set if the authority was heard to work on it: the gateway's key of the request, the portal's status. */
  chave?: string
  /** The portal's session. Empty if it is over while the issuance may still be at work. */
  cookies?: string
  /** Until when the authority wants no further question (its `Retry-After`), ISO 8601. */
  esperarAte?: string
}

export type MeiosFederais = {
  http: Http
  guard: Guard
  captcha: CaptchaSolver
  now: () => Date
  request_id: string
  deadlineMs: number
  signal: AbortSignal
  pace: number
  /** What an earlier attempt noted, of any route. */
  andamento: AndamentoFederal | undefined
  /** Writes down that an issuance began or goes on, before the next request leaves. */
  noteAndamento: (andamento: AndamentoFederal) => Promise<void>
}

/** The answer of a route. `emitida` says that the certificate was issued now, and not found. */
export type RespostaFederal =
  | { tipo: 'certidao'; certidao: CertidaoFederal; emitida: boolean }
  | { tipo: 'recusa'; recusa: RecusaFederal }

export type RotaFederal = {
  id: RotaId
  source: Source
  issuesNova: boolean
  /** Throws RotaNaoAtende, or SourceError: `em-processamento` where a later attempt goes on. */
  ask: (pergunta: PerguntaFederal, meios: MeiosFederais) => Promise<RespostaFederal>
}

/** A route of the operator's list. `falta` says in Portuguese why it cannot be asked; empty if it can. */
export type RotaOferecida = RotaFederal & { falta: string }

export const fontesDaCertidao = {
  contrato: {
    familia: 'serpro-cnd',
    source: { id: 'BR/cnd-contrato', nome: 'A API Consulta CND (SERPRO)' },
    url: 'https://gateway.apiserpro.serpro.gov.br/consulta-cnd/v1/certidao',
    aceita: ['cnpj'],
    captcha: 'nenhum',
    certeza: 'verificado',
    origem: 'sete clientes de código aberto e o contrato do SERPRO; a v2, um cliente só',
    em: '2026',
    nota: 'Contrato pago do SERPRO (SERPRO_KEY e SERPRO_SECRET): cada consulta e cada nova tentativa são cobradas por ele. Entrega a certidão válida ou emite uma se não houver; não emite outra enquanto uma vale. "Informações insuficientes" (taxa_vazias) pode ser falso.',
  },
  portal: {
    familia: 'rfb-certidoes',
    source: { id: 'BR/cnd-portal', nome: 'O portal de certidões da Receita Federal' },
    url: 'https://servicos.receitafederal.gov.br/servico/certidoes/api',
    aceita: ['cnpj'],
    captcha: { tipo: 'hcaptcha', quando: 'sempre', widget: { invisivel: true } },
    certeza: 'verificado',
    origem: 'clientes de código aberto, com capturas da página',
    em: '2026-09-03',
    nota: 'Pede hCaptcha para consultar e outra vez para emitir (BR em CAPTCHA_UFS). Desde 2026-09 a emissão anônima talvez responda sempre "insuficientes". O servidor pode não enviar a cadeia de certificados inteira: grave os intermediários com "fiscal certificados cadeia".',
  },
} as const satisfies Record<RotaId, Omit<Rota, 'espera'>>

/** The pauses between two polls in milliseconds; the last one repeats. Each poll of the gateway is billed. */
const PAUSAS_MS = [2_000, 5_000, 10_000] as const

/** The gateway wants at least so long between two polls (its documentation, as clients quote it). */
const LEAST_MS = 500

export type Tempo = {
  elapsedMs: () => number
  /** Never less than 1, so that the last request fails by its deadline. */
  leftMs: () => number
  /** Throws `em-processamento` when the time ends before, or the reason of the signal. */
  pause: (retryAfterS?: number) => Promise<void>
  processando: (frase?: string) => Error
}

export type LimitesDeTempo = { source: Source; deadlineMs: number; pace: number; signal: AbortSignal }

export function openTempo({ source, deadlineMs, pace, signal }: LimitesDeTempo): Tempo {
  const started = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - started)
  let polls = 0
  const processando: Tempo['processando'] = (frase = '') =>
    failureOf('processando', { source, elapsedMs: elapsedMs(), tipo: 'cnpj', frase })
  return {
    elapsedMs,
    leftMs: () => Math.max(1, deadlineMs - elapsedMs()),
    pause: async (retryAfterS = 0) => {
      const usual = PAUSAS_MS[Math.min(polls++, PAUSAS_MS.length - 1)] ?? LEAST_MS
      const pauseMs = Math.max(usual, LEAST_MS, retryAfterS * 1000) * pace
      const restMs = deadlineMs - elapsedMs()
      await delay(Math.max(0, Math.min(pauseMs, restMs)), undefined, { signal }).catch(() => {
        throw signal.reason
      })
      if (pauseMs >= restMs) throw processando()
    },
    processando,
  }
}

/** The most bytes of a certificate. A whole answer has at most 2 MiB, and base64 takes a third of it. */
const MOST_BYTES = 1024 * 1024

/** Open clients strip white space and a `data:` address. Undefined if it is no base64, or over 1 MiB. */
export function decodePdf(text: string): Buffer | undefined {
  if (text.length > MOST_BYTES * 2) return undefined
  const base64 = text.replace(/^\s*data:[^,]{0,100},/, '').replace(/\s+/g, '')
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length <= MOST_BYTES && isWhole(base64, bytes) ? bytes : undefined
}

/** Whether nothing was cut off: Node decodes a text that ends in the middle without a word. */
const isWhole = (base64: string, bytes: Buffer): boolean =>
  bytes.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '')

/** What the JSON says beside the paper must agree with it; a member that is empty says nothing. */
export type Entregue = {
  pdf: unknown
  /** Undefined where nothing is said; `outra` for a kind that nobody knows. */
  especie?: EspecieFederal | 'outra' | undefined
  contribuinte?: unknown
  codigo?: unknown
  emissao?: unknown
  validade?: unknown
}

/** Throws SourceError `parse`: `contradicao` if JSON and paper differ, or as `readCertidaoFederal`. */
export async function readEntregue(entregue: Entregue, leitura: LeituraFederal): Promise<CertidaoFederal> {
  const pdf = typeof entregue.pdf === 'string' ? decodePdf(entregue.pdf) : undefined
  if (!pdf) throw broken(leitura, 'enviou uma certidão que não é um PDF em base64')
  const certidao = await readCertidaoFederal(pdf, leitura)
  const contrario = contrarioEm(entregue, certidao, leitura.cnpj)
  if (contrario === undefined) return certidao
  const { source, elapsedMs } = leitura
  throw new SourceError('parse', `${source.nome} diz uma coisa e sua certidão outra (${contrario}).`, {
    source: source.id,
    elapsedMs,
    codigo: 'contradicao',
    dizeres: certidao.status_raw,
  })
}

function contrarioEm(entregue: Entregue, certidao: CertidaoFederal, cnpj: string): string | undefined {
  const { especie, contribuinte, codigo, emissao, validade } = entregue
  const plain = (value: unknown): string =>
    textOf(value)
      .replace(/[^0-9A-Za-z]/g, '')
      .toUpperCase()
  if (especie !== undefined && especie !== certidao.status) return 'espécie'
  // The root alone stands for all establishments.
  if (isSaid(contribuinte) && ![cnpj, cnpj.slice(0, 8)].includes(plain(contribuinte))) return 'CNPJ'
  if (isSaid(codigo) && plain(codigo) !== plain(certidao.protocolo)) return 'código de controle'
  if (isSaid(emissao) && !diasDe(textOf(emissao)).includes(certidao.emissao)) return 'data de emissão'
  if (isSaid(validade) && !diasDe(textOf(validade)).includes(certidao.validade)) return 'validade'
  return undefined
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
const BRASILEIRA = /^(\d\d)\/(\d\d)\/(\d{4})(?: .{0,20})?$/

/** As written and, if it names a zone, in Brasília: no client says which zone the dates have. */
export function diasDe(text: string): string[] {
  const [, dia = '', mes = '', ano = ''] = BRASILEIRA.exec(text) ?? []
  if (ano) return [`${ano}-${mes}-${dia}`]
  const [, written, zone] = ISO.exec(text) ?? []
  if (written === undefined) return []
  const instant = zone === undefined ? Number.NaN : Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(instant) ? [written] : [written, diaDe(instant)]
}

/** Whether a certificate of this day was issued since our issuance began; false where `desde` is empty. */
export const isDesde = (emissao: string, desde: string): boolean =>
  desde !== '' && emissao >= diaDe(Date.parse(desde))

export const broken = (
  { source, elapsedMs }: Pick<LeituraFederal, 'source' | 'elapsedMs'>,
  why: string,
): SourceError => new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })
