import type { RegistroCnpj } from '../cnpj/base/registro.ts'
import { findBase } from '../cnpj/lookup.ts'
import { maskDocumento, type TipoDocumento } from '../documento/documento.ts'
import { inscricaoProblem, normalizeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import { findInscricoes } from '../inscricao/lookup.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Pergunta } from '../portal/estado.ts'
import { isMunicipio, municipioDoIbge } from '../portal/inscricao.ts'
import type { RejeicoesRoom } from './rejeicoes.ts'
import {
  decideByCadastros,
  inscricaoDaParte,
  mayLackIe,
  type RegistroDaParte,
  type RespostaDoCadastro,
} from './rules-cadastro.ts'
import {
  decideByListaFederal,
  type EstabelecimentoNaBase,
  type RetratoDaBase,
} from './rules-lista-federal.ts'
import { type DecisaoDoCadastro, hasIe, type ParteDaNota, type PartesDaNota } from './rules-partes.ts'
import { addTempo } from './verificacoes/valores.ts'

function retratoDaBase(room: RejeicoesRoom): RetratoDaBase | undefined {
  const base = findBase(room)
  if (!base) return undefined
  const { versao, token, amostra, simples } = base.manifesto
  return {
    mes: versao,
    ...diasDe(versao, token),
    parcial: amostra,
    comOpcoes: simples > 0,
    find: (cnpj) => {
      const registro = base.find(cnpj)
      return registro && estabelecimentoDe(registro)
    },
  }
}

/** The day of the token, such as `D61010`; any day of the month where there is none of that month. */
function diasDe(mes: string, token: string): { de: string; ate: string } {
  const [, doMes, dia] = /^D\d(\d{2})(\d{2})$/.exec(token) ?? []
  if (doMes === mes.slice(5) && dia) return { de: `${mes}-${dia}`, ate: `${mes}-${dia}` }
  const de = `${mes}-01`
  return { de, ate: addTempo(addTempo(de, 1, 'meses') ?? de, -1, 'dias') ?? de }
}

const estabelecimentoDe = ({ result, outros }: RegistroCnpj): EstabelecimentoNaBase => ({
  situacao: outros.situacao.codigo,
  data_situacao: result.data_situacao_cadastral,
  data_abertura: outros.data_abertura,
  uf: result.endereco.uf,
  opcoes: outros.simples && outros.mei && { simples: outros.simples, mei: outros.mei },
})

type ConsultaFeita = {
  consulta: '/api/consultar'
  uf: Uf
  /** What the register was asked by, and its value, masked. */
  documento_tipo: TipoDocumento
  documento: string
  creditos: number
  cached: boolean
  /** ISO 8601 UTC; empty if it failed. */
  consultado_em: string
  fonte: string
  erro: string
}

export type CadastrosDaNota = {
  creditos: number
  consultas: ConsultaFeita[]
  /** The month of the CNPJ base that was read, AAAA-MM; empty if none was. */
  base_cnpj: string
  decisoes: DecisaoDoCadastro[]
}

export const semCadastros: CadastrosDaNota = { creditos: 0, consultas: [], base_cnpj: '', decisoes: [] }

/** The questions that one party may need: by its document, then by its number if that leaves it open. */
type Plano = { parte: ParteDaNota; porDocumento: Question | undefined; porIe: Question | undefined }
type Question = { uf: Uf; pergunta: Pergunta }

function planoDe(nota: PartesDaNota, parte: ParteDaNota): Plano {
  const { uf, ie, documento } = parte
  const maySkip = parte.grupo === 'dest' ? documento?.tipo === 'cnpj' : mayLackIe(nota)
  const isNeeded = hasIe(parte) || maySkip
  if (!uf || !isNeeded) return { parte, porDocumento: undefined, porIe: undefined }
  const isValid = hasIe(parte) && inscricaoProblem(uf, ie) === undefined
  return {
    parte,
    porDocumento: documento && { uf, pergunta: documento },
    porIe: isValid ? { uf, pergunta: { tipo: 'ie', documento: normalizeInscricao(uf, ie) } } : undefined,
  }
}

/** The parties whose registers are asked: of model 65 the issuer alone. */
const planosDe = (nota: PartesDaNota): Plano[] => {
  const { modelo, emitente, destinatario } = nota
  return [emitente, ...(modelo === '55' && destinatario ? [destinatario] : [])].map((parte) =>
    planoDe(nota, parte),
  )
}

/** The same of two parties that are one taxpayer, as of an issuer who takes its own goods back. */
const nomeDe = ({ uf, pergunta: { tipo, documento } }: Question): string => `${uf} ${tipo} ${documento}`

/** The most credits that the registers of a note can cost: one a lookup, and none is made twice. */
export const maximoDosCadastros = (partes: PartesDaNota): number => {
  const questions = planosDe(partes).flatMap(({ porDocumento, porIe }) => [porDocumento ?? [], porIe ?? []])
  return new Set(questions.flat().map(nomeDe)).size
}

type Chamada = { request_id: string; leaving: () => AbortSignal }

/** Why there is no answer; `again` tells whether the same state may answer another question. */
type SemResposta = { falta: string; again: boolean }

const ALEM =
  'A consulta que decide isto não foi feita: passaria de maximo_creditos. Aumente-o, ou deixe-o de fora.'

/**
 * Makes at most `maximo` lookups; one that fails leaves its rules undecided. Throws the reason of `leaving`.
 */
export async function askCadastros(
  room: RejeicoesRoom,
  partes: PartesDaNota,
  { maximo, ...chamada }: Chamada & { maximo: number },
): Promise<CadastrosDaNota> {
  const consultas: ConsultaFeita[] = []
  const asked = new Map<string, Promise<RespostaDoCadastro | SemResposta>>()
  const ask = (question: Question): Promise<RespostaDoCadastro | SemResposta> => {
    const nome = nomeDe(question)
    const known = asked.get(nome)
    if (known) return known
    if (asked.size === maximo) return Promise.resolve({ falta: ALEM, again: false })
    const made = askCadastro(room, question, chamada, consultas)
    asked.set(nome, made)
    return made
  }
  const planos = planosDe(partes)
  const byDocument = await Promise.all(
    planos.map(async ({ porDocumento }) => porDocumento && ask(porDocumento)),
  )
  chamada.leaving().throwIfAborted()
  const registros = await Promise.all(
    planos.map(async ({ parte, porIe }, at) => {
      const first = registroOf(byDocument[at], undefined)
      const isOpen = hasIe(parte) && !inscricaoDaParte(parte, first)
      const may = isOpen && porIe && mayAskAgain(byDocument[at])
      return may ? registroOf(byDocument[at], await ask(porIe)) : first
    }),
  )
  const [emitente = vazio, destinatario = vazio] = registros
  const municipios = { doIbge: municipioDoIbge, existe: isMunicipio }
  const base = retratoDaBase(room)
  const decisoes = [
    ...decideByCadastros(partes, { emitente, destinatario, municipios }),
    ...decideByListaFederal(partes, base),
  ]
  return {
    creditos: consultas.reduce((sum, { creditos }) => sum + creditos, 0),
    consultas,
    base_cnpj: base?.mes ?? '',
    decisoes: decisoes.sort((a, b) => a.codigo - b.codigo),
  }
}

const vazio: RegistroDaParte = { porDocumento: undefined, porIe: undefined, falta: '' }

const mayAskAgain = (answer: RespostaDoCadastro | SemResposta | undefined): boolean =>
  !answer || 'inscricoes' in answer || answer.again

function registroOf(...answers: (RespostaDoCadastro | SemResposta | undefined)[]): RegistroDaParte {
  const [porDocumento, porIe] = answers.map((answer) =>
    answer && 'inscricoes' in answer ? answer : undefined,
  )
  const [falta = ''] = answers
    .flatMap((answer) => (answer && 'falta' in answer ? [answer.falta] : []))
    .reverse()
  return { porDocumento, porIe, falta }
}

async function askCadastro(
  room: RejeicoesRoom,
  { uf, pergunta }: Question,
  { request_id }: Chamada,
  consultas: ConsultaFeita[],
): Promise<RespostaDoCadastro | SemResposta> {
  const { tipo } = pergunta
  const feita = { consulta: '/api/consultar', uf, documento_tipo: tipo, documento: masked(pergunta) } as const
  // Its place is that of its question, whichever answers first.
  const at =
    consultas.push({ ...feita, creditos: 0, cached: false, consultado_em: '', fonte: '', erro: '' }) - 1
  try {
    const found = await findInscricoes(room, uf, pergunta, { request_id })
    const { inscricoes, cached, consultado_em, fonte } = found
    consultas[at] = { ...feita, creditos: 1, cached, consultado_em, fonte, erro: '' }
    return { inscricoes, consultado_em }
  } catch (error) {
    const known = statusOfFailure(error)
    if (!known) room.log.error({ err: error, uf, request_id }, 'unexpected failure in a register')
    const erro = known?.error_message ?? 'Ocorreu um erro inesperado no serviço ao consultar este estado.'
    consultas[at] = { ...feita, creditos: 0, cached: false, consultado_em: '', fonte: '', erro }
    return { falta: `O cadastro de ${uf} não respondeu: ${erro}`, again: error instanceof RotaNaoAtende }
  }
}

/** A registration keeps its last four characters. */
const masked = ({ tipo, documento }: Pergunta): string =>
  tipo === 'ie' ? documento.slice(-4).padStart(documento.length, '*') : maskDocumento(documento)
