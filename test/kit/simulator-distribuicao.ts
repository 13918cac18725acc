import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Reply } from './simulator-authority.ts'
import { distDFeInt, type National, startNational } from './simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from './simulator-schema.ts'

/**
 * The national environment with the official schemas of the distribution, open for the tests of one file.
 */
export function openDistribuicao() {
  let national: National
  let schemas: { answer: Schema; summary: Schema; note: Schema }

  before(async () => {
    national = await startNational()
    schemas = {
      answer: openSchema('retDistDFeInt_v1.01.xsd'),
      summary: openSchema('resNFe_v1.01.xsd'),
      note: openSchema('procNFe_v4.00.xsd'),
    }
  })
  after(async () => {
    for (const schema of Object.values(schemas)) schema.dispose()
    await national.close()
  })

  /**
   * Reads the answer. The official schema takes it with the two elements that real answers by key leave out.
   */
  function read(reply: Reply): ReturnType<typeof cutOut> {
    assert.equal(reply.status, 200)
    const answer = cutOut(reply.text, 'retDistDFeInt')
    const nsu = `<ultNSU>${'0'.repeat(15)}</ultNSU><maxNSU>${'0'.repeat(15)}</maxNSU>`
    const completed =
      answer.text('ultNSU').length > 0 ? answer.xml : answer.xml.replace(/<\/dhResp>/, `$&${nsu}`)
    assert.equal(schemas.answer.problem(completed), undefined)
    return answer
  }

  const codeOf = (reply: Reply): string => read(reply).text('cStat').join()

  function documentOf(reply: Reply): string {
    return gunzipSync(Buffer.from(read(reply).text('docZip').join(), 'base64')).toString()
  }

  /** `cStat` and the kind of document, if any: `138 resNFe`. */
  function outcomeOf(reply: Reply): string {
    const schema = /docZip schema="(\w+)_v/.exec(reply.text)?.[1] ?? ''
    return `${codeOf(reply)} ${schema}`.trim()
  }

  const askFor = (party: string, question: string, certificate: string) =>
    national.distribute(distDFeInt(party, question), { certificate })
  return {
    national: () => national,
    schemas: () => schemas,
    read,
    codeOf,
    documentOf,
    outcomeOf,
    askFor,
  }
}

export const byKey = (key: string): string => `<consChNFe><chNFe>${key}</chNFe></consChNFe>`
