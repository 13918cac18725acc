import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeInscricao } from '../../simulator/documento/inscricao-estadual.ts'
import { writeResposta } from '../../simulator/inscricao/rules.ts'
import { servicos } from '../../simulator/inscricao/servicos.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findByInscricao, findContribuinte, listContribuintes } from '../../simulator/mundo/mundo.ts'
import { type Authorities, openAuthorities, type Reply } from '../kit/authority.ts'
import { consCad, envelope, NFE, SOAP12, WSDL, wrap } from '../kit/simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const NOW = new Date('2026-11-14T15:00:00Z')
const SP = { host: 'nfe.fazenda.sp.gov.br', path: '/ws/cadconsultacadastro4.asmx' }
const SVRS = { host: 'cad.svrs.rs.gov.br', path: '/ws/cadconsultacadastro/cadconsultacadastro4.asmx' }
const MT = { host: 'nfe.sefaz.mt.gov.br', path: '/nfews/v2/services/CadConsultaCadastro4' }
const GO = { host: 'nfe.sefaz.go.gov.br', path: '/nfe/services/CadConsultaCadastro4' }

type Server = { host: string; path: string }

const examples = exemplos()
const paulista = examples.umaInscricao.get('SP') ?? ''

let authorities: Authorities
let schema: Schema

before(async () => {
  authorities = await openAuthorities(() => NOW)
  schema = openSchema('retConsCad_v2.00.xsd')
})
after(async () => {
  schema.dispose()
  await authorities.close()
})

function send(server: Server, body: string | Buffer, headers = {}, certificate: string | null = 'empresa') {
  const { host, path } = server
  return authorities.ask(host, { path, body, headers: { ...SOAP12, ...headers }, certificate })
}

/** Gives the answer's texts by element name. Checks the answer against the official schema. */
function read(reply: Reply): (name: string) => string {
  assert.equal(reply.status, 200, reply.text)
  const ret = cutOut(reply.text, 'retConsCad')
  assert.equal(schema.problem(ret.xml), undefined, ret.xml)
  return (name) => ret.text(name).join('|')
}

async function code(server: Server, body: string | Buffer, headers = {}): Promise<string> {
  return read(await send(server, body, headers))('cStat')
}

for (const servico of servicos) {
  for (const uf of servico.ufs) {
    test(`${uf} tells the registrations of a company, in both environments, within the official schema`, async () => {
      const documento = examples.umaInscricao.get(uf) ?? ''
      const inscricao = findContribuinte(documento)?.inscricoes.find((i) => i.uf === uf)
      for (const host of [servico.producao, servico.homologacao]) {
        const text = read(
          await send({ host, path: servico.caminho }, wrap(uf, consCad(uf, 'CNPJ', documento))),
        )
        assert.equal(text('cStat'), '111')
        assert.equal(text('IE'), inscricao?.ie)
        assert.equal(text('CNPJ'), `${documento}|${documento}`)
        assert.equal(text('cSit'), '1')
      }
    })
  }
}

test('whoever is in the seeded world is told within the official schema', () => {
  for (const servico of servicos) {
    for (const contribuinte of listContribuintes()) {
      const { documento: numero, tipoDocumento, inscricoes } = contribuinte
      const inscricao = inscricoes.find(({ uf }) => servico.ufs.includes(uf))
      if (!inscricao || /[A-Z]/.test(numero)) continue
      const lido = { uf: inscricao.uf, campo: tipoDocumento === 'cpf' ? 'CPF' : 'CNPJ', numero } as const
      const resultado = { cStat: 111, lido, ocorrencias: [{ contribuinte, inscricao }] }
      const xml = writeResposta(servico, resultado, NOW).corpo.toString()
      const ret = /<(?:\w+:)?retConsCad[\s\S]*retConsCad>/.exec(xml)?.[0] ?? ''
      assert.equal(schema.problem(ret), undefined, ret)
    }
  }
})

