import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { type PerguntaDoPainel, perguntas } from '../../src/painel/consultar/perguntas.ts'
import { ORDEM } from '../../src/platform/pages/amostras.ts'
import { readExemplos } from '../../src/platform/simulator.ts'
import { findCorredor, readAmostra } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

/** What the API is sent: all that may change what it does. */
type Enviado = { metodo: string; caminho: string; busca: unknown; corpo: unknown; guarda: string | undefined }

const enviadoDe = (
  { method = '', url = '', headers }: { method?: string; url?: string; headers: NodeJS.Dict<unknown> },
  corpo: unknown,
): Enviado => {
  const { pathname, searchParams } = new URL(url, 'http://x')
  return {
    metodo: method,
    caminho: decodeURIComponent(pathname),
    busca: Object.fromEntries([...searchParams].toSorted()),
    corpo,
    guarda: headers['cache-control'] === 'no-cache' ? 'no-cache' : undefined,
  }
}

/** A form with some of its boxes ticked, what its page sent, and the samples that it shows. */
type Caso = { nome: string; marcas: readonly Marca[]; enviado: Enviado; codigos: Map<string, string> }
type Marca = { nome: string; onde: string; isOn: boolean }

/** A document of each kind, and the state that is asked. */
const DOCUMENTOS = { cnpj: '99001002000162', cpf: '52998224725', ie: '110042490114' } as const

