import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mock, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { openDb } from '../../src/platform/db/db.ts'
import { addSigefCommands } from '../../src/rural/command.ts'
import { readCookies } from '../../src/rural/rules.ts'
import { openSessoes } from '../../src/rural/store.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const SEGREDO = 'segredo-de-teste-com-mais-de-32-letras'
const CABECALHO =
  'Cookie: sessionid=valor-1; TS0128ff67=valor-2\nCookie: Session_Gov_Br_Prod=valor-3; Govbrid=valor-4; _ga='
const ARQUIVO = [
  '# Netscape HTTP Cookie File',
  'sigef.incra.gov.br\tFALSE\t/\tTRUE\t0\tsessionid\tvalor-1',
  '.facebook.com\tTRUE\t/\tTRUE\t0\tc_user\tvalor-5',
].join('\n')

forEachDatabase((_dialect, fresh) => {
  async function setup(t: TestContext) {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const pasta = mkdtempSync(join(tmpdir(), 'cookies-'))
    t.after(() => rmSync(pasta, { recursive: true, force: true }))
    const options = { secret: SEGREDO, now: () => NOW, simulador: false }
    const open = () => openDb(place).then((db) => ({ sessoes: openSessoes(db, options), close: db.close }))
    const log: Mock<typeof console.log> = t.mock.method(console, 'log', () => {})
    /** Runs the command as an operator does, beside an open server, with this file. */
    const fiscal = async (args: string[], text = '', hasSimulated = false): Promise<string> => {
      log.mock.resetCalls()
      const file = join(pasta, 'cookies.txt')
      writeFileSync(file, text)
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
      addSigefCommands(program, { open, now: () => NOW, hasSimulated })
      const all = args[0] === 'importar' ? [...args, file] : args
      await program.parseAsync(['sigef', 'sessao', ...all], { from: 'user' })
      const said = log.mock.calls.map(({ arguments: [line] }) => String(line)).join('\n')
      assert.ok(!/valor-\d/.test(said), 'it shows a value')
      return said
    }
    return { db, fiscal, sessoes: openSessoes(db, options), options }
  }

  test('an operator imports a pasted header, and sees what was found and until when it serves', async (t) => {
    const { fiscal, sessoes } = await setup(t)
    const said = await fiscal(['importar'], CABECALHO)
    assert.match(said, /Cookies guardados: sigef.incra.gov.br sessionid, .*sso.acesso.gov.br Govbrid/)
    assert.doesNotMatch(said, /Faltam/)
    assert.match(said, /Sessão: suspeita/)
    assert.deepEqual(
      (await sessoes.find())?.cookies.map(({ valor }) => valor),
      ['valor-1', 'valor-2', 'valor-3', 'valor-4', ''],
    )
    assert.match(await fiscal(['mostrar']), /Login gov.br até: não se sabe/)
    const shown = JSON.parse(await fiscal(['mostrar', '--json']))
    assert.deepEqual([shown.situacao, shown.renovavel], ['suspeita', true])
  })

  test('an operator imports a cookies.txt, and is told what is missing; other sites are left out', async (t) => {
    const { fiscal, sessoes } = await setup(t)
    const said = await fiscal(['importar'], ARQUIVO)
    assert.match(said, /Faltam: Session_Gov_Br_Prod, Govbrid/)
    assert.equal((await sessoes.find())?.cookies.length, 1)
    const json = JSON.parse(await fiscal(['importar', '--json'], ARQUIVO))
    assert.deepEqual(json.cookies, ['sigef.incra.gov.br sessionid'])
    assert.equal(json.renovavel, false)
  })

  test('junk is refused, and the session before it stays', async (t) => {
    const { fiscal, sessoes } = await setup(t)
    await fiscal(['importar'], ARQUIVO)
    for (const junk of ['', 'valor-9', 'a\tb\tc\td\te\tf\tg', 'x'.repeat(17 * 1024 * 1024)])
      await assert.rejects(fiscal(['importar'], junk), { name: 'CookiesError' })
    assert.equal((await sessoes.find())?.cookies.length, 1)
  })

  test('a session is deleted, and one that another secret sealed is none', async (t) => {
    const { db, fiscal, options } = await setup(t)
    await fiscal(['importar'], ARQUIVO)
    const other = openSessoes(db, { ...options, secret: `${SEGREDO}-outro` })
    assert.deepEqual([await other.find(), await other.look()], [undefined, undefined])
    const simulada = openSessoes(db, { ...options, simulador: true })
    assert.equal(await simulada.find(), undefined, "the simulator's is another")
    assert.equal(await fiscal(['apagar']), 'Sessão apagada.')
    assert.equal(await fiscal(['apagar']), 'Não havia sessão.')
    assert.match(await fiscal(['mostrar']), /Sessão: ausente/)
  })

  test('with the simulator no session is missing: its own is told as /ready tells it, and an imported one first', async (t) => {
    const { fiscal } = await setup(t)
    assert.match(await fiscal(['mostrar'], '', true), /^Sessão: simulador/)
    const shown = JSON.parse(await fiscal(['mostrar', '--json'], '', true))
    assert.deepEqual(shown, { situacao: 'simulador', aviso: '' })
    await fiscal(['importar'], CABECALHO)
    assert.match(await fiscal(['mostrar'], '', true), /Sessão: suspeita/)
  })

  test("a session ends in four hours or with its cookie, and at once where SIGEF's cookie is missing", async (t) => {
    const { sessoes } = await setup(t)
    const endOf = async (text: string): Promise<number> => {
      const { vence_em } = await sessoes.keepImported(readCookies(text, NOW))
      return (vence_em.getTime() - NOW.getTime()) / 60_000
    }
    const soon = String(NOW.getTime() / 1000 + 3600)
    const line = (end: string) =>
      ['sigef.incra.gov.br', 'FALSE', '/', 'TRUE', end, 'sessionid', 'v'].join('\t')
    assert.deepEqual(
      [await endOf('sessionid=v'), await endOf(line(soon)), await endOf('Govbrid=v')],
      [240, 60, 0],
    )
    const other = line('0').replace('sigef.incra.gov.br', 'sso.acesso.gov.br')
    assert.equal(
      await endOf(
        `${other}\n${line('0').replace('sessionid', 'Govbrid')}\n${other.replace('sessionid', 'Govbrid')}`,
      ),
      0,
    )
  })

  test('a renewal without a login proves the session, and moves its end by nothing', async (t) => {
    const { sessoes, options, db } = await setup(t)
    await sessoes.keepImported(readCookies('sessionid=v', NOW))
    const found = await sessoes.find()
    assert.ok(found)
    const later = openSessoes(db, { ...options, now: () => new Date(NOW.getTime() + 3_600_000) })
    assert.equal(await later.keepRenewed(found, found.cookies), true)
    const { vence_em, renovada_em } = (await sessoes.look()) ?? {}
    assert.deepEqual([vence_em, renovada_em], [found.dados.vence_em, new Date(NOW.getTime() + 3_600_000)])
  })

  test('a renewal does not replace a session that was imported meanwhile', async (t) => {
    const { sessoes, fiscal } = await setup(t)
    await fiscal(['importar'], CABECALHO)
    const old = await sessoes.find()
    assert.ok(old)
    await fiscal(['importar'], ARQUIVO)
    assert.equal(await sessoes.keepRenewed(old, old.cookies), false)
    assert.equal(await sessoes.mark(old, 'encerrada', 'velha'), false)
    const now = await sessoes.find()
    assert.deepEqual([now?.cookies.length, now?.dados.estado], [1, 'suspeita'])
    assert.ok(now)
    assert.equal(await sessoes.keepRenewed(now, now.cookies), true)
    assert.equal((await sessoes.look())?.estado, 'boa')
  })
})
