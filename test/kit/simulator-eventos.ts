import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Reply } from './simulator-authority.ts'
import { type National, type Said, startNational } from './simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from './simulator-schema.ts'

export const CONFIRMATION = { tpEvento: '210200' }
export const DISOWNING = { tpEvento: '210220' }
export const UNDONE = {
  tpEvento: '210240',
  detEvento: '<descEvento>Operacao nao Realizada</descEvento><xJust>Mercadoria não entregue</xJust>',
}

/**
 * The national environment with the official schema of an event's answer, open for the tests of one file.
 */
export function openEventos() {
  let national: National
  let schema: Schema

  before(async () => {
    national = await startNational()
    schema = openSchema('retEnvConfRecebto_v1.00.xsd')
  })
  after(async () => {
    schema.dispose()
    await national.close()
  })

  /** Reads the answer, and checks it against the official schema. */
  function read(reply: Reply): ReturnType<typeof cutOut> {
    assert.equal(reply.status, 200, reply.text)
    const answer = cutOut(reply.text, 'retEnvEvento')
    assert.equal(schema.problem(answer.xml), undefined, answer.xml)
    return answer
  }

  /** The codes of the lot and of its events: `128 135`. */
  const codesOf = (reply: Reply): string => read(reply).text('cStat').join(' ')

  /**
   * Registers a scenario's event, with another key or other parts if given. The clock stands still, so the
   * key is the same each time.
   */
  const register = (name: string, said: Partial<Said> = {}): Promise<Reply> =>
    national.register(name, { chave: national.keyOf(name), ...said })

  /** A signed Ciência of the scenario `nao-realizada`, which no other test registers. */
  const signed = (file = 'nfe-nao-realizada', said: Partial<Said> = {}): Promise<string> =>
    national.sign(national.event('nao-realizada', { chave: national.keyOf('nao-realizada'), ...said }), file)

  const send = async (event: string): Promise<string> =>
    codesOf(await national.send(event, { certificate: 'nfe-nao-realizada' }))
  return { national: () => national, read, codesOf, register, signed, send }
}
