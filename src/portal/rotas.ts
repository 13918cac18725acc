import { diaDe } from '../documento/dia.ts'
import { inscricaoProblem } from '../documento/inscricao-estadual.ts'
import type { Ambito, Uf } from '../documento/uf.ts'
import type { Platform } from '../platform/platform.ts'
import { enumerate, fold } from '../platform/texto.ts'
import { RotaNaoAtende, type Source, SourceError } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { CaptchaSolver } from './captcha.ts'
import {
  type Espera,
  type Meios,
  opensInS,
  type ParteDaCertidao,
  type Pergunta,
  type Relato,
  type Rota,
} from './estado.ts'
import { normalize } from './pagina.ts'
import type { Certidao } from './rules-certidao.ts'
import { type Inscricao, isSituacao } from './rules-inscricao.ts'

const DATA =
  /^(?:\d{4}(?:-\d{2}){0,2}|\d{1,2}\/\d{1,2}\/\d{2,4}|-+|N\/?[ACDI]|(?:NAO|SEM|NENHUM|INDETERMINAD)[A-Z ]*)$/

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)

const isNumber = (text: string): boolean => /^[\d./ -]{7,}$/.test(text)

const isWords = (text: string): boolean => hasWord(text) && !isSituacao(text)

const formas: readonly (readonly [keyof Inscricao, (text: string) => boolean])[] = [
  ['inscricao_estadual', (text) => /^P?\d{7,14}$/.test(text)],
  ['razao_social', isWords],
  ['municipio', (text) => isWords(text) && !/\d{4}/.test(text)],
  ['logradouro', (text) => !isNumber(text) && !isSituacao(text)],
  ['bairro', (text) => !isNumber(text) && !isSituacao(text)],
  ['cep', (text) => /^\d{8}$/.test(text)],
  ['cnae_codigo', (text) => /^\d{4,7}$/.test(text)],
  ['data_inicio_atividade', (text) => DATA.test(fold(text))],
  ['data_situacao', (text) => DATA.test(fold(text))],
]

/** A field with an impossible value, such as a date for a number: the page's columns changed places. */
export function foraDeForma(inscricao: Inscricao, uf: Uf): keyof Inscricao | undefined {
  for (const [campo, isInForm] of formas)
    if (inscricao[campo] !== '' && !isInForm(inscricao[campo])) return campo
  return isOutro(inscricao, uf) ? 'inscricao_estadual' : undefined
}

/** Whether a number cannot be the registration: the state's check digits show a document or a postal code. */
function isOutro({ inscricao_estadual, cpf_cnpj, cep }: Inscricao, uf: Uf): boolean {
  if (inscricao_estadual === cpf_cnpj.replace(/\D/g, '')) return true
  const isIe = (text: string): boolean => inscricaoProblem(uf, text) === undefined
  return cep !== '' && isIe(cep) && !isIe(inscricao_estadual)
}

export type RespostaDoEstado = Inscricao[] | Certidao

type Ouvido = { pagina?: () => string; papel?: () => string; campos?: readonly (keyof Inscricao)[] }

const isVazia = (answer: RespostaDoEstado): boolean =>
  Array.isArray(answer)
    ? answer.length === 0
    : answer.status === 'nao_contribuinte' || answer.status === 'sem_certidao'

function openRelato(note: (novos: readonly string[]) => void): { relato: Relato; ouvido: Ouvido } {
  const ouvido: Ouvido = {}
  const relato: Relato = {
    rotulos: note,
    campos: (campos) => {
      ouvido.campos = ouvido.campos ? ouvido.campos.filter((campo) => campos.includes(campo)) : campos
    },
    pagina: (words) => {
      ouvido.pagina = words
    },
    papel: (words) => {
      ouvido.papel = words
    },
  }
  return { relato, ouvido }
}

