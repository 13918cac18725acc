import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNfeProc } from '../../src/nfe/source-documento.ts'
import type { AnswerNfe, CasaNfe } from './nfe-casa.ts'
import { pausa } from './pausa.ts'

/** What a call must end with. */
export type Espera = {
  status: string
  cstat: string
  manifestacao: string | null
  /** Whether the note came. The call then costs 3 credits, else nothing. */
  xml: boolean
  /** The requests to the authorities, in the form of `AnswerNfe.passos`. */
  passos: string
  /** The events that stand for the note afterwards, by `tpEvento`. */
  livro?: string[]
  /** A pattern of the message. */
  diz: RegExp
  /** `Retry-After`, in seconds. It is absent where asking again does not help. */
  espera?: number
}

/** A sentence of the specification, a scenario that shows it, and the expected end of the call. */
export type Linha = [
  frase: string,
  cenario: string,
  espera: Espera,
  corpo?: { manifestar?: boolean },
  dias?: number,
]

/** Makes a test of each row. All ask with the key of one account, which has enough credits. */
export function provar(casaOf: () => { casa: CasaNfe; key: string }, linhas: readonly Linha[]): void {
  for (const [frase, cenario, espera, corpo, dias] of linhas)
    test(`${frase} (${cenario})`, async () => {
      const { casa, key } = casaOf()
      // The call gets a key of its own, even if the same scenario was asked before.
      casa.pass(1000)
      const before = await creditsOf(casa, key)
      const chave = casa.chaveDe(cenario, dias)
      const answer = await casa.pedir(cenario, { chave, key, corpo: corpo ?? {} })
      assertEspera(answer, espera, chave)
      assert.deepEqual(casa.eventos(chave), espera.livro ?? [], 'the events that stand')
      assert.equal(await creditsOf(casa, key), before - (espera.xml ? 3 : 0))
      assert.equal(answer.headers.get('x-credits-remaining'), String(before - (espera.xml ? 3 : 0)))
    })
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Asserts the whole answer: its body member by member, its headers, and the requests that the authorities
 * saw.
 */
export function assertEspera(answer: AnswerNfe, espera: Espera, chave: string): void {
  const { item, body, headers, passos } = answer
  const { mensagem, xml, ...rest } = item
  const { status, cstat, manifestacao } = espera
  const said = `${item.status} ${item.cstat} ${item.manifestacao} [${passos}]: ${mensagem}`
  const retryable = espera.espera !== undefined
  assert.deepEqual(rest, { chave, status, cstat, from_cache: false, manifestacao, retryable }, said)
  assert.equal(passos, espera.passos, said)
  assert.match(mensagem, espera.diz)
  if (espera.xml) assert.equal(readNfeProc(xml ?? '', chave).ok, true)
  else assert.equal(xml, null)
  const { request_id, consultado_em, avisos, resultados, ...counts } = body
  assert.equal(Object(avisos).length, ['ok', 'somente_resumo'].includes(status) ? 1 : 0)
  // Empty where nobody answered, and that is no success.
  assert.match(String(consultado_em), espera.xml ? INSTANT : /^$|Z$/)
  assert.equal(headers.get('age'), consultado_em === '' ? null : '0')
  assert.match(String(request_id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(headers.get('x-request-id'), request_id)
  const creditos_cobrados = espera.xml ? 3 : 0
  assert.deepEqual(counts, { total: 1, com_dado: espera.xml ? 1 : 0, creditos_cobrados })
  assert.equal(Object(resultados).length, 1)
  assert.equal(headers.get('x-credits-charged'), String(creditos_cobrados))
  assert.equal(headers.get('retry-after'), espera.espera === undefined ? null : String(espera.espera))
}

/** The credits that an account has left, by the books. */
export async function creditsOf({ rooms }: Pick<CasaNfe, 'rooms'>, key: string): Promise<number> {
  const conta = await rooms.contas.keys.find(key)
  assert.ok(conta)
  const { cota, extra } = await rooms.platform.ledger.saldo(conta)
  return cota + extra
}

/**
 * A house for one test file, with the key of an account that has enough credits. Open it before the tests and
 * close it after.
 */
export function umaCasa(startCasa: () => Promise<CasaNfe>): {
  abrir: () => Promise<void>
  fechar: () => Promise<void>
  casaOf: () => { casa: CasaNfe; key: string }
} {
  let opened: { casa: CasaNfe; key: string } | undefined
  return {
    abrir: async () => {
      const casa = await startCasa()
      opened = { casa, key: (await casa.open('enterprise')).key }
    },
    fechar: async () => opened?.casa.close(),
    casaOf: () => {
      assert.ok(opened)
      return opened
    },
  }
}

/** Resolves once `isSo` holds. If it never does, the test's own time limit ends the wait. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await pausa()
}

/** How many calls of the service have credits set aside. */
export async function heldBy({ rooms }: Pick<CasaNfe, 'rooms'>): Promise<number> {
  return (await rooms.platform.db.kysely.selectFrom('retencoes').select('request_id').execute()).length
}
