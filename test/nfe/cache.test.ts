import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dvCnpj } from '../../simulator/documento/documento.ts'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { notaDe } from '../../simulator/nfe/nota.ts'
import type { Chamador } from '../../simulator/platform/autoridade.ts'
import { type Answer, start } from '../kit/house.ts'
import { type AnswerNfe, creditsOf, DIA_MS, startNfe, useNfe } from '../kit/nfe.ts'

const API_KEY = 'chave-de-teste-0123456789'
const SEGUNDO = 1 / 86_400

const restantes = ({ headers }: Answer): string | null => headers.get('x-sefaz-consultas-restantes')

/** The issuer of a note. */
function emitenteDe(chave: string): Chamador {
  const nota = notaDe(chave)
  assert.ok(nota)
  return nota.emitente
}

/** A branch of a company. */
const filialDe = ({ documento, nome }: Chamador): Chamador => {
  const doze = `${documento.slice(0, 8)}0077`
  return { tipo: 'cnpj', documento: doze + dvCnpj(doze), nome }
}

function assertKept({ item, passos, body, headers }: AnswerNfe, xml: string | null): void {
  const { status, cstat, from_cache, manifestacao, mensagem } = item
  assert.deepEqual([status, cstat, from_cache, manifestacao], ['ok', '138', true, null])
  assert.ok(item.xml !== null && item.xml === xml, 'the note, octet by octet')
  assert.match(mensagem, /XML já obtido nas últimas 24 horas; nenhum evento foi enviado agora/)
  assert.equal(passos, '', 'nobody was asked')
  assert.deepEqual([body.com_dado, body.creditos_cobrados], [1, 3])
  assert.equal(headers.get('x-credits-charged'), '3')
}