function faltaNaResposta(
  answer: RespostaDoEstado,
  { pagina, papel }: Ouvido,
  { uf, espera }: { uf: Uf; espera?: Espera },
): string | undefined {
  if (Array.isArray(answer) && answer.length > 0)
    return faltaNosCampos(answer, espera) ?? erroDeForma(answer, uf) ?? faltaNoTexto(pagina, espera)
  if (Array.isArray(answer)) return faltaNaVazia(pagina, espera)
  if (!isPapel(answer)) return faltaNaVazia(pagina, espera)
  const words = answer.pdf_base64 ? papel : pagina
  return faltaNoTitulo(words, espera) ?? faltaNoTexto(words, espera)
}

/** For the client: what could not be read though the route always shows it. */
function avisosDaLeitura(answer: RespostaDoEstado, { campos }: Ouvido, { source, espera }: Rota): string[] {
  if (Array.isArray(answer)) return avisosDaPagina(answer, campos, source, espera?.rotulos ?? [])
  if (!isPapel(answer)) return []
  const missing = (espera?.partes ?? []).filter((parte) => answer[parte] === '')
  if (missing.length === 0) return []
  const named = enumerate(missing.map((parte) => `${nomes[parte]} (${parte})`))
  const verb = missing.length === 1 ? 'se leu' : 'se leram'
  return [`Não ${verb} na certidão ${named}, que ${source.nome} costuma imprimir: confira no papel.`]
}

function avisosDaPagina(
  found: readonly Inscricao[],
  shown: readonly (keyof Inscricao)[] | undefined,
  { nome }: Source,
  rotulos: readonly (keyof Inscricao)[],
): string[] {
  if (!shown) return []
  const missing = rotulos.filter(
    (campo) => !shown.includes(campo) && found.some((inscricao) => inscricao[campo] === ''),
  )
  if (missing.length === 0) return []
  const [verb, noun] = missing.length === 1 ? ['se leu', 'o campo'] : ['se leram', 'os campos']
  return [
    `${nome} mudou a página: não ${verb} nela ${noun} ${enumerate(missing)}, que ela costuma mostrar. Os outros campos foram lidos.`,
  ]
}

const nomes: Readonly<Record<ParteDaCertidao, string>> = {
  protocolo: 'o número',
  emissao: 'a data de emissão',
  validade: 'a validade',
  codigo_autenticacao: 'o código de autenticação',
}

function faltaNosCampos(found: readonly Inscricao[], espera: Espera | undefined): string | undefined {
  const campos = new Set<keyof Inscricao>(['situacao_ie', ...(espera?.campos ?? [])])
  const missing = [...campos].find((campo) => found.some((inscricao) => inscricao[campo] === ''))
  return missing && `falta o campo ${missing}`
}

function erroDeForma(found: readonly Inscricao[], uf: Uf): string | undefined {
  const [campo] = found.flatMap((inscricao) => foraDeForma(inscricao, uf) ?? [])
  return campo && `o que mostra como ${campo} não é isso`
}

/** Says that a certificate had ended before it came, by the day in Brasília: the state showed an old one. */
function faltaDePrazo(answer: RespostaDoEstado, now: Date): string | undefined {
  if (Array.isArray(answer) || answer.validade === '') return undefined
  return answer.validade < diaDe(now.getTime()) ? 'a certidão não vale mais' : undefined
}

const isPapel = ({ pdf_base64, impressao_base64 = '' }: Certidao): boolean =>
  pdf_base64 !== '' || impressao_base64 !== ''

/** A note names another certificate by an article: "a válida é a Certidão de Regularidade" (PE). */
const emNota = /\b(?:A|AS|DA|DAS|NA|UMA|OUTRA|PELA) $/

/** A paper that does not give itself the name asked for is another one. A PDF loses spaces. */
function faltaNoTitulo(words: (() => string) | undefined, espera: Espera | undefined): string | undefined {
  if (!espera?.titulo) return undefined
  const text = words?.() ?? ''
  const found = [...text.matchAll(new RegExp(espera.titulo.source.replaceAll(' ', ' ?'), 'g'))]
  const isNamed = found.some(({ index }) => !emNota.test(text.slice(Math.max(0, index - 10), index)))
  return isNamed ? undefined : 'o papel não tem o nome da certidão pedida'
}

