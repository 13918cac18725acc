import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo, dvDaChave } from '../../simulator/nfe/nota.ts'
import { createSefaz, type Sefaz } from '../../simulator/sefaz/sefaz.ts'
import { type Authorities, openAuthorities, type Reply } from '../kit/authority.ts'
import { said } from '../kit/simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const NOW = new Date('2026-11-14T15:00:00Z')
const NFE = 'http://www.portalfiscal.inf.br/nfe'
const SP = { host: 'nfe.fazenda.sp.gov.br', path: '/ws/nfeconsultaprotocolo4.asmx' }

/**
 * The addresses of production and homologation, as docs of 2026 have them, each with a state that it
 * serves.
 */
const casas: [host: string, homologacao: string, path: string, cUF: string][] = [
  ['nfe.sefaz.am.gov.br', 'homnfe.sefaz.am.gov.br', '/services2/services/NfeConsulta4', '13'],
  [
    'nfe.sefaz.ba.gov.br',
    'hnfe.sefaz.ba.gov.br',
    '/webservices/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
    '29',
  ],
  ['nfe.sefaz.go.gov.br', 'homolog.sefaz.go.gov.br', '/nfe/services/NFeConsultaProtocolo4', '52'],
  ['nfe.fazenda.mg.gov.br', 'hnfe.fazenda.mg.gov.br', '/nfe2/services/NFeConsultaProtocolo4', '31'],
  ['nfe.sefaz.ms.gov.br', 'hom.nfe.sefaz.ms.gov.br', '/ws/NFeConsultaProtocolo4', '50'],
  ['nfe.sefaz.mt.gov.br', 'homologacao.sefaz.mt.gov.br', '/nfews/v2/services/NfeConsulta4', '51'],
  ['nfe.sefaz.pe.gov.br', 'nfehomolog.sefaz.pe.gov.br', '/nfe-service/services/NFeConsultaProtocolo4', '26'],
  ['nfe.sefa.pr.gov.br', 'homologacao.nfe.sefa.pr.gov.br', '/nfe/NFeConsultaProtocolo4', '41'],
  ['nfe.sefazrs.rs.gov.br', 'nfe-homologacao.sefazrs.rs.gov.br', '/ws/NfeConsulta/NfeConsulta4.asmx', '43'],
  [SP.host, 'homologacao.nfe.fazenda.sp.gov.br', SP.path, '35'],
  [
    'www.sefazvirtual.fazenda.gov.br',
    'hom.sefazvirtual.fazenda.gov.br',
    '/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
    '21',
  ],
  ['nfe.svrs.rs.gov.br', 'nfe-homologacao.svrs.rs.gov.br', '/ws/NfeConsulta/NfeConsulta4.asmx', '33'],
]

let authorities: Authorities
let sefaz: Sefaz
let schema: Schema
let now = NOW
before(async () => {
  sefaz = createSefaz({ agora: () => now, ritmo: 0 })
  sefaz.impose({ padrao: 'normal' })
  authorities = await openAuthorities(() => now, { sefaz })
  schema = openSchema('retConsSitNFe_v4.00.xsd')
})
after(async () => {
  schema.dispose()
  await authorities.close()
})

/** The key of the note of a scenario that was authorized an hour ago. */
const keyOf = (name: string): string => chaveDo(comCenario(name), new Date(now.getTime() - 3_600_000))

/** A key of nobody's note, of that state. */
function keyOfState(cUF: string): string {
  const [, rest = ''] = /^\d\d(.{41})/.exec(keyOf('inexistente')) ?? []
  return cUF + rest + dvDaChave(cUF + rest)
}

const consSitNFe = (chave: string, { tpAmb = '1', versao = '4.00', xServ = 'CONSULTAR' } = {}): string =>
  `<consSitNFe xmlns="${NFE}" versao="${versao}"><tpAmb>${tpAmb}</tpAmb><xServ>${xServ}</xServ><chNFe>${chave}</chNFe></consSitNFe>`

const send = (
  message: string,
  { host, path } = SP,
  { type = 'application/soap+xml; charset=utf-8', certificate = 'empresa' } = {},
): Promise<Reply> =>
  authorities.ask(host, {
    path,
    headers: { 'content-type': type },
    body: `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><nfeDadosMsg xmlns="${NFE}/wsdl/NFeConsultaProtocolo4">${message}</nfeDadosMsg></s:Body></s:Envelope>`,
    certificate,
  })

/** The answer, which is right by the official schema. */
function read(reply: Reply): ReturnType<typeof cutOut> {
  assert.equal(reply.status, 200, reply.text)
  const answer = cutOut(reply.text, 'retConsSitNFe')
  assert.equal(schema.problem(answer.xml), undefined)
  return answer
}