test('several registrations come with 112, each in an infCad of its own', async () => {
  const { documento } = examples.variasInscricoes.find(({ uf }) => uf === 'SP') ?? { documento: '' }
  const text = read(await send(SP, wrap('SP', consCad('SP', 'CNPJ', documento))))
  assert.equal(text('cStat'), '112')
  const own = findContribuinte(documento)?.inscricoes.filter(({ uf }) => uf === 'SP') ?? []
  assert.equal(text('IE'), own.map(({ ie }) => ie).join('|'))
})

test('a closed registration says so, and when', async () => {
  const text = read(await send(SP, wrap('SP', consCad('SP', 'CNPJ', examples.baixada.documento))))
  assert.equal(text('cSit'), '0')
  assert.match(text('dBaixa'), /^\d{4}-\d\d-\d\d$/)
})

test('GO tells only what the schema demands, SP the address too', async () => {
  const goiano = examples.umaInscricao.get('GO') ?? ''
  const go = read(await send(GO, wrap('GO', consCad('GO', 'CNPJ', goiano))))
  assert.equal(go('verAplic'), 'GO4.0')
  assert.equal(go('indCredNFe'), '4')
  assert.equal(go('CNAE') + go('xLgr') + go('dIniAtiv'), '')
  const sp = read(await send(SP, wrap('SP', consCad('SP', 'CNPJ', paulista))))
  assert.match(sp('xRegApur'), /^(NORMAL|SIMPLES)/)
  assert.match(sp('cMun'), /^35\d{5}$/)
  assert.equal(sp('dhCons'), '2026-11-14T12:00:00-03:00')
})

test('a registration is found by its number, with its owner', async () => {
  const ie = findContribuinte(paulista)?.inscricoes.find(({ uf }) => uf === 'SP')?.ie ?? ''
  const text = read(await send(SP, wrap('SP', consCad('SP', 'IE', ie))))
  assert.equal(text('cStat'), '111')
  assert.equal(text('CNPJ'), paulista)
})

test('a producer is found by CPF, where the state takes CPFs', async () => {
  const { uf, documento } = examples.produtorRural.find((p) => p.uf === 'RS') ?? { uf: 'RS', documento: '' }
  const text = read(await send(SVRS, wrap(uf, consCad(uf, 'CPF', documento))))
  assert.match(text('cStat'), /^11[12]$/)
  assert.ok(text('CPF').startsWith(documento))
  assert.equal(await code(SP, wrap('SP', consCad('SP', 'CPF', documento))), '262')
})

test('a CNPJ with letters is taken, and outside the published schema', async () => {
  const { documento } = examples.alfanumerico
  const reply = await send(SP, wrap('SP', consCad('SP', 'CNPJ', documento)))
  const ret = cutOut(reply.text, 'retConsCad')
  assert.deepEqual(ret.text('cStat'), ['111'])
  assert.match(schema.problem(ret.xml) ?? '', /CNPJ/)
})

