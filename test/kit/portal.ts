import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findContribuinte } from '../../simulator/mundo/mundo.ts'
import { lookUp } from '../../simulator/portal/registro.ts'
import { esperaDaLinha, type Linha, pedidoDaLinha, porEndpoint } from '../../simulator/roteiro/linha.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Estado, Meios, PerguntaCnd, Rota, RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import { consultaOf } from '../../src/portal/rotas.ts'
import { inscricaoDeTeste, openSimulatorAt } from './authority.ts'
import { NOW } from './basics.ts'
import { type House, start } from './house.ts'

/** A route with its name in the tests and its state. */
type Alvo<R> = readonly [nome: string, uf: Uf, rota: R]

const alvos = <R extends Rota>(of: (estado: Estado) => readonly R[]): Alvo<R>[] =>
  [...estados.values()].flatMap((estado) =>
    of(estado).map((rota): Alvo<R> => [`${rota.source.id} (${rota.familia})`, estado.uf, rota]),
  )
const todasIe = alvos<RotaIe>(({ ie }) => ie)
const todasCnd = alvos<RotaCnd>(({ cnd }) => cnd)
const isKnown = ([, , { certeza }]: Alvo<Rota>): boolean => certeza !== 'desconhecido'

/** Every route of every state that can be asked, for registrations and for certificates. */
export const rotasIe = todasIe.filter(isKnown)
export const rotasCnd = todasCnd.filter(isKnown)

/**
 * The first route of each family in `npm test`, or those of the family that are preferred: what a family has
 * in common is its protocol. `npm run test:longo` has all routes.
 */
export function porFamilia<R extends Rota>(
  todas: readonly Alvo<R>[],
  preferidas: readonly string[],
): readonly Alvo<R>[] {
  if (process.env.LONGO) return todas
  const isPreferida = ([, , { source }]: Alvo<R>): boolean => preferidas.includes(source.id)
  const familias = Map.groupBy(todas, ([, , { familia }]) => familia)
  return [...familias.values()].flatMap((of) =>
    of.some(isPreferida) ? of.filter(isPreferida) : of.slice(0, 1),
  )
}

/** The routes that are never asked, since nobody knows their requests. */
export const desconhecidas: readonly Alvo<RotaIe | RotaCnd>[] = [...todasIe, ...todasCnd].filter(
  (alvo) => !isKnown(alvo),
)

/**
 * A question waits this long for its answer, unless the test wants no answer. A loaded machine is no failure.
 */
const PATIENCE_MS = 100_000

/** The means of the real service in simulator mode, for the tests of one file. */
export function openMeios(): (how?: { solver?: false; deadlineMs?: number }) => Meios {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())
  return ({ solver = true, deadlineMs = PATIENCE_MS } = {}) => {
    const { meios } = consultaOf(house.rooms.inscricao, { uf: 'SP', request_id: '', deadlineMs })
    return solver ? meios : { ...meios, captcha: noSolver }
  }
}

/**
 * The question to a page of certificates, with the registrations, as the lookup sends it. For a state whose
 * registrations cannot be asked, they come from the simulator's world.
 */
export async function perguntaCnd(uf: Uf, documento: string, meios: Meios): Promise<PerguntaCnd> {
  const pergunta = { tipo: documento.length === 11 ? ('cpf' as const) : ('cnpj' as const), documento }
  const known = rotasIe.find((alvo) => alvo[1] === uf)?.[2]
  const inscricoes = known
    ? await known.ask(pergunta, meios).catch(() => undefined)
    : lookUp(uf, pergunta).map(({ inscricao }) => inscricaoDeTeste(inscricao.ie))
  return { ...pergunta, inscricoes }
}

/** What the simulator's world holds of a document in a state. */
export const inscricoesDe = (uf: Uf, documento: string) =>
  findContribuinte(documento)?.inscricoes.filter((inscricao) => inscricao.uf === uf) ?? []

/** A document of the world with several registrations in the state. */
export const comVarias = (uf: Uf): string | undefined =>
  exemplos().variasInscricoes.find((one) => one.uf === uf)?.documento

/** A rural producer of the state, by CPF. */
export const produtorEm = (uf: Uf): string | undefined =>
  exemplos().produtorRural.find((one) => one.uf === uf)?.documento

/** An entry of `results`, of either endpoint that asks every state. */
export type Entry = {
  uf: string
  source_status: { status: string; error_code: string; error_message: string; retryable: boolean }
  results?: Record<string, string>[]
  result?: Record<string, string> | null
  fonte: string
  consultado_em: string
  avisos: string[]
}

/** The states that break the connection, and those that never answer, about the document of 'misto'. */
export const DEAD: readonly string[] = ['AC', 'AL', 'AM', 'AP', 'BA']
export const SLOW: readonly string[] = ['CE', 'DF', 'ES', 'GO', 'MA']

/** In these states the page certifies any CPF, and no lookup of registrations takes a CPF. */
export const CERTIFIES_ANY_CPF: readonly string[] = ['AL', 'AM', 'PA', 'PI', 'SE', 'SP']

