import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isUf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import type { Pergunta } from '../../src/portal/estado.ts'
import { CNPJ, envelope, infCad, retConsCad, SERVICE, SOAP12, useCadastro } from '../kit/authority.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const service = useCadastro()
const found = envelope(retConsCad('111', infCad('<cSit>1</cSit>')))
const perguntas: Pergunta[] = [
  CNPJ,
  { tipo: 'cpf', documento: '52998224725' },
  { tipo: 'ie', documento: '110042490114' },
]
let schema: Schema
before(() => {
  schema = openSchema('consCad_v2.00.xsd')
})
after(() => schema.dispose())

for (const [uf, { ie }] of [...estados].filter(([, { ie }]) => ie[0].familia === 'cadastro')) {
  test(`${uf}: the message fits the official schema, with nothing between its tags, for CNPJ, CPF and IE`, async () => {
    assert.equal(ie[0].source.id, `${uf}/ie`)
    for (const pergunta of perguntas) {
      const tag = pergunta.tipo.toUpperCase()
      service.answers(envelope(retConsCad('259', '', `<${tag}>${pergunta.documento}</${tag}>`)))
      assert.deepEqual(await service.ask(uf, pergunta), [])
      const { body, type } = service.last()
      const message = cutOut(body, 'ConsCad')
      assert.equal(schema.problem(message.xml), undefined)
      assert.deepEqual([message.text('UF'), message.text(tag)], [[uf], [pergunta.documento]])
      assert.doesNotMatch(body, />\s+</)
      assert.ok(body.startsWith('<?xml version="1.0" encoding="utf-8"?>'))
      assert.match(
        body,
        new RegExp(`<(\\w+):Envelope xmlns:\\1="${SOAP12}"><\\1:Body><\\w+ xmlns="${SERVICE}">`),
      )
      assert.equal(type, `application/soap+xml; charset=utf-8; action="${SERVICE}/consultaCadastro"`)
    }
  })
}

test("MT has the operation's element around the message, the others do not", async () => {
  service.answers(found)
  await service.ask('SP')
  assert.match(service.last().body, /Body><nfeDadosMsg xmlns="[^"]+"><ConsCad /)
  await service.ask('MT')
  assert.match(service.last().body, /Body><consultaCadastro xmlns="[^"]+"><nfeDadosMsg><ConsCad /)
})

test('production and homologation have addresses of their own', async () => {
  service.answers(found)
  await service.ask('SP')
  assert.equal(service.last().host, 'nfe.fazenda.sp.gov.br')
  await service.ask('SP', CNPJ, { ambiente: 'homologacao' })
  const { host, path } = service.last()
  assert.equal(`${host}${path}`, 'homologacao.nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx')
})

test("a number that the message has no room for, such as a rural producer's in SP, is not sent", async () => {
  await assert.rejects(service.ask('SP', { tipo: 'ie', documento: 'P011004243002' }), {
    name: 'RotaNaoAtende',
    message: /só recebe inscrições formadas de dígitos/,
  })
})

test('without a certificate nothing is sent, and the operator is told which setting is missing', async () => {
  await assert.rejects(service.ask('SP', CNPJ, { certificado: undefined }), {
    name: 'RotaNaoAtende',
    message: /A1_FILE/,
  })
})

test('the folder is the registry: a file a state, named after it', () => {
  const files = readdirSync(join(import.meta.dirname, '../../src/estados'))
    .filter((name) => name !== 'estado.ts' && name !== 'estados.ts')
    .map((name) => name.replace('.ts', '').toUpperCase())
  assert.deepEqual(files.sort(), [...estados.keys()].sort())
  for (const [uf, estado] of estados) {
    assert.ok(isUf(uf))
    assert.equal(estado.uf, uf)
    assert.match(estado.ie[0].em, /^\d{4}(-\d{2}){0,2}$/)
  }
})

const fault = (reason: string): string =>
  `<soap:Envelope xmlns:soap="${SOAP12}"><soap:Body><soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="pt-BR">${reason}</soap:Text></soap:Reason></soap:Fault></soap:Body></soap:Envelope>`

test('a service that does not know the action is asked by its other name, once; another fault is told as it is', async () => {
  const XML = 'application/soap+xml; charset=utf-8'
  for (const reason of [
    'Unable to handle request without a valid action parameter. Please supply a valid soap action.',
    'Server did not recognize the value of HTTP Header SOAPAction: x.',
    'The endpoint reference (EPR) for the Operation not found is /nfe-service/services/CadConsultaCadastro4 and the WSA Action = x.',
  ]) {
    service.answers(fault(reason), XML, 500)
    service.afterwards(found)
    assert.equal((await service.ask('PE')).length, 1)
    assert.equal(service.last().type, `${XML}; action="${SERVICE}/consultaCadastro4"`)
  }
  service.answers(fault('Object reference not set to an instance of an object.'), XML, 500)
  service.afterwards(found)
  await assert.rejects(service.ask('PE'), { kind: 'http' })
  assert.equal(service.last().type, `${XML}; action="${SERVICE}/consultaCadastro"`)
})
