import { SourceError } from '../platform/wire/fonte.ts'
import type { CertidaoFederal, RecusaFederal } from './certidao.ts'
import { fontesDaCertidao } from './fontes.ts'
import { fail, type RespostaDaApi, readResposta, recusaDita } from './portal-resposta.ts'
import type { AndamentoFederal } from './rota-federal.ts'
import { lerEntregue } from './source.ts'
import { comCaptcha, type Sessao } from './source-sessao.ts'

const { source } = fontesDaCertidao.portal

/** How an issuance ended. */
export type FimNoPortal =
  | { certidao: CertidaoFederal }
  | { recusa: RecusaFederal }
  /** Its session is over, so its end is not known. */
  | 'sessao-perdida'

/** An issuance, and how its steps are written down. */
export type Emissao = {
  sessao: Sessao
  cnpj: string
  now: () => Date
  anotar: (nota: Pick<AndamentoFederal, 'cookies' | 'chave'>) => Promise<void>
}

const bodyOf = (cnpj: string): object => ({ ni: cnpj, tipoContribuinte: 'PJ', tipoContribuinteEnum: 'CNPJ' })

/** Asks for the leave to issue, and gives the refusal of it. "Emitida" says that another one is valid. */
export async function verificar({ sessao, cnpj }: Emissao): Promise<RecusaFederal | undefined> {
  const resposta = await comCaptcha(sessao, async (token) =>
    readResposta(await sessao.post('/Emissao/verificar', bodyOf(cnpj), { token }), 'status', 'com-token'),
  )
  if (resposta.status === 'ContinuarEmissao' || resposta.status === 'Emitida') return undefined
  const dita = recusaDita(resposta, cnpj)
  return dita === 'em-processamento' ? undefined : dita
}

/**
 * Asks for the certificate, again and again in the same session, until the portal has done. `enviada` says
 * that an earlier run sent the question, `ouvida` that it was answered.
 */
export async function acompanhar(
  emissao: Emissao,
  { enviada = false, ouvida = false } = {},
): Promise<FimNoPortal> {
  const { sessao, anotar } = emissao
  let [noted, isHeard] = ['', ouvida]
  // The earlier run may have asked a moment ago.
  if (enviada) await sessao.tempo.pause()
  for (let isAtWork = enviada; ; isAtWork = true) {
    const nota = { cookies: sessao.cookies(), ...(isHeard && { chave: EM_PROCESSAMENTO }) }
    // The session may change with each answer.
    if (JSON.stringify(nota) !== noted) await anotar(nota)
    noted = JSON.stringify(nota)
    const fim = await poll(emissao).catch((error) => readFailure(error, emissao, isAtWork))
    if (fim !== 'em-processamento') return fim
    isHeard = true
    await sessao.tempo.pause()
  }
}

async function poll({ sessao, cnpj, now, anotar }: Emissao): Promise<FimNoPortal | 'em-processamento'> {
  const pagina = await sessao.post('/Emissao', bodyOf(cnpj), { unica: true })
  const resposta = readResposta(pagina, 'statusEmissao', 'sem-token')
  if (resposta.status === EM_PROCESSAMENTO) return 'em-processamento'
  if (resposta.status === 'Sucesso') {
    await anotar({})
    return { certidao: await readCertidao(resposta, cnpj, now()) }
  }
  try {
    const dita = recusaDita(resposta, cnpj)
    if (dita === 'em-processamento') return dita
    await anotar({})
    return { recusa: dita }
  } catch (error) {
    if (NEGADAS.has(resposta.status)) await anotar({})
    throw error
  }
}

const EM_PROCESSAMENTO = 'EmProcessamento'

/** The statuses of an issuance that ended without a certificate. */
const NEGADAS = new Set(['SemDireitoCertidao', 'NaoEmitida'])

/**
 * Tells what a failed poll means for the issuance. One that the server refused at the first question never
 * began; one that it may have begun stays noted.
 */
async function readFailure(error: unknown, { sessao, anotar }: Emissao, isAtWork: boolean) {
  if (!(error instanceof SourceError)) throw error
  const isGone = error.codigo === 'sessao-expirada' || isRefused(error)
  if (isGone && isAtWork) {
    await anotar({ cookies: '' })
    return 'sessao-perdida' as const
  }
  if (isGone || (!isAtWork && error.codigo === 'indisponivel')) await anotar({})
  throw error.kind === 'timeout' ? sessao.tempo.processando() : error
}

const isRefused = ({ status = 0, kind }: SourceError): boolean =>
  kind === 'http' && status >= 400 && status < 500 && status !== 429

function readCertidao(resposta: RespostaDaApi, cnpj: string, now: Date): Promise<CertidaoFederal> {
  const { valor, mensagem, elapsedMs } = resposta
  const pdf = valor('pdf')
  if (typeof pdf !== 'string' || pdf === '') throw fail('emitida', { mensagem, elapsedMs })
  const numero = valor('numeroCertidao')
  // Nobody showed this number. It is compared only where it has the form of a control code.
  const codigo = typeof numero === 'string' && CODIGO.test(numero.trim()) ? numero : undefined
  return lerEntregue({ pdf, codigo, validade: valor('dataValidade') }, { cnpj, source, elapsedMs, now })
}

const CODIGO = /^[0-9A-F]{4}(?:\.?[0-9A-F]{4}){3}$/i
