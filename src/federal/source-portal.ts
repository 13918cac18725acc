import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { diaDe } from '../documento/dia.ts'
import { fold } from '../platform/texto.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Anotacao } from '../platform/wire/leituras.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import { type CertidaoFederal, type EspecieFederal, hasSobra, type RecusaFederal } from './rules.ts'
import {
  type AndamentoFederal,
  diasDe,
  fontesDaCertidao,
  isDesde,
  type MeiosFederais,
  openTempo,
  type PerguntaFederal,
  type RespostaFederal,
  type RotaFederal,
  readEntregue,
  type Tempo,
} from './source.ts'
import {
  fail,
  openSessao,
  type RespostaDaApi,
  readResposta,
  recusaDita,
  type Sessao,
  withCaptcha,
} from './source-sessao.ts'

const { source: sourceDaLista } = fontesDaCertidao.portal

type CertidaoListada = { id: string; emissao: string; validade: string; linha: Static<typeof Linha> }

const Linha = Type.Object({
  idCertidao: Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Number()]),
  hasSegundaVia: Type.Boolean(),
  numeroControle: Type.Optional(Type.Unknown()),
  tipoCertidao: Type.Optional(Type.Unknown()),
  dataEmissao: Type.String({ maxLength: 40 }),
  dataValidade: Type.String({ maxLength: 40 }),
  situacao: Type.String({ maxLength: 100 }),
})

/** The page says "more than 300" beyond that. A longer list is none. */
const Lista = Type.Array(Linha, { maxItems: 1_000 })

const Id = Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Number()])

/** Those of the last year, the farthest end first; or what the portal said in place of a list. */
async function listCertidoes(
  sessao: Sessao,
  cnpj: string,
  now: Date,
): Promise<CertidaoListada[] | RecusaFederal> {
  const quem = { ni: cnpj, tipoContribuinte: 'PJ' }
  const validada = await withCaptcha(sessao, async (token) =>
    readResposta(await sessao.post('/consulta/validar-contribuinte', quem, { token }), 'status', 'com-token'),
  )
  if (validada.status !== 'Sucesso') return refuse(validada, cnpj)
  const idConsulta = validada.valor('idConsulta')
  if (!Check(Id, idConsulta)) throw sessao.failure('parse', 'mudou: falta o número da consulta')
  const periodo = { periodoInicio: diaDe(yearBefore(now).getTime()), periodoFim: diaDe(now.getTime()) }
  const achada = readResposta(
    await sessao.post('/consulta', { ...quem, tipoPesquisa: 'DATA_EMISSAO', ...periodo, idConsulta }),
    'statusConsulta',
    'sem-token',
  )
  if (achada.status === 'CertidaoNaoEncontrada') return []
  if (achada.status !== 'Sucesso' && achada.status !== 'SucessoMais300') return refuse(achada, cnpj)
  const lista = achada.valor('certidoes')
  if (!Check(Lista, lista)) throw sessao.failure('parse', 'mudou: a lista de certidões não se entende')
  return lista
    .filter(({ situacao, hasSegundaVia }) => hasSegundaVia && fold(situacao.trim()) === 'VALIDA')
    .map((linha) => toListada(linha, sessao))
    .toSorted((a, b) => b.validade.localeCompare(a.validade) || b.emissao.localeCompare(a.emissao))
}

async function getSegundaVia(
  sessao: Sessao,
  { id, linha }: CertidaoListada,
  cnpj: string,
  now: Date,
): Promise<CertidaoFederal> {
  const pagina = await sessao.get(`/consulta/seg-via/${encodeURIComponent(id)}`)
  const resposta = readResposta(pagina, 'status', 'sem-token')
  const pdf = resposta.valor('pdf')
  // Nobody showed which words its status has, so the paper decides.
  if (typeof pdf !== 'string' || pdf === '') throw fail('nao-entendido', resposta)
  return readEntregue(
    {
      pdf,
      especie: especieOf(linha.tipoCertidao),
      codigo: linha.numeroControle,
      emissao: linha.dataEmissao,
      validade: linha.dataValidade,
    },
    { cnpj, source: sourceDaLista, elapsedMs: sessao.tempo.elapsedMs(), now },
  )
}

/** The page's own period: the last year. A certificate is valid for 180 days. */
const yearBefore = (now: Date): Date => new Date(now.getTime() - 365 * 24 * 60 * 60 * 1000)

function toListada(linha: Static<typeof Linha>, { failure }: Sessao): CertidaoListada {
  const { idCertidao, dataEmissao, dataValidade } = linha
  const [emissao] = diasDe(dataEmissao.trim())
  const [validade] = diasDe(dataValidade.trim())
  if (!emissao || !validade)
    throw failure('parse', 'mudou: a lista de certidões traz uma data que não se entende')
  return { id: String(idCertidao), emissao, validade, linha }
}

