import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { ufs } from '../../simulator/documento/inscricao-estadual.ts'
import { portais } from '../../simulator/estados/estados.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { rowsOf } from '../kit/basics.ts'
import {
  type Fields,
  openPortais,
  type Portals,
  type Question,
  send,
  startVisit,
  type Visit,
  written,
} from '../kit/simulator-portal.ts'
import type { Row, Said } from './portal-contrato-rows.ts'
import { simples } from './portal-contrato-rows.ts'
import { comScript, dotnet } from './portal-contrato-rows-dotnet.ts'
import { java, jsf } from './portal-contrato-rows-java.ts'

const rows = [...simples, ...java, ...dotnet, ...jsf, ...comScript]
/** The last check digit is wrong. */
const INVALID = '11222333000180'
/** One octet more than the gateway takes. */
const OVERSIZED = 'x'.repeat(1_048_577)

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

test('every portal of a state has a row', () => {
  const named = portais.map(({ uf, servico }) => `${uf}/${servico}`)
  assert.deepEqual(rows.map(({ portal }) => portal).sort(), named.sort())
})

// A portal of each kind of page: plain forms, Java, .NET, JSF, and those that a script draws.
for (const row of [simples, java, dotnet, jsf, comScript].flatMap((kind) => rowsOf(kind)))
  test(`${row.portal} answers the right question, and refuses each wrong one in its own words`, async () => {
    const wrong: string[] = []
    const expect = (what: string, reply: string, said: Said | undefined): void => {
      if (!isSaid(row, reply, said)) wrong.push(`${what}: ${said} expected, and it said ${reply}`)
    }
    for (const check of [repeat, documents, fieldsLeftOut, stamps, captcha, methods]) await check(row, expect)
    assert.deepEqual(wrong, [])
  })

function isSaid({ answers }: Row, reply: string, said: Said | undefined): boolean {
  const answered = answers.test(reply)
  if (said === undefined) return false
  return said === 'answers' ? answered : !answered && said.test(reply)
}

type Expect = (what: string, reply: string, said: Said | undefined) => void

const asWritten = (row: Row, bare: string): string => (row.masked ? maskDocumento(bare) : bare)

function known({ portal, document }: Row): string {
  const uf = ufs.find((one) => portal.startsWith(one)) ?? assert.fail(portal)
  return document ?? exemplos().umaInscricao.get(uf) ?? assert.fail(portal)
}

/** Gives a visit that is about to ask, and its request. */
async function prepare(
  row: Row,
  visit: Visit = startVisit(portals),
  document = asWritten(row, known(row)),
): Promise<{ visit: Visit; question: Question }> {
  return { visit, question: await row.prepare(visit, document) }
}

/** The portal's reply to a new visitor who sends these fields in the place of the right ones. */
async function askChanged(row: Row, change: (fields: Fields) => Fields): Promise<string> {
  const { visit, question } = await prepare(row)
  return send(visit.visitor, { ...question, fields: change(question.fields) })
}

async function repeat(row: Row, expect: Expect): Promise<void> {
  const { visit, question } = await prepare(row)
  expect('the right question', await send(visit.visitor, question), 'answers')
  expect('the same again', await send(visit.visitor, question), row.again)
  const other = await prepare(row)
  expect('the question of somebody else', await send(portals.visitor(), other.question), row.stranger)
}

async function documents(row: Row, expect: Expect): Promise<void> {
  const about = async (document: string): Promise<string> => {
    const { visit, question } = await prepare(row, startVisit(portals), document)
    return send(visit.visitor, question)
  }
  expect('an unknown document', await about(asWritten(row, exemplos().desconhecido)), row.nobody)
  expect('a wrong check digit', await about(asWritten(row, INVALID)), row.invalid)
  const other = row.masked ? known(row) : maskDocumento(known(row))
  expect('the document in the other form', await about(other), row.otherForm)
}

/** A field is known by its place, since its name may differ for each visitor. */
async function fieldsLeftOut(row: Row, expect: Expect): Promise<void> {
  const { question } = await prepare(row)
  for (const [place, name] of Object.keys(question.fields).entries()) {
    const said = row.free?.includes(name) ? 'answers' : (row.leftOut?.[name] ?? row.missing)
    const reply = await askChanged(row, (fields) =>
      Object.fromEntries(Object.entries(fields).filter((_, i) => i !== place)),
    )
    expect(`without ${name}`, reply, said)
  }
}

async function stamps(row: Row, expect: Expect): Promise<void> {
  const [names, said] = row.stamps ?? [[]]
  for (const name of names) {
    const altered = await askChanged(row, (fields) => ({ ...fields, [name]: `${fields[name]}x` }))
    expect(`with ${name} altered`, altered, said)
    const { question: others } = await prepare(row)
    const { visit, question } = await prepare(row)
    if (others.fields[name] === question.fields[name]) continue
    const mixed = { ...question.fields, [name]: others.fields[name] ?? '' }
    expect(
      `with the ${name} of somebody else`,
      await send(visit.visitor, { ...question, fields: mixed }),
      said,
    )
  }
}

async function captcha(row: Row, expect: Expect): Promise<void> {
  if (!row.captcha) return
  const guess = await prepare(row, startVisit(portals, portals.visitor(), 'xxxxx'))
  expect('a wrong answer to the captcha', await send(guess.visit.visitor, guess.question), row.captcha)
  const { visit, question } = await prepare(row)
  await send(visit.visitor, question)
  const again = await prepare(row, startVisit(portals, visit.visitor, visit.answered()))
  expect('a used answer to the captcha', await send(visit.visitor, again.question), row.captcha)
}

async function methods(row: Row, expect: Expect): Promise<void> {
  const { visit, question } = await prepare(row)
  const { host, path, as, sent } = question
  const other = as === 'get' ? visit.visitor.post(host, path, {}, sent) : visit.visitor.get(host, path, sent)
  expect('the other method', written(await other), row.otherMethod)
  expect('an oversized body', written(await visit.visitor.postJson(host, path, OVERSIZED)), /^413/)
}