test('each authorizer of the NF-e is asked at its published address, in both environments, in its own shape', async () => {
  for (const [host, homologacao, path, cUF] of casas) {
    const chave = keyOfState(cUF)
    for (const [at, tpAmb] of [
      [host, '1'],
      [homologacao, '2'],
    ] as const) {
      const answer = read(await send(consSitNFe(chave, { tpAmb }), { host: at, path }))
      assert.deepEqual([at, ...answer.text('cStat'), ...answer.text('tpAmb')], [at, '217', tpAmb])
      assert.deepEqual(answer.text('chNFe'), [chave])
    }
  }
})

test('a note is told as it stands, with the protocol of its authorization and never the note itself', async () => {
  for (const [name, cStat, protocol] of [
    ['ciencia', '100', '100'],
    ['cancelada', '101', '100'],
    ['denegada', '110', '110'],
  ] as const) {
    const chave = keyOf(name)
    const reply = await send(consSitNFe(chave))
    const answer = read(reply)
    assert.deepEqual(answer.text('cStat'), [cStat, protocol], name)
    assert.deepEqual(answer.text('chNFe'), [chave, chave])
    assert.match(answer.text('nProt')[0] ?? '', /^135\d{12}$/)
    assert.doesNotMatch(reply.text, /<infNFe|<NFe/)
  }
})

test('a note that the national environment does not have yet is known where it was authorized', async () => {
  assert.match(said(await send(consSitNFe(keyOf('nao-localizada')))), /^100 /)
  assert.match(said(await send(consSitNFe(keyOf('inexistente')))), /^217 Rejeição: NF-e não consta/)
})

test('what is wrong with a question is told by its code', async () => {
  const chave = keyOf('ciencia')
  const right = consSitNFe(chave)
  const wrongDigit = chave.slice(0, 43) + ((Number(chave.at(-1)) + 1) % 10)
  const otherModel = `${chave.slice(0, 20)}65${chave.slice(22, 43)}`
  for (const [message, code] of [
    ['CONSULTAR', '243'],
    [right + right, '243'],
    [right.replace(' versao="4.00"', ''), '215'],
    [consSitNFe(chave, { xServ: 'STATUS' }), '215'],
    [consSitNFe(chave.slice(1)), '215'],
    [right.replace('</chNFe>', '</chNFe><a/>'), '215'],
    [right.replace(NFE, `${NFE}x`), '215'],
    [consSitNFe(chave, { versao: '3.10' }), '239'],
    [right.replace('<xServ>', '\n<xServ>'), '588'],
    [right.replace(' versao', ' xmlns:x="http://x" versao'), '587'],
    [consSitNFe(chave, { tpAmb: '2' }), '252'],
    [consSitNFe(wrongDigit), '236'],
    [consSitNFe(otherModel + dvDaChave(otherModel)), '618'],
    [consSitNFe(keyOfState('99')), '614'],
    [consSitNFe(keyOfState('33')), '226'],
    [right.replace('<consSitNFe', `<consSitNFe a="${'a'.repeat(11_000)}"`), '214'],
  ] as const)
    assert.equal(said(await send(message)).slice(0, 3), code, message.slice(0, 300))
  assert.match(said(await send(right, SP, { type: 'application/soap+xml; charset=iso-8859-1' })), /^402 /)
})

test('as a contingency it answers for a state that activated it, and has no note that was issued elsewhere', async () => {
  const svcAn = {
    host: 'www.sefazvirtual.fazenda.gov.br',
    path: '/NFeConsultaProtocolo4/NFeConsultaProtocolo4.asmx',
  }
  assert.equal(said(await send(consSitNFe(keyOf('ciencia')), svcAn)).slice(0, 3), '114')
  sefaz.impose({ padrao: 'normal', svc: { nfe: { SP: 'ativada' } } })
  assert.equal(said(await send(consSitNFe(keyOf('ciencia')), svcAn)).slice(0, 3), '217')
  sefaz.impose({ padrao: 'normal' })
})

test('it stands and falls with its authorizer, as the status service does', async () => {
  sefaz.impose({ padrao: '109' })
  assert.match(said(await send(consSitNFe(keyOf('ciencia')))), /^109 /)
  sefaz.impose({ padrao: 'http-500' })
  assert.equal((await send(consSitNFe(keyOf('ciencia')))).status, 500)
  sefaz.impose({ padrao: 'normal' })
})

test('the eleventh question of a caller about one key within an hour is undue (656), other keys are not', async () => {
  now = new Date(now.getTime() + 60_000)
  const chave = keyOf('ciencia')
  for (let n = 0; n < 10; n++) assert.match(said(await send(consSitNFe(chave))), /^100 /)
  assert.match(said(await send(consSitNFe(chave))), /^656 Rejeição: Consumo indevido/i)
  assert.match(said(await send(consSitNFe(keyOf('cancelada')))), /^101 /)
  assert.match(said(await send(consSitNFe(chave), SP, { certificate: 'pessoa' })), /^100 /)
})
