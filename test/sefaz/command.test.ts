import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { addSefazCommand } from '../../src/sefaz/command.ts'
import { startMonitor } from '../kit/sefaz-rounds.ts'

test('fiscal sefaz prints the board beside a running server, and what to do where it is not green', async (t) => {
  const monitor = await startMonitor(t)
  const { config, now, db } = monitor.nos[0].rooms.platform
  const log = t.mock.method(console, 'log', () => {})
  const fiscal = async (...typed: string[]): Promise<string> => {
    log.mock.resetCalls()
    const program = new Command()
    addSefazCommand(program, { config, now })
    // The server is of this thread, so what it has begun would not end while the command waits for it.
    await db.exclusive(() => program.parseAsync(['sefaz', ...typed], { from: 'user' }))
    return log.mock.calls.map((call) => String([...call.arguments])).join('\n')
  }
  assert.equal(await fiscal(), 'O monitor ainda não terminou nenhuma rodada (veja SEFAZ_MONITOR).')
  assert.deepEqual(JSON.parse(await fiscal('--json')), {
    ambiente: 'simulador',
    ultima_rodada: null,
    estados: [],
    incidentes: [],
  })
  monitor.impor({ autorizadores: { 'nfe-pr': '109', 'nfce-pr': 'corte' } })
  await monitor.rodada()
  const once = JSON.parse(await fiscal('--json')).estados.find(({ uf }: { uf: string }) => uf === 'PR')
  assert.deepEqual([once.nfe.status_code, once.nfe.acao], [4, 'emitir'])
  assert.match(once.nfe.texto, /^A última leitura falhou: tente emitir/)
  assert.equal(once.cte.texto, 'Emita normalmente.')
  for (let round = 0; round < 3; round++) await monitor.rodada()
  const said = await fiscal()
  assert.match(said, /^PR +Erro +Erro +Normal/m)
  assert.match(
    said,
    /^2 de 81 fora do ar ou com erro · modo simulador · rodada de 14\/11\/2026 12:08:00, pelos serviços de status\n/,
  )
  assert.match(said, /Incidente na SEFAZ PR desde 14\/11\/2026 12:02:00: nfe-pr, nfce-pr\./)
  assert.match(
    said,
    /NF-e em PR: A contingência deste estado é a SVC-RS, que responde, mas o estado não a ativou/,
  )
  assert.match(said, /NFC-e em PR: Emita em contingência offline/)
  const { estados, fonte, parado, incidentes } = JSON.parse(await fiscal('--json'))
  assert.deepEqual([estados.length, fonte, parado, incidentes.length], [27, 'servicos', false, 1])
  const { nfe } = estados.find(({ uf }: { uf: string }) => uf === 'PR')
  assert.deepEqual([nfe.status_code, nfe.acao, nfe.svc], [4, 'esperar', 'SVC-RS'])
})
