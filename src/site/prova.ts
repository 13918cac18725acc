import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import { findCertidoesTodos } from '../certidao/lookup.ts'
import { findBase } from '../cnpj/lookup.ts'
import { cnpjProblem, cpfProblem, type Documento, semMascara } from '../documento/documento.ts'
import { ufs } from '../documento/uf.ts'
import { findInscricoesTodos } from '../inscricao/lookup.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import { openOnce } from '../platform/pages/por-palavra.ts'
import { readRoteiro } from '../platform/simulator.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import {
  type EstadoDaProva,
  estadoDaCertidao,
  estadoDaInscricao,
  type PerguntaDaProva,
} from './prova-estados.ts'

export type Pedida = { pergunta: PerguntaDaProva; documento: Documento }

/** What all states answered. `gravada` is the day on which it was recorded; undefined for one of now. */
export type ProvaDosEstados = Pedida & {
  /** Whose document it is; empty where no state knows it. */
  nome: string
  estados: readonly EstadoDaProva[]
  gravada: string | undefined
}

/** The questions that the page proposes, each by its name. The first is the one that it opens with. */
export const casos = {
  empresa: { rotulo: 'uma empresa', pergunta: 'inscricoes', documento: '99500138000702' },
  produtor: { rotulo: 'um produtor rural', pergunta: 'inscricoes', documento: '10758396104' },
  debitos: { rotulo: 'uma empresa com débitos', pergunta: 'certidoes', documento: '98765041000173' },
  fora: { rotulo: 'estados fora do ar', pergunta: 'inscricoes', documento: '98765055000197' },
} as const satisfies Record<string, { rotulo: string; pergunta: PerguntaDaProva; documento: string }>

export type NomeDoCaso = keyof typeof casos

export const isCaso = (nome: string): nome is NomeDoCaso => Object.hasOwn(casos, nome)

/** A CPF or a CNPJ as a person writes it, with its mask or without; or what is wrong with it. */
export function readDocumento(text: string): Documento | { falha: string } {
  const documento = semMascara(text)
  if (documento === '') return { falha: 'Escreva um CPF ou um CNPJ.' }
  const tipo = documento.length <= 11 ? 'cpf' : 'cnpj'
  const problem = tipo === 'cpf' ? cpfProblem(documento) : cnpjProblem(documento)
  if (problem === undefined) return { tipo, documento }
  const nome = tipo === 'cpf' ? 'CPF' : 'CNPJ'
  return { falha: `${nome}: ${problem}.` }
}

/** The tries that an address may make a minute, and all together. */
const DE_UM = 10
const DE_TODOS = 120

/** How many tries are at work at once, and how many wait. */
const FILA = { places: 4, waiting: 16, perOwner: 2 }
const ESPERA_MS = 5_000

/** An answer of the simulator serves whoever asks the same in this time, and a failure is not met twice. */
const GUARDADA_MS = 10 * 60_000
const GUARDADAS = 64

/** The try of the first page: its limits, and the work. */
type Provas = {
  limit: onRequestHookHandler
  /** Hands on each state as it answers. Throws an ApiError for a document that nobody plays. */
  prove: (
    pedida: Pedida,
    how: { request: FastifyRequest; reply: FastifyReply; onEstado?: (estado: EstadoDaProva) => void },
  ) => Promise<ProvaDosEstados>
  gravada: (nome: NomeDoCaso) => Promise<ProvaDosEstados>
}

/** A try on its way: who comes later is told what was answered before. */
type Corrida = {
  estados: EstadoDaProva[]
  ouvintes: Set<(estado: EstadoDaProva) => void>
  fim: Promise<ProvaDosEstados>
}

/**
 * A try is of the simulator alone, on the documents of its list, so that it is no way around the API. Live,
 * it is an answer that was recorded.
 */