describe('the code that a page shows beside its answer', () => {
  let house: House
  let visitor: Member
  let nota: Record<string, unknown>
  const casos: Caso[] = []
  const chegaram = new Map<string, Enviado>()
  let pasta: string
  let ouvinte: Server

  before(async () => {
    house = await start()
    visitor = await enterPainel(house, 'enterprise')
    // With nothing left each lookup is refused at the price: the call arrives, and no authority is asked.
    const gasto = { conta: visitor.conta, request_id: randomUUID(), endpoint: 'teste', creditos: 100_000 }
    assert.ok((await house.rooms.platform.ledger.charge(gasto)).ok)
    nota = Object((await readExemplos(house.rooms.platform.simulador))['/api/consultar-nfe-xml'])
    pasta = mkdtempSync(join(tmpdir(), 'amostras-'))
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(pasta, 'node_modules'))
    writeFileSync(join(pasta, 'package.json'), '{"type":"module"}')
    writeFileSync(join(pasta, 'certificado.pfx'), String(nota.certificado), 'base64')
    ouvinte = createServer(async (request, response) => {
      const [, linguagem, at, ...rest] = (request.url ?? '').split('/')
      const body = await text(request)
      const asked = { method: request.method ?? '', url: `/${rest.join('/')}`, headers: request.headers }
      chegaram.set(`${linguagem} ${at}`, enviadoDe(asked, body === '' ? undefined : JSON.parse(body)))
      response.setHeader('content-type', 'application/json').end('{}')
    }).listen(0, '127.0.0.1')
    await once(ouvinte, 'listening')
    for (const pergunta of perguntas)
      for (const marcas of combinacoesDe(pergunta))
        for (const tipo of pergunta.tipos) casos.push(await enviarPelaPagina(pergunta, tipo, marcas))
  })
  after(async () => {
    await new Promise((resolve) => ouvinte.close(resolve))
    rmSync(pasta, { recursive: true, force: true })
    await house.close()
  })

  const DA_NOTA = ['manifestar', 'simular'].map((nome) => ({ nome, onde: 'body' }))

  /** Every way to tick the boxes of a form. */
  function combinacoesDe({ id, marcas }: PerguntaDoPainel): Marca[][] {
    const boxes = id === 'nota' ? DA_NOTA : marcas
    return Array.from({ length: 2 ** boxes.length }, (_, bits) =>
      boxes.map(({ nome, onde }, at) => ({ nome, onde, isOn: ((bits >> at) & 1) === 1 })),
    )
  }

  /** Sends the form as a browser does, and hears what arrives at the API. */
  async function enviarPelaPagina(
    { id, pedeUf }: PerguntaDoPainel,
    tipo: PerguntaDoPainel['tipos'][number],
    marcas: Marca[],
  ): Promise<Caso> {
    const ticked = Object.fromEntries(marcas.filter(({ isOn }) => isOn).map(({ nome }) => [nome, 'true']))
    const documento = tipo === 'chave' ? '' : DOCUMENTOS[tipo]
    const fields: Record<string, string> =
      tipo === 'chave'
        ? { chave: String(nota.chave), ...ticked }
        : { documento, uf: pedeUf || tipo === 'ie' ? 'SP' : '', pergunta: id, ...ticked }
    const heard: Enviado[] = []
    const hear = (message: unknown): void => {
      const { url, method, headers, body } = Object(message).request
      if (url.startsWith('/api/')) heard.push(enviadoDe({ method, url, headers }, body ?? undefined))
    }
    subscribe('tracing:fastify.request.handler:start', hear)
    try {
      const sent = await (tipo === 'chave'
        ? enviarComCertificado('/painel/consultar/nota/', fields)
        : visitor.post('/painel/consultar/', fields))
      const nome = `${id} ${JSON.stringify(fields)}`
      assert.equal(sent.status, 303, nome)
      const { text: page } = await visitor.get(sent.headers.get('location') ?? '')
      const [enviado, ...others] = heard
      assert.ok(enviado, `${nome}: the API heard nothing`)
      assert.deepEqual(others, [], nome)
      const $ = load(page)
      const codigos = ORDEM.map((one): [string, string] => [one, $(`#${one}`).text()])
      return { nome, marcas, enviado, codigos: new Map(codigos) }
    } finally {
      unsubscribe('tracing:fastify.request.handler:start', hear)
    }
  }

  async function enviarComCertificado(path: string, fields: Record<string, string>) {
    const { text: page, headers } = await visitor.get(path)
    const $ = load(page)
    const body = new FormData()
    for (const one of $('form.da-nota input[type="hidden"]').get())
      body.set($(one).attr('name') ?? '', $(one).attr('value') ?? '')
    for (const [nome, value] of Object.entries({ ...fields, senha: String(nota.senha) }))
      body.set(nome, value)
    body.set('certificado', new Blob([Buffer.from(String(nota.certificado), 'base64')]), 'a1.pfx')
    const [formulario = ''] = (headers.get('set-cookie') ?? '').split(';')
    const cookie = `${visitor.cookie}; ${formulario}`
    const sent = { cookie, 'sec-fetch-site': 'same-origin' }
    return house.ask(path, { key: null, method: 'POST', headers: sent, body })
  }

  test('every form is there with every combination of its boxes', () => {
    assert.equal(perguntas.length, 11)
    assert.equal(casos.filter(({ nome }) => nome.startsWith('nota')).length, 4)
    for (const { nome, marcas, enviado } of casos)
      for (const { nome: box, onde, isOn } of marcas) {
        if (onde === 'body') assert.equal(Object(enviado.corpo)[box], isOn, nome)
        if (onde === 'query') assert.equal(Object(enviado.busca)[box], String(isOn), nome)
        if (onde === 'header') assert.equal(enviado.guarda !== undefined, isOn, nome)
      }
  })

  const senha = (): Record<string, string> => ({ CHAVE: 'cf_de_ninguem', SENHA: String(nota.senha) })

  // `npm run test:longo` also runs those that are compiled.
  for (const lingua of process.env.LONGO ? ORDEM : ['sh', 'ts', 'py'])
    test(`what the page sends, and what its sample in ${lingua} sends, are the same`, async (t) => {
      const corredor = await findCorredor(lingua)
      if (typeof corredor === 'string') return t.skip(corredor)
      const to = `http://127.0.0.1:${Object(ouvinte.address()).port}/${lingua}`
      const samples = casos.map(({ codigos }, at) =>
        (codigos.get(lingua) ?? '').replaceAll(house.address, `${to}/${at}`),
      )
      await corredor.run(samples, pasta, senha())
      for (const [at, { nome, enviado }] of casos.entries())
        assert.deepEqual(chegaram.get(`${lingua} ${at}`), enviado, nome)
    })

  for (const lingua of ['ps1', 'cs', 'java', 'php', 'pas'])
    test(`what the page sends, and what its sample in ${lingua} says, are the same`, () => {
      const arquivos = { 'certificado.pfx': Buffer.from(String(nota.certificado), 'base64') }
      for (const { nome, enviado, codigos } of casos) {
        const codigo = codigos.get(lingua) ?? ''
        const { metodo, endereco, cabecalhos, corpo } = readAmostra(lingua, codigo, {
          variaveis: senha(),
          arquivos,
        })
        const headers = { 'cache-control': cabecalhos['cache-control'] }
        assert.ok(endereco.startsWith(`${house.address}/api/`), nome)
        assert.deepEqual(enviadoDe({ method: metodo, url: endereco, headers }, corpo), enviado, nome)
        assert.equal(cabecalhos['X-API-Key'], 'cf_de_ninguem')
      }
    })
})