export const entriesOf = (body: Record<string, unknown>): Entry[] =>
  Array.isArray(body.results) ? body.results : []

/** Each entry says whether repeating helps, and its text says the same. */
export function checkRetryable(entries: readonly Entry[]): void {
  for (const { uf, source_status } of entries) {
    const { retryable, error_message } = source_status
    assert.equal(retryable, / Tente de novo em \d+ (?:segundo|minuto|hora)s?\.$/.test(error_message), uf)
  }
}

export const succeeded = (entries: readonly Entry[]): string[] =>
  entries.filter(({ source_status }) => source_status.status === 'success').map(({ uf }) => uf)

export type SentEvent = { event: string; id: string | undefined; data: unknown }

/** The events of a stream's text, in the order in which they came. Comments are no events. */
export function parseEvents(text: string): SentEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  return blocks.map((block) => {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
    )
    return {
      event: fields.get('event') ?? '',
      id: fields.get('id'),
      data: JSON.parse(fields.get('data') ?? 'null'),
    }
  })
}

/**
 * A stream that is read as it comes. `until` reads on until the text has it; `leave` closes the connection.
 */
export async function listenTo(from: { address: string }, path: string, key: string) {
  const controller = new AbortController()
  const response = await fetch(from.address + path, {
    headers: { accept: 'text/event-stream', 'X-API-Key': key },
    signal: controller.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  const until = async (words: readonly string[]) => {
    while (!words.every((word) => text.includes(word))) {
      const { done, value } = await reader.read()
      assert.ok(!done, `the stream ended before ${words}: ${text}`)
      text += value
    }
    return text
  }
  return { until, leave: () => controller.abort() }
}

const SIGEF = '/api/consultar-sigef'
/** It remembers what other files asked of the simulator that they share, so here it is one of its own. */
const CND_FEDERAL = '/api/consultar-cnd-federal'
/** The connector takes today alone. */
const OF_TODAY = ['/api/consultar-cnir']

/** Half of these times may pass in waiting for a turn at the portals, which have a pace of 3 seconds. */
const SECONDS = {
  IE_SECONDS: '13',
  CND_SECONDS: '13',
  CND_FEDERAL_SECONDS: '10',
  CNIR_SECONDS: '4',
  // The open map may take 20 of them.
  SIGEF_SECONDS: '40',
}

/** Rows of one service. `aoMesmoTempo`: they only wait, and do it together. */
type Turma = { nome: string; linhas: Linha[]; aoMesmoTempo: boolean; semPausas: boolean }

/** SIGEF's pages have a pace, so that only the rows about slow answers are asked at the real one. */
const turmasDe = (todas: readonly Linha[]): Turma[] =>
  [...porEndpoint(todas)]
    .flatMap(([nome, linhas]): Turma[] => {
      if (nome !== SIGEF)
        return [{ nome, linhas: [...linhas], aoMesmoTempo: false, semPausas: nome === CND_FEDERAL }]
      const isSlow = ({ nota }: Linha): boolean => /não responde|segundos/.test(nota)
      return [
        { nome, linhas: linhas.filter((one) => !isSlow(one)), aoMesmoTempo: false, semPausas: true },
        { nome: `${nome}, tarde`, linhas: linhas.filter(isSlow), aoMesmoTempo: true, semPausas: false },
      ]
    })
    .filter(({ linhas }) => linhas.length > 0)

/**
 * Declares a test for each of these rows. Each group has a service of its own, which is asked in the order of
 * the rows, and the services wait for slow authorities at the same time.
 */
export function testRoteiro(todas: readonly Linha[]): void {
  for (const { nome, linhas, aoMesmoTempo, semPausas } of turmasDe(todas)) {
    describe(nome, { concurrency: aoMesmoTempo }, () => {
      let house: House
      let simulator: Awaited<ReturnType<typeof openSimulatorAt>> | undefined
      before(async () => {
        if (semPausas) simulator = await openSimulatorAt(() => NOW, { ritmo: 0 })
        const env = simulator ? { SIMULATOR_URL: simulator.endereco } : {}
        house = await start({ ...SECONDS, ...env }, OF_TODAY.includes(nome) ? () => new Date() : undefined)
      })
      after(async () => {
        await house.close()
        await simulator?.close()
      })

      for (const linha of linhas) {
        const { espera, nota } = linha
        test(`${pedidoDaLinha(linha)} → ${esperaDaLinha(linha)} (${nota})`, async () => {
          const { status, headers, body, text } = await house.ask(pedidoDaLinha(linha))
          const told = text.slice(0, 4_000)
          assert.equal(status, espera.http, told)
          assert.equal(body.error_code, espera.error_code, told)
          assert.equal(Object(body.source_status).error_code || undefined, espera.source_error, told)
          assert.equal(Object(body.result).status, espera.status, told)
          assert.equal(headers.get('x-ambiente'), 'simulador')
          assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
        })
      }
    })
  }
}