describe('the notes that were delivered, for 24 hours', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  test('a note is served for 24 hours at its full price, without a query or an event; then it is asked again', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia')
    const credits = await creditsOf(house, key)
    const first = await house.askFor('ciencia', { chave, key })
    assert.deepEqual([first.item.from_cache, first.passos], [false, 'consulta 210210 consulta'])
    const kept = await house.askFor('ciencia', { chave, key })
    assertKept(kept, first.item.xml)
    assert.deepEqual([restantes(first), restantes(kept)], ['18', '18'])
    assert.equal(await creditsOf(house, key), credits - 6)
    house.pass(DIA_MS - 1)
    assertKept(await house.askFor('ciencia', { chave, key }), first.item.xml)
    // The certificate is verified anew, and the note is no younger for it.
    await house.askFor('ciencia', { key, dias: 4, corpo: { manifestar: false } })
    house.pass(1)
    const again = await house.askFor('ciencia', { chave, key })
    assert.deepEqual([again.item.from_cache, again.passos], [false, 'consulta'])
    assert.equal(again.item.xml, first.item.xml)
  })

  test('manifestar = false gets what is kept too', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('transportador')
    const { item } = await house.askFor('transportador', { chave, key })
    assertKept(await house.askFor('transportador', { chave, key, corpo: { manifestar: false } }), item.xml)
  })

  test('another participant is first asked about of the authority, and from then on gets what is kept', async () => {
    const { house, key } = nfeOf()
    const [chave, other] = [0, 1].map((at) => house.chaveDe('autorizado', 3 + at * SEGUNDO))
    assert.ok(chave && other)
    await house.askFor('autorizado', { chave, key })
    const { item } = await house.askFor('autorizado', { chave: other, key })
    const arquivo = await house.cartorio.issue(emitenteDe(chave))
    const asked = await house.askFor('autorizado', { chave, key, arquivo })
    assert.deepEqual([asked.item.status, asked.item.cstat, asked.item.from_cache], ['ok', '641', false])
    assert.equal(asked.passos, 'consulta portal')
    assertKept(await house.askFor('autorizado', { chave, key, arquivo }), asked.item.xml)
    assertKept(await house.askFor('autorizado', { chave: other, key, arquivo }), item.xml)
    // Another certificate of the same holder is not verified yet.
    const renewed = await house.cartorio.issue(emitenteDe(chave))
    assert.equal(
      (await house.askFor('autorizado', { chave, key, arquivo: renewed })).passos,
      'consulta portal',
    )
    house.pass(DIA_MS)
    await house.askFor('autorizado', { chave, key })
    const expired = await house.askFor('autorizado', { chave, key, arquivo })
    assert.equal(expired.item.from_cache, false, 'what an authority believed a day ago')
  })

  test('a branch of a participant is a participant', async () => {
    const { house, key } = nfeOf()
    const { titular } = comCenario('a1')
    const [chave, other] = [0, 1].map((at) => house.chaveDe('a1', 3 + at * SEGUNDO))
    assert.ok(chave && other)
    const { item } = await house.askFor('a1', { chave, key, arquivo: 'aes' })
    const arquivo = await house.cartorio.issue(filialDe(titular))
    const ask = (one: string) =>
      house.askFor('a1', { chave: one, key, arquivo, corpo: { manifestar: false } })
    assert.equal((await ask(chave)).item.status, 'nao_autorizado', 'the authority goes by the whole CNPJ')
    // The branch has no queries left, so the portal is asked. The portal goes by the root of the CNPJ.
    for (let i = 1; i < 20; i++) await house.askFor('inexistente', { key, arquivo, dias: 20 + i * SEGUNDO })
    const believed = await ask(other)
    assert.deepEqual([believed.item.status, believed.passos], ['ok', 'portal'])
    assertKept(await ask(chave), item.xml)
  })

  test('who is not on the note never gets it, however well known to the authority', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('transportador')
    await house.askFor('transportador', { chave, key })
    assert.equal((await house.askFor('ciencia-anterior', { key })).item.status, 'ok', 'it is believed')
    const { item, passos, body } = await house.askFor('transportador', {
      chave,
      key,
      arquivo: 'nfe-ciencia-anterior',
    })
    assert.deepEqual([item.status, item.cstat, item.xml], ['nao_autorizado', '640', null])
    assert.deepEqual([passos, body.creditos_cobrados], ['consulta', 0])
  })

  test('a certificate made at home in the name of a participant gets nothing that is kept, nor uses up the queries', async () => {
    const { house, key } = nfeOf()
    house.pass(DIA_MS)
    const chave = house.chaveDe('ciencia-anterior')
    const first = await house.askFor('ciencia-anterior', { chave, key })
    const arquivo = await house.cartorio.forge(comCenario('ciencia-anterior').titular)
    for (let i = 0; i < 21; i++) {
      const forged = await house.askFor('ciencia-anterior', { chave, key, arquivo })
      const { status, xml, from_cache, manifestacao, mensagem } = forged.item
      assert.deepEqual([status, xml, from_cache, manifestacao], ['erro', null, false, null])
      assert.match(mensagem, /recusou o certificado enviado na requisição/)
      assert.equal(forged.body.creditos_cobrados, 0)
    }
    const kept = await house.askFor('ciencia-anterior', { chave, key })
    assertKept(kept, first.item.xml)
    assert.deepEqual([restantes(first), restantes(kept)], ['19', '19'])
    const other = await house.askFor('ciencia-anterior', { key, dias: 4 })
    assert.deepEqual([other.passos, restantes(other)], ['consulta', '18'])
  })

  test('neither a summary, a refusal nor a failure is kept', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const corpo = { manifestar: false }
    for (const [cenario, status, passos] of [
      ['sem-manifestar', 'somente_resumo', 'consulta'],
      ['queda', 'erro', 'consulta'],
      ['inexistente', 'nao_encontrado', 'consulta'],
      ['cancelada', 'cancelada', 'consulta'],
      ['estranho', 'nao_autorizado', 'consulta'],
      ['sem-protocolo', 'erro', 'consulta'],
      ['fora-prazo-portal-fora', 'fora_prazo', 'consulta portal'],
      ['emitente-portal-nega', 'erro', 'consulta portal'],
    ] as const)
      for (let i = 0; i < 2; i++) {
        const answer = await house.askFor(cenario, { key, corpo })
        assert.deepEqual([cenario, answer.item.status, answer.passos], [cenario, status, passos])
        assert.equal(answer.item.from_cache, false)
      }
    // The service asked for what was missing, and got it.
    const { item, passos } = await house.askFor('sem-manifestar', { key })
    assert.deepEqual([item.status, passos], ['ok', 'consulta 210210 consulta'])
  })

  test('what is kept outlives a restart, and cannot be read in the database', async (t) => {
    const { house } = nfeOf()
    const pasta = await mkdtemp(join(tmpdir(), 'cache-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    const env = { DATA_DIR: pasta, BOOTSTRAP_API_KEY: API_KEY, SIMULATOR_URL: house.simulador }
    const first = await start(env, house.now)
    const chave = house.chaveDe('transportador')
    const { item } = await house.askFor('transportador', { chave, em: first, key: API_KEY })
    assert.equal(item.status, 'ok')
    await first.close()
    const names = await readdir(pasta)
    const files = await Promise.all(
      names.filter((name) => name.includes('.db')).map((name) => readFile(join(pasta, name))),
    )
    const stored = Buffer.concat(files)
    assert.ok(stored.includes('/api/consultar-nfe-xml'), 'the books are there to be read')
    const { titular } = comCenario('transportador')
    for (const piece of ['nfeProc', 'infNFe', titular.documento, titular.nome, chave, chave.slice(25, 43)])
      assert.ok(!stored.includes(piece), piece)
    const second = await start(env, house.now)
    t.after(second.close)
    assertKept(await house.askFor('transportador', { chave, em: second, key: API_KEY }), item.xml)
  })
})