function faltaNoTexto(words: (() => string) | undefined, espera: Espera | undefined): string | undefined {
  if (!espera) return undefined
  const text = words?.() ?? ''
  if (!text.includes(normalize(espera.marca))) return `falta "${espera.marca}"`
  return text.length < espera.minimo
    ? `tem ${text.length} caracteres de ao menos ${espera.minimo}`
    : undefined
}

const faltaNaVazia = (words: (() => string) | undefined, espera: Espera | undefined): string | undefined =>
  espera?.vazia === undefined ? undefined : faltaNoTexto(words, { marca: espera.vazia, minimo: 0 })

/** What the routes of a state are asked with. */
export type Consulta = { uf: Uf; meios: Meios; guard: Guard; request_id: string }

export function consultaOf(
  room: Platform & { captcha: CaptchaSolver },
  { uf, request_id, deadlineMs }: { uf: Uf; request_id: string; deadlineMs: number },
): Consulta {
  const { now, config, http, captcha, certificado, guard } = room
  const meios = { http, certificado, captcha, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs }
  return { uf, meios, guard, request_id }
}

/** An answer with the id of the source that gave it, as `/api/v1/fontes` has it, and notices about it. */
export type Respondido<R> = { fonte: string; resposta: R; avisos: string[] }

type RotaPerguntada<P, R> = Rota & { ask: (pergunta: P, meios: Meios) => Promise<R> }

/** The share of the time that the first route gets if another one can replace it. */
const FIRST_SHARE = 0.6

/**
 * Tries the routes in order; the next replaces one that does not take the question, or, if it needs no
 * captcha, one that is out of reach. If none answers, throws a failure: of an authority rather than
 * RotaNaoAtende, then one that may pass, then the first.
 */
export async function askRotas<P extends Pergunta, R extends RespostaDoEstado>(
  rotas: readonly RotaPerguntada<P, R>[],
  pergunta: P,
  consulta: Consulta,
): Promise<Respondido<R>> {
  const ends = performance.now() + consulta.meios.deadlineMs
  const failures: unknown[] = []
  for (const [at, rota] of rotas.entries()) {
    const why = whyNot(rota, pergunta, consulta)
    if (why) failures.push(new RotaNaoAtende(why))
    else if (at === 0 || mayReplace(rota, failures[0])) {
      const leftMs = ends - performance.now()
      const others = rotas
        .slice(at + 1)
        .some((other) => !asksAlways(other) && !whyNot(other, pergunta, consulta))
      try {
        return await askOne(rota, pergunta, consulta, others ? leftMs * FIRST_SHARE : leftMs)
      } catch (error) {
        failures.push(error)
        if (!isReplaceable(error)) break
      }
    }
  }
  const ofAuthorities = failures.filter((error) => !(error instanceof RotaNaoAtende))
  const told = ofAuthorities.length > 0 ? ofAuthorities : failures
  throw told.find(mayPass) ?? told[0]
}

const mayPass = (error: unknown): boolean =>
  (error instanceof SourceError || error instanceof RotaNaoAtende) && error.retryS !== null

/** Throws SourceError `parse` if the answer lacks what the route always gives. */
function askOne<P extends Pergunta, R extends RespostaDoEstado>(
  rota: RotaPerguntada<P, R>,
  pergunta: P,
  { uf, guard, request_id, meios }: Consulta,
  deadlineMs: number,
): Promise<Respondido<R>> {
  const { source, paceMs, espera } = rota
  return guard({ source, deadlineMs, request_id, paceMs }, async (leftMs, note) => {
    const started = performance.now()
    const { relato, ouvido } = openRelato((rotulos) => note({ rotulos }))
    const asked = rota.ask(pergunta, { ...meios, deadlineMs: leftMs, relato })
    const answer = await asked.catch((error) => throwUntilOpen(error, rota, meios.now()))
    const falta =
      faltaNaResposta(answer, ouvido, { uf, ...(espera && { espera }) }) ?? faltaDePrazo(answer, meios.now())
    if (!falta) {
      const avisos = avisosDaLeitura(answer, ouvido, rota)
      note({ vazia: isVazia(answer), incompleta: avisos.length > 0 })
      return { fonte: source.id, resposta: answer, avisos }
    }
    const elapsedMs = Math.round(performance.now() - started)
    throw new SourceError('parse', `${source.nome} mudou o que responde: ${falta}.`, {
      source: source.id,
      elapsedMs,
    })
  })
}

