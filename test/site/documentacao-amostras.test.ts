import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { ORDEM } from '../../src/platform/pages/amostras.ts'
import { testOnce } from '../kit/basics.ts'
import { type Exemplo, findCorredor, listExemplos, placed, readAmostra } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'
import { signUp } from '../kit/pages.ts'
import { feita } from '../kit/sefaz.ts'

/** Each language has a service of its own: two sign-ups of one e-mail are not answered alike. */
type Mesa = {
  house: House
  exemplos: readonly Exemplo[]
  page: CheerioAPI
  pasta: string
  variaveis: Record<string, string>
  arquivos: Record<string, Buffer>
}

async function openMesa(): Promise<Mesa> {
  // A note and its certificate are of today.
  const house = await start({}, () => new Date())
  await house.rooms.sefaz.monitor.keep(feita(Date.now()))
  const exemplos = await listExemplos(house)
  const { email } = await signUp(house)
  const login = await house.ask('/api/v1/auth/login', {
    key: null,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, senha: 'cavalo bateria grampo' }),
  })
  const nota = exemplos.find(({ path }) => path === '/api/consultar-nfe-xml')?.body ?? {}
  const recusada = exemplos.find(({ path }) => path === '/api/v1/rejeicoes/diagnosticar')?.body ?? {}
  const pasta = mkdtempSync(join(tmpdir(), 'referencia-'))
  const arquivos = {
    'certificado.pfx': Buffer.from(nota.certificado ?? '', 'base64'),
    'nota.xml': Buffer.from(recusada.xml ?? ''),
  }
  for (const [nome, bytes] of Object.entries(arquivos)) writeFileSync(join(pasta, nome), bytes)
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(pasta, 'node_modules'))
  writeFileSync(join(pasta, 'package.json'), '{"type":"module"}')
  const page = load((await house.ask('/documentacao', { key: null })).text)
  const variaveis = {
    CHAVE: house.apiKey ?? '',
    SENHA: nota.senha ?? '',
    TOKEN: String(login.body.access_token),
  }
  return { house, exemplos, page, pasta, variaveis, arquivos }
}

async function closeMesa({ house, pasta }: Mesa): Promise<void> {
  rmSync(pasta, { recursive: true, force: true })
  await house.close()
}

/** The code of a call on the page; undefined where it has none in a language. */
function codigoDe({ page }: Mesa, { path }: Exemplo, lingua: string): string | undefined {
  const article = page('article.operacao').filter((_, one) => page(one).find('.rota code').text() === path)
  const code = article.find(`.exemplo > .codigo.${lingua} code`)
  return code.length === 0 ? undefined : code.text()
}

/** The limit of the runner is for one test; this is one for each call. */
const ALL_MS = 600_000

// `npm run test:longo` runs every call in every language that this machine has; here the one that sends most.
const linguas = process.env.LONGO ? ORDEM : ['sh']
const isRun = ({ path }: Exemplo): boolean =>
  process.env.LONGO !== undefined || path === '/api/consultar-nfe-xml'

for (const lingua of linguas)
  test(`the samples of the reference page in ${lingua} are answered as they stand`, {
    timeout: ALL_MS,
  }, async (t) => {
    const corredor = await findCorredor(lingua)
    if (typeof corredor === 'string') return t.skip(corredor)
    const mesa = await openMesa()
    t.after(() => closeMesa(mesa))
    const amostras = mesa.exemplos.filter(isRun).flatMap((exemplo) => {
      const codigo = codigoDe(mesa, exemplo, lingua)
      return codigo === undefined && lingua === 'ts' ? [] : { exemplo, codigo: codigo ?? '' }
    })
    const codigos = amostras.map(({ codigo }) => codigo)
    const printed = await corredor.run(codigos, mesa.pasta, mesa.variaveis)
    assert.equal(printed.length, codigos.length)
    if (lingua === 'ts') return
    for (const [at, { exemplo }] of amostras.entries())
      await t.test(exemplo.path, () => {
        const answer: object = JSON.parse(printed[at] ?? '')
        assert.deepEqual(Object.keys(answer).toSorted(), Object.keys(Object(exemplo.answer)).toSorted())
      })
  })

describe('the samples of the reference page', () => {
  let mesa: Mesa
  before(async () => {
    mesa = await openMesa()
  })
  after(() => closeMesa(mesa))

  testOnce('send in every language the example that the document has', () => {
    const { house, exemplos, variaveis, arquivos } = mesa
    for (const exemplo of exemplos)
      for (const lingua of ['ps1', 'cs', 'java', 'php', 'pas']) {
        const codigo = codigoDe(mesa, exemplo, lingua) ?? assert.fail(exemplo.path)
        const sent = readAmostra(lingua, codigo, { variaveis, arquivos })
        const { filled, rest } = placed(exemplo.path, exemplo.parameters)
        const { origin, pathname, searchParams } = new URL(sent.endereco)
        assert.deepEqual([origin, pathname, [...searchParams]], [house.address, filled, rest])
        assert.equal(sent.metodo, exemplo.body ? 'POST' : 'GET')
        assert.deepEqual(sent.corpo, exemplo.body && (exemplo.body.xml ?? exemplo.body), exemplo.path)
      }
  })

  testOnce('are there in every language, and in none is the key written', () => {
    for (const exemplo of mesa.exemplos)
      for (const lingua of ORDEM) {
        const codigo = codigoDe(mesa, exemplo, lingua)
        if (codigo === undefined) {
          assert.ok(
            (lingua === 'ts' && exemplo.path.includes('/auth/')) || exemplo.path.includes('/public/'),
            exemplo.path,
          )
          continue
        }
        assert.doesNotMatch(codigo, /fk_/)
        const isOpen = /\/(?:public|auth)\//.test(exemplo.path)
        assert.equal(codigo.includes('CHAVE'), !isOpen, `${lingua} ${exemplo.path}`)
      }
  })
})
