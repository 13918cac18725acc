import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import mde from 'node-mde'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo } from '../../simulator/nfe/nota.ts'
import { askChave } from '../../src/nfe/source-distribuicao.ts'
import { registerEvento } from '../../src/nfe/source-evento.ts'
import type { Dial } from '../../src/platform/wire/dial.ts'
import { hostProfiles } from '../../src/platform/wire/dial.ts'
import type { Http } from '../../src/platform/wire/http.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { openStage, type Stage } from '../kit/witnesses.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.close())

/**
 * The address of the events in the published list. node-mde's own address is at www1, which asks for the
 * certificate in the handshake.
 */
const PUBLISHED = 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx'

/**
 * A client of the national environment without our code: node-mde (MIT), with its own TLS settings. Only its
 * addresses change: every name leads to the gateway, and `baseURL` gives the events another address.
 */
async function callWitness(scenario: string, baseURL?: string) {
  const a1 = await stage.icp.certificado(`nfe-${scenario}`)
  assert.ok(a1)
  const { documento } = comCenario(scenario).titular
  const config = {
    pfx: a1.pfx,
    passphrase: a1.item.senha,
    cnpj: documento,
    cUFAutor: '35',
    tpAmb: '1',
    options: {
      requestOptions: { proxy: false },
      httpsOptions: { host: '127.0.0.1', port: stage.gateway.porta },
    },
  } as const
  const { options } = config
  const requestOptions = { ...options.requestOptions, ...(baseURL && { baseURL }) }
  return {
    a1,
    distribution: new mde.DistribuicaoDFe(config),
    events: new mde.RecepcaoEvento({
      ...config,
      timezone: 'America/Sao_Paulo',
      options: { ...options, requestOptions },
    }),
  }
}

const dial = (): Dial => ({
  mode: 'simulator',
  ca: stage.icp.ca,
  gateway: { host: '127.0.0.1', port: stage.gateway.porta },
  hosts: hostProfiles,
})

/** A key of the scenario's note, authorized an hour ago. */
const keyOf = (scenario: string): string => chaveDo(comCenario(scenario), new Date(Date.now() - 3_600_000))

test('an independent client gets the summary, registers a Ciência, and gets the note that our adapter gets', async () => {
  const chNFe = keyOf('ciencia')
  const { a1, distribution, events } = await callWitness('ciencia')
  const before = await distribution.consultaChNFe(chNFe)
  assert.equal(before.error, undefined)
  assert.equal(before.data.cStat, '138')
  assert.equal(before.data.docZip[0].schema, 'resNFe_v1.01.xsd')
  assert.equal(before.data.docZip[0].json.resNFe.chNFe, chNFe)

  const event = await events.enviarEvento({ idLote: '1', lote: [{ chNFe, tipoEvento: 210210 }] })
  assert.equal(event.error, undefined)
  assert.equal(event.data.cStat, '128')
  const [registered] = event.data.infEvento
  assert.equal(registered?.cStat, '135')
  assert.equal(registered?.chNFe, chNFe)
  assert.match(registered?.nProt ?? '', /^891\d{12}$/)

  const whole = await distribution.consultaChNFe(chNFe)
  assert.equal(whole.data.docZip[0].schema, 'procNFe_v4.00.xsd')
  assert.equal(whole.data.docZip[0].json.nfeProc.protNFe.infProt.chNFe, chNFe)

  const { titular, key, cert, impressao } = await readPfx(a1.pfx, a1.item.senha)
  const http = openTransport(dial(), { certificate: { impressao, key, cert } })
  try {
    const means = { http, ambiente: 'producao', now: () => new Date(), deadlineMs: 10_000 } as const
    const ours = await askChave(means, { chave: chNFe, interessado: titular })
    assert.deepEqual(ours, { tipo: 'xml', xml: whole.data.docZip[0].xml })
  } finally {
    await http.close()
  }
})

test('an independent client registers an event at the name that asks for the certificate by renegotiation', async () => {
  const chNFe = keyOf('ciencia')
  const before = stage.gateway.estatisticas().handshakes.renegociados
  const { events } = await callWitness('ciencia', PUBLISHED)
  const event = await events.enviarEvento({ idLote: '4', lote: [{ chNFe, tipoEvento: 210200 }] })
  assert.equal(event.error, undefined)
  assert.equal(event.data.infEvento[0]?.cStat, '135')
  assert.equal(stage.gateway.estatisticas().handshakes.renegociados, before + 1)
})

type Certificado = NonNullable<Awaited<ReturnType<Stage['icp']['certificado']>>>

/** The messages of our adapters for the same questions, each in the order in which it is asked here. */
async function askedByUs({ pfx, item: { senha } }: Certificado, chave: string): Promise<string[]> {
  const { titular, key, cert, impressao } = await readPfx(pfx, senha)
  const bodies: string[] = []
  const door = openTransport(dial(), { certificate: { impressao, key, cert } })
  const http: Http = {
    ...door,
    send: (ask) => {
      bodies.push(String(ask.body))
      return door.send(ask)
    },
  }
  const means = { http, ambiente: 'producao', now: () => new Date(), deadlineMs: 10_000 } as const
  try {
    await askChave(means, { chave, interessado: { ...titular, uf: 'SP' } })
    await registerEvento(means, { chave, evento: 'ciencia', autor: titular, key, cert })
  } finally {
    await door.close()
  }
  return bodies
}

/**
 * A message in a common form: without idle namespaces and the parts that change with each sending, and with
 * empty tags written alike.
 */
const shapeOf = (message: string): string =>
  message
    .replaceAll(/ xmlns:xs[id]="[^"]*"/g, '')
    .replaceAll(/<(\w+)([^<>]*)\/>/g, '<$1$2></$1>')
    .replaceAll(/<(idLote|dhEvento|DigestValue|SignatureValue)>[^<]*/g, '<$1>')

test('our messages and those of an independent client are the same, tag by tag', async () => {
  const chNFe = keyOf('ciencia')
  const { a1, distribution, events } = await callWitness('ciencia')
  const theirs = [
    (await distribution.consultaChNFe(chNFe)).reqXml,
    (await events.enviarEvento({ idLote: '1', lote: [{ chNFe, tipoEvento: 210210 }] })).reqXml,
  ]
  assert.deepEqual((await askedByUs(a1, chNFe)).map(shapeOf), theirs.map(shapeOf))
})

test('an independent client is refused as it should be, and told why', async () => {
  const chNFe = keyOf('ciencia-anterior')
  const { distribution, events } = await callWitness('ciencia-anterior')
  const again = await events.enviarEvento({ idLote: '2', lote: [{ chNFe, tipoEvento: 210210 }] })
  assert.equal(again.data.infEvento[0]?.cStat, '573')
  const undone = { chNFe, tipoEvento: 210240, justificativa: 'A mercadoria não foi entregue' } as const
  const other = await events.enviarEvento({ idLote: '3', lote: [undone, { chNFe, tipoEvento: 210200 }] })
  assert.deepEqual(
    other.data.infEvento.map(({ cStat }) => cStat),
    ['135', '135'],
  )
  const none = await distribution.consultaUltNSU('000000000000000')
  assert.equal(none.data.cStat, '137')
  const stranger = await (await callWitness('estranho')).distribution.consultaChNFe(keyOf('estranho'))
  assert.equal(stranger.data.cStat, '640')
})