function throwUntilOpen(error: unknown, { horario }: Rota, now: Date): never {
  if (horario && error instanceof SourceError && error.codigo === 'fechado')
    error.retryS = opensInS(horario, now) ?? error.retryS
  throw error
}

const isReplaceable = (error: unknown): boolean =>
  error instanceof RotaNaoAtende || (error instanceof SourceError && error.unavailable)

/** Whether a route may replace the first one. After a failure, only a route without a captcha may. */
const mayReplace = (rota: Rota, failed: unknown): boolean =>
  failed instanceof RotaNaoAtende || !asksAlways(rota)

function whyNot(
  rota: Rota,
  { tipo }: Pergunta,
  { uf, meios }: Pick<Consulta, 'uf' | 'meios'>,
): string | undefined {
  const { source, url, aceita, captcha } = rota
  if (!aceita.includes(tipo))
    return `${source.nome} não oferece consulta por ${words[tipo]}. Consulte por ${aceita.map((one) => words[one]).join(' ou ')}.`
  const situacao = disponibilidadeOf(rota, uf, { ...meios, certificado: meios.certificado !== undefined })
  if (situacao === 'protocolo-desconhecido') return semProtocolo(rota)
  if (situacao === 'sem-certificado')
    return `${source.nome} só responde a quem apresenta um certificado digital, e este serviço está sem o do operador (A1_FILE).`
  if (situacao === 'sem-solucao-de-captcha')
    return `${source.nome} pede um captcha (${captcha === 'nenhum' ? '' : captcha.tipo}) a cada consulta, e este serviço está sem quem o resolva em ${uf} (CAPTCHA_WEBHOOK_URL). Consulte na página dela (${url}).`
  return undefined
}

const words = { cpf: 'CPF', cnpj: 'CNPJ', ie: 'inscrição estadual' } as const

export const disponibilidades = [
  'disponivel',
  'desligada',
  'sem-certificado',
  'protocolo-desconhecido',
  'sem-solucao-de-captcha',
  'sem-contrato',
  'sem-conector',
  'sem-sessao',
] as const

export type Disponibilidade = (typeof disponibilidades)[number]

export type Capacidade = { certificado: boolean; captcha: Pick<CaptchaSolver, 'takes'> }

type RotaPedida = Pick<Rota, 'certeza' | 'certificado' | 'captcha'>

/** Says whether a route can be asked, whatever the document. */
export function disponibilidadeOf(
  rota: RotaPedida,
  uf: Ambito,
  { certificado, captcha }: Capacidade,
): Disponibilidade {
  if (rota.certeza === 'desconhecido') return 'protocolo-desconhecido'
  if (rota.certificado && !certificado) return 'sem-certificado'
  if (asksAlways(rota) && !solvesCaptcha(rota, uf, captcha)) return 'sem-solucao-de-captcha'
  return 'disponivel'
}

export const semProtocolo = ({ source, url }: Pick<Rota, 'source' | 'url'>): string =>
  `${source.nome} não publica como se consulta por programa. Consulte na página dela (${url}).`

export const asksAlways = ({ captcha }: Pick<RotaPedida, 'captcha'>): boolean =>
  captcha !== 'nenhum' && captcha.quando === 'sempre'

/** A proof of work needs no solver. */
export const solvesCaptcha = (
  { captcha }: Pick<RotaPedida, 'captcha'>,
  uf: Ambito,
  solver: Capacidade['captcha'],
): boolean => captcha === 'nenhum' || captcha.tipo === 'altcha' || solver.takes(uf, captcha.tipo)