const rejections: [what: string, cStat: string, server: Server, uf: string, message: string][] = [
  ['a state of another service', '265', SVRS, 'AL', consCad('AL', 'IE', '240739078')],
  ['Suframa', '265', SVRS, 'SU', consCad('SU', 'CNPJ', paulista)],
  ['a CNPJ with a wrong check digit', '258', SP, 'SP', consCad('SP', 'CNPJ', '99001002000163')],
  ['a CNPJ of zeros', '258', SP, 'SP', consCad('SP', 'CNPJ', '00000000000000')],
  ['an unknown CNPJ', '259', SP, 'SP', consCad('SP', 'CNPJ', examples.desconhecido)],
  ['an IE with a wrong check digit', '260', SP, 'SP', consCad('SP', 'IE', '110042490115')],
  ['ISENTO for a number', '260', SP, 'SP', consCad('SP', 'IE', 'ISENTO')],
  ['an IE that nobody has', '261', SP, 'SP', consCad('SP', 'IE', unusedInscricao())],
  ['a CPF with a wrong check digit', '263', GO, 'GO', consCad('GO', 'CPF', '52998224726')],
  ['an unregistered CPF', '264', GO, 'GO', consCad('GO', 'CPF', examples.pessoaSemInscricao)],
  [
    'a prefix',
    '404',
    SP,
    'SP',
    consCad('SP', 'CNPJ', paulista)
      .replace(/<(\/?)(?=\w)/g, '<$1n:')
      .replace('xmlns', 'xmlns:n'),
  ],
  [
    'another namespace',
    '587',
    SP,
    'SP',
    consCad('SP', 'CNPJ', paulista).replace('<UF>', '<UF xmlns="urn:x">'),
  ],
  [
    'a foreign declaration',
    '587',
    SP,
    'SP',
    consCad('SP', 'CNPJ', paulista).replace(' versao', ' xmlns:x="urn:x" versao'),
  ],
  ['a line break between tags', '588', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace('<UF>', '\n<UF>')],
  ['a space at the end', '588', SP, 'SP', `${consCad('SP', 'CNPJ', paulista)} `],
  ['another root', '516', SP, 'SP', `<consStatServ xmlns="${NFE}" versao="4.00"/>`],
  ['no versao', '517', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace(' versao="2.00"', '')],
  ['another versao', '239', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace('2.00', '4.00')],
  ['another xServ', '215', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace('CONS-CAD', 'CONSULTAR')],
  ['no UF', '215', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace('<UF>SP</UF>', '')],
  ['a UF that does not exist', '215', SP, 'SP', consCad('XX', 'CNPJ', paulista)],
  [
    'two numbers',
    '215',
    SP,
    'SP',
    consCad('SP', 'CNPJ', paulista).replace('</infCons>', '<CPF>1</CPF></infCons>'),
  ],
  ['a mask', '215', SP, 'SP', consCad('SP', 'CNPJ', '99.001.002/0001-62')],
  ['an attribute too many', '215', SP, 'SP', consCad('SP', 'CNPJ', paulista).replace('<UF>', '<UF a="1">')],
]

for (const [what, cStat, server, uf, message] of rejections) {
  test(`${what} is rejected with ${cStat}, within the official schema`, async () => {
    const text = read(await send(server, wrap(uf, message)))
    assert.equal(text('cStat'), cStat)
    assert.match(text('xMotivo'), server === SVRS ? /^Rejeicao: / : /^Rejeição: /)
    assert.equal(text('IE') + text('xNome'), /<IE>(\w+)/.exec(message)?.[1] ?? '')
  })
}

test('265 echoes the state asked, as captured', async () => {
  const text = read(await send(SVRS, wrap('AL', consCad('AL', 'IE', '240739078'))))
  assert.equal(text('UF') + text('cUF') + text('IE'), 'AL27240739078')
  assert.equal(text('xMotivo'), 'Rejeicao: Sigla da UF da consulta difere da UF do Web Service')
})

test('an e-CPF is no issuer of NF-e', async () => {
  const body = wrap('SP', consCad('SP', 'CNPJ', paulista))
  assert.equal(read(await send(SP, body, {}, 'pessoa'))('cStat'), '257')
  assert.equal(read(await send(SP, body, {}, 'alfanumerico'))('cStat'), '111')
})

test('a message that is not UTF-8 is rejected with 402, whatever says so', async () => {
  const body = wrap('SP', consCad('SP', 'CNPJ', paulista))
  assert.equal(await code(SP, body, { 'content-type': 'application/soap+xml; charset=iso-8859-1' }), '402')
  assert.equal(await code(SP, body.replace('UTF-8', 'ISO-8859-1')), '402')
  assert.equal(await code(SP, Buffer.from(body.replace('CONS-CAD', 'CONS-CÃD'), 'latin1')), '402')
})

test('MT wants one more element around the message, of either form', async () => {
  const message = consCad('MT', 'CNPJ', examples.umaInscricao.get('MT') ?? '')
  const data = `<nfeDadosMsg xmlns="${WSDL}">${message}</nfeDadosMsg>`
  assert.equal(await code(MT, envelope(`<nfeDadosMsg xmlns="${WSDL}">${data}</nfeDadosMsg>`)), '111')
  assert.equal(
    await code(MT, envelope(`<consultaCadastro xmlns="${WSDL}">${data}</consultaCadastro>`)),
    '111',
  )
})

function unusedInscricao(): string {
  for (let semente = 1; ; semente++) {
    const ie = makeInscricao('SP', semente)
    if (!findByInscricao('SP', ie)) return ie
  }
}