export function openProvas(room: PainelRoom): Provas {
  const ficticios = openOnce(async () => documentosDe(await readRoteiro(room.simulador)))
  const gravadas = openOnce(readGravadas)
  const corridas = new LRUCache<string, Corrida>({ max: GUARDADAS, ttl: GUARDADA_MS })
  const fila = createQueue(FILA)
  const deUm = openAddressCount({ limit: DE_UM, now: room.now })
  const deTodos = openAddressCount({ limit: DE_TODOS, now: room.now })

  async function findGravada({
    pergunta,
    documento: { documento },
  }: Pedida): Promise<ProvaDosEstados | undefined> {
    const all = await gravadas()
    return all.find((one) => one.pergunta === pergunta && one.documento.documento === documento)
  }

  function start(pedida: Pedida, request_id: string): Corrida {
    const estados: EstadoDaProva[] = []
    const ouvintes: Corrida['ouvintes'] = new Set()
    const emit = (estado: EstadoDaProva): void => {
      estados.push(estado)
      for (const tell of ouvintes) tell(estado)
    }
    const fim = askTodos(room, pedida, { request_id, emit }).then(() => ({
      ...pedida,
      nome: nomeDe(room, pedida, estados),
      estados: naOrdem(estados),
      gravada: undefined,
    }))
    return { estados, ouvintes, fim }
  }

  const prove: Provas['prove'] = async (pedida, { request, reply, onEstado = () => undefined }) => {
    if (room.simulador === undefined) {
      const gravada = await findGravada(pedida)
      if (!gravada) throw new ApiError('REQUISICAO_INVALIDA', SEM_GRAVADA)
      for (const estado of gravada.estados) onEstado(estado)
      return gravada
    }
    if (!(await ficticios()).has(pedida.documento.documento))
      throw new ApiError('REQUISICAO_INVALIDA', SO_FICTICIOS)
    const chave = `${pedida.pergunta} ${pedida.documento.documento}`
    const turn = { owner: networkOf(request.ip), waitMs: ESPERA_MS, signal: signalOfLeaving(reply.raw) }
    const follow = async (corrida: Corrida): Promise<ProvaDosEstados> => {
      for (const estado of corrida.estados) onEstado(estado)
      corrida.ouvintes.add(onEstado)
      return corrida.fim.finally(() => corrida.ouvintes.delete(onEstado))
    }
    const known = corridas.get(chave)
    if (known) return follow(known)
    try {
      return await fila(turn, () => {
        const corrida = corridas.get(chave) ?? start(pedida, request.id)
        corridas.set(chave, corrida)
        corrida.fim.catch(() => corridas.delete(chave))
        return follow(corrida)
      })
    } catch (error) {
      throw error instanceof QueueFull ? demais(5) : error
    }
  }

  return {
    prove,
    gravada: async (nome) => {
      const { pergunta, documento } = casos[nome]
      const found = await findGravada({ pergunta, documento: documentoDe(documento) })
      if (!found) throw new Error(`no recorded answer of ${nome}`)
      return found
    },
    limit: (request, _reply, done) => {
      const waitS = deUm.waitS(request.ip) ?? deTodos.waitS('')
      if (waitS !== undefined) return done(demais(waitS))
      deUm.add(request.ip)
      deTodos.add('')
      done()
    },
  }
}

const SO_FICTICIOS =
  'Aqui quem responde é o simulador, que só conhece documentos fictícios, e este não é um deles. Escolha um dos exemplos.'

const SEM_GRAVADA =
  'Sem conta, aqui há só respostas gravadas de documentos fictícios. Escolha um dos exemplos, ou crie uma conta para perguntar aos órgãos.'

const demais = (retryS: number): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `São ${DE_UM} perguntas por minuto de cada endereço, e há um limite para todos. Tente de novo em ${retryS} s, ou crie uma conta.`,
    { retryS },
  )

type Chamada = { request_id: string; emit: (estado: EstadoDaProva) => void }

/** Nobody's leaving ends it: who asks the same next finds it done. */
async function askTodos(
  room: PainelRoom,
  { pergunta, documento }: Pedida,
  { request_id, emit }: Chamada,
): Promise<void> {
  const chamada = { request_id, leaving: () => new AbortController().signal, maxAgeMs: GUARDADA_MS }
  if (pergunta === 'inscricoes') {
    const call = {
      ...chamada,
      emit: (one: Parameters<typeof estadoDaInscricao>[0]) => emit(estadoDaInscricao(one)),
    }
    await findInscricoesTodos(room, documento, call)
    return
  }
  const call = {
    ...chamada,
    emit: (one: Parameters<typeof estadoDaCertidao>[0]) => emit(estadoDaCertidao(one)),
  }
  await findCertidoesTodos(room, documento, call)
}

const naOrdem = (estados: readonly EstadoDaProva[]): EstadoDaProva[] =>
  estados.toSorted((a, b) => ufs.indexOf(a.uf) - ufs.indexOf(b.uf))

function nomeDe(
  room: PainelRoom,
  { documento: { tipo, documento } }: Pedida,
  estados: readonly EstadoDaProva[],
): string {
  const told = estados.find(({ nome }) => nome !== '')?.nome
  if (told !== undefined || tipo === 'cpf') return told ?? ''
  return findBase(room)?.find(documento)?.result.razao_social ?? ''
}

const documentoDe = (documento: string): Documento => ({
  tipo: documento.length === 11 ? 'cpf' : 'cnpj',
  documento,
})

/** The documents of the simulator's list that some state answers about. */
function documentosDe(roteiro: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    roteiro.flatMap((linha) => {
      const { endpoint, parametros, espera } = Object(linha)
      if (!/^\/api\/consultar(?:-ie-todos|-cnd|-cnd-todos)?$/.test(endpoint)) return []
      if (Object(espera).http !== 200) return []
      const { cpf, cnpj } = Object(parametros)
      return [cpf, cnpj].filter((one) => typeof one === 'string')
    }),
  )
}

/** Answers of the simulator that were recorded, with their day (data/README.md). */
async function readGravadas(): Promise<readonly ProvaDosEstados[]> {
  const file = new URL('../../data/provas.json', import.meta.url)
  const { gravada, provas } = JSON.parse(await readFile(file, 'utf8'))
  return Object.entries<Pick<ProvaDosEstados, 'nome' | 'estados'>>(provas).flatMap(
    ([nome, { nome: titular, estados }]) =>
      isCaso(nome)
        ? [{ ...casos[nome], documento: documentoDe(casos[nome].documento), nome: titular, estados, gravada }]
        : [],
  )
}