function refuse(resposta: RespostaDaApi, cnpj: string): RecusaFederal {
  const dita = recusaDita(resposta, cnpj)
  if (dita === 'em-processamento') throw fail('processando', resposta)
  return dita
}

/** The kind in a row's `tipoCertidao`, of which only "Negativa" was shown. Undefined if there is none. */
function especieOf(tipo: unknown): EspecieFederal | 'outra' | undefined {
  if (tipo === undefined || tipo === null || tipo === '') return undefined
  const words = typeof tipo === 'string' ? fold(tipo.slice(0, 200)) : ''
  if (/POSITIVA COM EFEITOS? DE NEGATIVA/.test(words)) return 'positiva_com_efeitos_de_negativa'
  if (/NEGATIVA/.test(words)) return /POSITIVA/.test(words) ? 'outra' : 'negativa'
  return /POSITIVA/.test(words) ? 'positiva' : 'outra'
}

const { source: sourceDaEmissao } = fontesDaCertidao.portal

type FimNoPortal =
  | { certidao: CertidaoFederal }
  | { recusa: RecusaFederal }
  /** Its session is over, so its end is not known. */
  | 'sessao-perdida'

type Emissao = {
  sessao: Sessao
  cnpj: string
  now: () => Date
  noteStep: (nota: Pick<AndamentoFederal, 'cookies' | 'chave'>) => Promise<void>
}

const bodyOf = (cnpj: string): object => ({ ni: cnpj, tipoContribuinte: 'PJ', tipoContribuinteEnum: 'CNPJ' })

/** Asks for the leave to issue, and gives the refusal of it. "Emitida" says that another one is valid. */
async function askLeave({ sessao, cnpj }: Emissao): Promise<RecusaFederal | undefined> {
  const resposta = await withCaptcha(sessao, async (token) =>
    readResposta(await sessao.post('/Emissao/verificar', bodyOf(cnpj), { token }), 'status', 'com-token'),
  )
  if (resposta.status === 'ContinuarEmissao' || resposta.status === 'Emitida') return undefined
  const dita = recusaDita(resposta, cnpj)
  return dita === 'em-processamento' ? undefined : dita
}

/** `enviada`: an earlier run sent the question; `ouvida`: it was answered. */
async function pollUntilEnd(
  emissao: Emissao,
  { enviada = false, ouvida = false } = {},
): Promise<FimNoPortal> {
  const { sessao, noteStep } = emissao
  let [noted, isHeard] = ['', ouvida]
  // The earlier run may have asked a moment ago.
  if (enviada) await sessao.tempo.pause()
  for (let isAtWork = enviada; ; isAtWork = true) {
    const nota = { cookies: sessao.cookies(), ...(isHeard && { chave: EM_PROCESSAMENTO }) }
    // The session may change with each answer.
    if (JSON.stringify(nota) !== noted) await noteStep(nota)
    noted = JSON.stringify(nota)
    const fim = await poll(emissao).catch((error) => readFailure(error, emissao, isAtWork))
    if (fim !== 'em-processamento') return fim
    isHeard = true
    await sessao.tempo.pause()
  }
}

async function poll({ sessao, cnpj, now, noteStep }: Emissao): Promise<FimNoPortal | 'em-processamento'> {
  const pagina = await sessao.post('/Emissao', bodyOf(cnpj), { unica: true })
  const resposta = readResposta(pagina, 'statusEmissao', 'sem-token')
  if (resposta.status === EM_PROCESSAMENTO) return 'em-processamento'
  if (resposta.status === 'Sucesso') {
    await noteStep({})
    return { certidao: await readCertidao(resposta, cnpj, now()) }
  }
  try {
    const dita = recusaDita(resposta, cnpj)
    if (dita === 'em-processamento') return dita
    await noteStep({})
    return { recusa: dita }
  } catch (error) {
    if (NEGADAS.has(resposta.status)) await noteStep({})
    throw error
  }
}

const EM_PROCESSAMENTO = 'EmProcessamento'

const NEGADAS = new Set(['SemDireitoCertidao', 'NaoEmitida'])

/** One that the server refused at the first question never began; one that it may have begun stays noted. */
async function readFailure(error: unknown, { sessao, noteStep }: Emissao, isAtWork: boolean) {
  if (!(error instanceof SourceError)) throw error
  const isGone = error.codigo === 'sessao-expirada' || isRefused(error)
  if (isGone && isAtWork) {
    await noteStep({ cookies: '' })
    return 'sessao-perdida' as const
  }
  if (isGone || (!isAtWork && error.codigo === 'indisponivel')) await noteStep({})
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
  return readEntregue(
    { pdf, codigo, validade: valor('dataValidade') },
    { cnpj, source: sourceDaEmissao, elapsedMs, now },
  )
}

const CODIGO = /^[0-9A-F]{4}(?:\.?[0-9A-F]{4}){3}$/i

const { source, captcha } = fontesDaCertidao.portal

export const semCaptcha = (solver: Pick<CaptchaSolver, 'takes'>): string =>
  solver.takes('BR', captcha.tipo)
    ? ''
    : `${source.nome} pede um captcha (${captcha.tipo}) a cada consulta, e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS).`

