import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSefaz, type Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { type Authorities, openAuthorities } from '../kit/authority.ts'
import {
  CTE_SVRS,
  consStatServ,
  consStatServCTe,
  GO,
  PE,
  SP,
  SVAN,
  SVRS,
  said,
  send,
  statusEnvelope,
} from '../kit/simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const NOW = new Date('2026-11-14T15:00:00Z')

let authorities: Authorities
let sefaz: Sefaz
let schema: Schema

before(async () => {
  sefaz = createSefaz({ agora: () => NOW, ritmo: 0 })
  sefaz.impose({ padrao: 'normal' })
  authorities = await openAuthorities(() => NOW, { sefaz })
  schema = openSchema('retConsStatServ_v4.00.xsd')
})
after(async () => {
  schema.dispose()
  await authorities.close()
})

test('a status service answers 107 in the shape of the official schema, in both environments', async () => {
  for (const [server, cUF] of [
    [SVRS, '33'],
    [SP, '35'],
    [PE, '26'],
    [GO, '52'],
    [SVAN, '21'],
  ] as const) {
    const reply = await send(authorities, server, consStatServ({ cUF }))
    assert.equal(reply.status, 200, reply.text)
    const { xml, text } = cutOut(reply.text, 'retConsStatServ')
    assert.equal(schema.problem(xml), undefined)
    assert.deepEqual([text('cStat'), text('cUF'), text('tpAmb')], [['107'], [cUF], ['1']])
  }
  const homologacao = { ...SVRS, host: 'nfe-homologacao.svrs.rs.gov.br' }
  const reply = await send(authorities, homologacao, consStatServ({ cUF: '33', tpAmb: '2' }))
  assert.equal(said(reply), '107 Servico em Operacao')
})

test('the CT-e takes SOAP 1.2 alone, and wraps its answer in one of two names', async () => {
  const asked = consStatServCTe({ cUF: '43' })
  const reply = await send(authorities, CTE_SVRS, asked)
  assert.equal(said(reply), '107 Servico em Operacao')
  assert.match(reply.text, /<cteStatusServicoCTResult /)
  const minas = { host: 'cte.fazenda.mg.gov.br', path: '/cte/services/CTeStatusServicoV4' }
  assert.match((await send(authorities, minas, consStatServCTe({ cUF: '31' }))).text, /<cteResultMsg /)
  assert.equal((await send(authorities, CTE_SVRS, asked, { soap: '1.1' })).status, 415)
  const old = await send(authorities, SVRS, consStatServ(), { soap: '1.1' })
  assert.match(old.text, /schemas\.xmlsoap\.org\/soap\/envelope/)
})

test('SVRS checks in the order of its source', async () => {
  const ask = async (message: string, certificate = 'empresa') =>
    said(await send(authorities, CTE_SVRS, message, { certificate })).slice(0, 3)
  const right = consStatServCTe()
  assert.equal(await ask('STATUS'), '243')
  assert.equal(await ask(right.replace(' versao="4.00"', '')), '215')
  assert.equal(await ask(right, 'pessoa'), '282')
  assert.equal(await ask(consStatServCTe({ versao: '3.00' })), '239')
  assert.equal(await ask(consStatServCTe({ xServ: 'ESTADO' })), '215')
  const prefixed = right
    .replace(
      '<consStatServCTe xmlns=',
      '<x:consStatServCTe xmlns:x="http://www.portalfiscal.inf.br/cte" xmlns=',
    )
    .replace('</consStat', '</x:consStat')
  assert.equal(await ask(prefixed), '404')
  assert.equal(await ask(consStatServCTe({ cUF: '41' })), '410')
  assert.equal(await ask(consStatServCTe({ tpAmb: '2' })), '252')
  assert.equal(await ask(consStatServCTe({ cUF: '35', tpAmb: '2' })), '114')
  assert.equal(await ask(right), '107')
})

test('what stops the service is said before what is wrong with the question, a block of the caller before that', async () => {
  sefaz.impose({ padrao: '109' })
  const old = consStatServCTe({ versao: '3.00' })
  assert.match(said(await send(authorities, CTE_SVRS, old)), /^109 /)
  assert.match(said(await send(authorities, CTE_SVRS, 'STATUS')), /^243 /)
  const long = consStatServCTe({ xServ: 'S'.repeat(512_000) })
  assert.match(said(await send(authorities, CTE_SVRS, long)), /^214 /)
  sefaz.impose({ padrao: '678' })
  assert.equal(said(await send(authorities, CTE_SVRS, long)), '678 Rejeicao: Uso Indevido')
  sefaz.impose({ padrao: 'normal' })
})

test('the NF-e refuses what is not UTF-8, other namespaces, and characters between tags', async () => {
  const right = consStatServ({ cUF: '33' })
  const ask = async (message: string) => said(await send(authorities, SVRS, message)).slice(0, 3)
  assert.equal(await ask(right.replace('<cUF>', '\n<cUF>')), '588')
  assert.equal(await ask(right.replace(' versao', ' xmlns:x="http://x" versao')), '587')
  const { status, text } = await authorities.ask(SVRS.host, {
    path: SVRS.path,
    headers: { 'content-type': 'application/soap+xml; charset=iso-8859-1' },
    body: statusEnvelope(SVRS, right),
  })
  assert.deepEqual([status, /<cStat>402</.test(text)], [200, true])
  const spaced = consStatServCTe().replace('<cUF>', '\n<cUF>')
  assert.match(said(await send(authorities, CTE_SVRS, spaced)), /^107 /)
})

test('a rejection of SVRS has its own state where none could be read, and tMed as its source writes it', async () => {
  const broken = await send(authorities, CTE_SVRS, consStatServCTe().replace(/<cUF>.*<.cUF>/, ''))
  assert.match(broken.text, /<cStat>215<.*<cUF>43<.*<tMed><\/tMed>/)
  const refused = await send(authorities, CTE_SVRS, consStatServCTe({ versao: '3.00', cUF: '33' }))
  assert.match(refused.text, /<cStat>239<.*<cUF>33<.*<tMed>1<\/tMed>/)
})

test('dhRecbto is in the local time of the server', async () => {
  const amazonas = { host: 'nfe.sefaz.am.gov.br', path: '/services2/services/NfeStatusServico4' }
  const when = async (server: typeof SVRS, cUF: string) =>
    cutOut((await send(authorities, server, consStatServ({ cUF }))).text, 'retConsStatServ').text('dhRecbto')
  assert.deepEqual(await when(SVRS, '33'), ['2026-11-14T12:00:00-03:00'])
  assert.deepEqual(await when(amazonas, '13'), ['2026-11-14T11:00:00-04:00'])
})
