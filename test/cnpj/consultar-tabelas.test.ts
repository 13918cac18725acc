import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { contribuinteComportado } from '../../simulator/mundo/efeito.ts'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { activateVersao } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { reservado } from '../kit/simulator.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

/** The only registration that a row of the simulator's list is answered with. */
async function itemOf(nota: string): Promise<Record<string, string>> {
  const row = listRoteiro().find((one) => one.endpoint === '/api/consultar' && one.nota === nota)
  assert.ok(row, `the list has no row "${nota}"`)
  return itemAt(`/api/consultar?${new URLSearchParams(row.parametros)}`)
}

async function itemAt(path: string): Promise<Record<string, string>> {
  const { status, body, text } = await house.ask(path)
  assert.equal(status, 200, text)
  const [item, ...others] = Array.isArray(body.results) ? body.results : []
  assert.deepEqual(others, [])
  return item
}

/** What the CNPJ base says of the company's own activity, by the words of the CNPJ look-up. */
async function activityOf({ cpf_cnpj = '' }: Record<string, string>): Promise<[string, string]> {
  const { body } = await house.ask(`/api/consultar-cnpj?cnpj=${cpf_cnpj.replace(/\D/g, '')}`)
  const { cnae_principal_codigo, cnae_principal_descricao } = Object(body.result)
  return [cnae_principal_codigo, cnae_principal_descricao]
}

test('a state that tells the activity by its code alone: the words are those of the CNPJ base', async () => {
  const item = await itemOf('uma inscrição em PR')
  assert.notEqual(item.cnae_descricao, '')
  assert.deepEqual([item.cnae_codigo, item.cnae_descricao], await activityOf(item))
})

test('in all states, too', async () => {
  const cnpj = (await itemOf('uma inscrição em MT')).cpf_cnpj?.replace(/\D/g, '') ?? ''
  const { body } = await house.ask(`/api/consultar-ie-todos?cnpj=${cnpj}`)
  const entries: { uf: string; results: Record<string, string>[] }[] = Array.isArray(body.results)
    ? body.results
    : []
  const item = entries.find(({ uf }) => uf === 'MT')?.results[0] ?? {}
  assert.deepEqual([item.cnae_codigo, item.cnae_descricao], await activityOf(item))
})

test("a state's own words are left as they are", async () => {
  const item = await itemOf('uma inscrição em RJ')
  const [codigo, descricao] = await activityOf(item)
  assert.equal(item.cnae_codigo, codigo)
  assert.equal(item.cnae_descricao, descricao.toUpperCase())
  assert.notEqual(item.cnae_descricao, descricao)
})

test('what neither the state nor a table tells stays empty', async () => {
  const item = await itemOf('uma inscrição em GO')
  assert.deepEqual([item.cnae_codigo, item.cnae_descricao, item.municipio], ['', '', ''])
})

test('a code that the base lacks, or no base at all, leaves the words empty; a later base tells them of the same answer', async (t) => {
  const raiz = join(house.pasta, 'cnpj')
  const pasta = mkdtempSync(join(tmpdir(), 'sem-cnaes-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  await generateDump({ pasta, estabelecimentos: 10, versao: '2026-11' })
  const conteudo = Buffer.from('"4711302";"Comércio varejista"\n', 'latin1')
  await writeZip(join(pasta, 'Cnaes.zip'), [{ nome: 'F.K03200$Z.D61114.CNAECSV', conteudo }])
  await importCnpj({ pasta, raiz, amostra: true, now: () => NOW })
  house.rooms.cnpj.base.refresh()

  const ownWords = `/api/consultar?uf=SC&cnpj=${reservado('ws-fora')}`
  const codeAlone = `/api/consultar?uf=PR&cnpj=${reservado('municipio-sem-nome')}`
  const unknown = await itemAt(codeAlone)
  assert.deepEqual([unknown.cnae_codigo, unknown.cnae_descricao], ['1091102', ''])
  assert.notEqual((await itemAt(ownWords)).cnae_descricao, '', 'a portal tells its own words')

  renameSync(join(raiz, 'ativa'), join(raiz, 'guardada'))
  house.rooms.cnpj.base.close()
  assert.equal((await house.ask('/api/v1/base-cnpj')).status, 503)
  assert.equal((await itemAt(codeAlone)).cnae_descricao, '')

  activateVersao(raiz, '2026-10')
  house.rooms.cnpj.base.refresh()
  const { body } = await house.ask(codeAlone)
  assert.equal(body.cached, true)
  const known = await itemAt(codeAlone)
  assert.match(known.cnae_descricao ?? '', /padaria/)
  assert.deepEqual({ ...known, cnae_descricao: '' }, unknown)

  activateVersao(raiz, '2026-11')
  house.rooms.cnpj.base.refresh()
  assert.deepEqual(await itemAt(codeAlone), unknown, 'the cache keeps what the state told')
})

test("a state that tells the municipality by its code alone: the name is the table's", async () => {
  const cnpj = reservado('municipio-sem-nome')
  const item = await itemAt(`/api/consultar?uf=PR&cnpj=${cnpj}`)
  assert.equal(item.municipio, contribuinteComportado(cnpj, 'PR').inscricoes[0]?.endereco.municipio)
  assert.notEqual(item.municipio, '')
})