/** The API of the public page. Open clients mapped the six calls from July to September 2026. */
export const rotaPortal: RotaFederal = {
  id: 'portal',
  source,
  issuesNova: true,
  ask: async (pergunta, meios) => {
    const { guard, deadlineMs, request_id } = meios
    const falta = semCaptcha(meios.captcha)
    if (falta) throw new RotaNaoAtende(falta, { codigo: 'captcha' })
    return guard({ source, deadlineMs, request_id }, async (leftMs, note) => {
      const tempo = openTempo({ ...meios, source, deadlineMs: leftMs })
      const resposta = await converse({ pergunta, meios, tempo })
      note(vaziaOf(resposta))
      return resposta
    })
  },
}

const vaziaOf = (resposta: RespostaFederal): Anotacao => ({
  vazia: resposta.tipo === 'recusa' && resposta.recusa.status === 'positiva',
})

/** An issuance whose session died is taken for unfinished so long. After that a new one is begun. */
const TRABALHA_MS = 15 * 60_000
/** Seconds between two looks for its certificate. Each costs a captcha. */
const PROCURA_S = 20

type Tentativa = { pergunta: PerguntaFederal; meios: MeiosFederais; tempo: Tempo }

async function converse(tentativa: Tentativa): Promise<RespostaFederal> {
  const { andamento } = tentativa.meios
  const { desde = '', cookies, chave } = andamento?.rota === 'portal' ? andamento : {}
  if (!cookies) return lookFor(tentativa, desde, cookies !== undefined)
  const ouvida = chave !== undefined
  // The answer to the question was never heard. If it was the certificate, asking again would issue another.
  const achado = ouvida ? undefined : await listSince(tentativa, desde)
  if (achado && 'tipo' in achado) return achado
  const sessao = openSessao(tentativa.meios, tentativa.tempo, cookies)
  const fim = await pollUntilEnd(emissaoOf(tentativa, sessao, desde), { enviada: true, ouvida })
  return fim === 'sessao-perdida' ? lookFor(tentativa, desde, true) : respostaOf(fim)
}

type Achado = RespostaFederal | { sessao: Sessao; valida: CertidaoListada | undefined }

/** Lists the certificates. One issued since `desde` is ours, and is the answer; so is a refusal. */
async function listSince(tentativa: Tentativa, desde: string): Promise<Achado> {
  const { pergunta, meios, tempo } = tentativa
  const sessao = openSessao(meios, tempo)
  const listadas = await listCertidoes(sessao, pergunta.cnpj, meios.now())
  if ('dizeres' in listadas) return { tipo: 'recusa', recusa: listadas }
  const ours = listadas.find(({ emissao }) => isDesde(emissao, desde))
  return ours ? deliver(tentativa, sessao, ours, true) : { sessao, valida: listadas[0] }
}

async function deliver(
  { pergunta, meios }: Tentativa,
  sessao: Sessao,
  listada: CertidaoListada,
  emitida: boolean,
): Promise<RespostaFederal> {
  const certidao = await getSegundaVia(sessao, listada, pergunta.cnpj, meios.now())
  return { tipo: 'certidao', certidao, emitida }
}

/** `perdida`: an issuance may be at work whose session is over, and no other is begun meanwhile. */
async function lookFor(tentativa: Tentativa, desde: string, perdida: boolean): Promise<RespostaFederal> {
  const { pergunta, meios, tempo } = tentativa
  const achado = await listSince(tentativa, desde)
  if ('tipo' in achado) return achado
  const { sessao, valida } = achado
  const now = meios.now()
  if (perdida && now.getTime() - Date.parse(desde) < TRABALHA_MS) {
    await tempo.pause(PROCURA_S)
    return lookFor(tentativa, desde, true)
  }
  if (valida && pergunta.emitir !== 'sempre' && hasSobra(valida.validade, now))
    return deliver(tentativa, sessao, valida, false)
  const emissao = emissaoOf(tentativa, sessao, now.toISOString())
  const recusa = await askLeave(emissao)
  if (recusa) return { tipo: 'recusa', recusa }
  const fim = await pollUntilEnd(emissao)
  return fim === 'sessao-perdida' ? lookFor(tentativa, now.toISOString(), true) : respostaOf(fim)
}

const emissaoOf = ({ pergunta, meios }: Tentativa, sessao: Sessao, desde: string): Emissao => ({
  sessao,
  cnpj: pergunta.cnpj,
  now: meios.now,
  noteStep: (nota) => meios.noteAndamento({ rota: 'portal', desde, ...nota }),
})

const respostaOf = (fim: Exclude<FimNoPortal, 'sessao-perdida'>): RespostaFederal =>
  'recusa' in fim
    ? { tipo: 'recusa', recusa: fim.recusa }
    : { tipo: 'certidao', certidao: fim.certidao, emitida: true }
