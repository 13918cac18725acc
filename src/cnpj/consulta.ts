import { readFileSync } from 'node:fs'
import { Check } from 'typebox/schema'
import type { Contrato } from '../federal/contrato.ts'
import { SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Reply } from '../platform/wire/http.ts'
import { parseJson } from '../portal/pagina.ts'
import { fonteCnpj } from './fonte.ts'
import { faltamNa, RespostaCnpj } from './resposta.ts'
import { type CadastroAoVivo, toCadastro } from './source.ts'

const { source } = fonteCnpj

/** The means of one question. */
export type MeiosDoCnpj = {
  contrato: Contrato
  guard: Guard
  now: () => Date
  request_id: string
  deadlineMs: number
}

/**
 * Asks the live register for an establishment; undefined if it has none (HTTP 404). Throws SourceError, also
 * for a partial answer (206) that lacks a specified field, and for any without the partners that its legal
 * nature has.
 */
export function askCnpj(
  cnpj: string,
  { contrato, guard, now, request_id, deadlineMs }: MeiosDoCnpj,
): Promise<CadastroAoVivo | undefined> {
  return guard({ source, deadlineMs, request_id }, async (leftMs, note) => {
    // `qsa` has the partners; `empresa` would add their whole CPF.
    const path = `/consulta-cnpj-df/v2/qsa/${cnpj}` as const
    const reply = await contrato.send({ source, method: 'GET', path, deadlineMs: leftMs })
    if (reply.status === 404) {
      checkNobody(reply)
      note({ vazia: true })
      return undefined
    }
    if (reply.status !== 200 && reply.status !== 206)
      throw failure('http', `recusou a consulta (HTTP ${reply.status})`, reply)
    return readCadastro(reply, cnpj, now())
  })
}

function readCadastro(reply: Reply, cnpj: string, hoje: Date): CadastroAoVivo {
  const resposta = parseJson(reply)
  if (!Check(RespostaCnpj, resposta)) {
    const why = reply.status === 206 ? 'só tem uma parte dos dados desta empresa' : 'mudou o que responde'
    throw failure('parse', why, reply)
  }
  if (resposta.ni !== cnpj) throw failure('parse', 'respondeu por outro CNPJ', reply)
  const faltam = reply.status === 206 ? faltamNa(resposta) : []
  if (faltam.length > 0)
    throw failure('parse', `só tem uma parte dos dados desta empresa (falta ${faltam.join(', ')})`, reply)
  const cadastro = toCadastro(resposta, hoje)
  if (!cadastro) throw failure('parse', 'mudou o que responde', reply)
  if (cadastro.socios || naoTemQsa(cadastro.natureza.codigo)) return cadastro
  throw failure('parse', 'respondeu sem o quadro de sócios, que empresas desta natureza jurídica têm', reply)
}

/** The legal natures (4 digits, `2135`) without a list of partners. Their origin is in data/README.md. */
const SEM_QSA = new URL('../../data/cnpj-naturezas-sem-qsa.csv', import.meta.url)

let semQsa: ReadonlySet<string> | undefined

/** False for a nature that the table does not have: nobody can say that it has no partners. */
function naoTemQsa(natureza: string): boolean {
  semQsa ??= readSemQsa()
  return semQsa.has(natureza)
}

function readSemQsa(): ReadonlySet<string> {
  const [, ...lines] = readFileSync(SEM_QSA, 'utf8').trim().split(/\r?\n/)
  return new Set(lines.map((line) => line.slice(0, 4)))
}

/** The words of a 404 are not known, but a page of HTML is never the register's. */
function checkNobody(reply: Reply): void {
  if (reply.body.length > 0 && parseJson(reply) === undefined)
    throw failure('http', 'respondeu HTTP 404 com uma página', reply)
}

const failure = (kind: SourceErrorKind, why: string, { status, elapsedMs }: Reply): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs, status })
