import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { Command } from 'commander'
import { estados } from '../../src/estados/estados.ts'
import { addFontesCommands } from '../../src/fontes/command.ts'
import { isFailure } from '../../src/fontes/verificacao.ts'
import { openBooks } from '../../src/platform/books.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import { openLeituras } from '../../src/platform/wire/leituras.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW, rowsOf } from '../kit/basics.ts'
import { atTerminal } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const now = () => NOW

/** A new data folder, the settings for it, and the command as an operator types it. */
async function setup(t: TestContext, env: Record<string, string> = {}) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'fontes-'))
  t.after(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const SIMULATOR_URL = await sharedSimulator()
  const config = parseConfig({ DATA_DIR, SIMULATOR_URL, LOG_LEVEL: 'silent', ...env })
  // A second mock in a test would be given back to the first, which then stays for all that follows.
  t.mock.restoreAll()
  const log = t.mock.method(console, 'log', () => {})
  const before = process.exitCode
  /** What the command wrote, and its exit code. */
  const fiscal = async (...typed: string[]): Promise<{ said: string; code: number }> => {
    log.mock.resetCalls()
    const program = new Command()
    addFontesCommands(program, { config, now })
    const quiet = { writeErr: () => {}, writeOut: () => {} }
    for (const command of [program, ...program.commands, ...program.commands.flatMap((of) => of.commands)])
      command.exitOverride().configureOutput(quiet)
    process.exitCode = 0
    try {
      await program.parseAsync(['fontes', ...typed], { from: 'user' })
      const said = log.mock.calls.map((call) => String([...call.arguments])).join('\n')
      return { said, code: Number(process.exitCode) }
    } finally {
      process.exitCode = before
    }
  }
  return { config, fiscal }
}

/** At a terminal of 110 columns and at one of 60 no line is longer; in a pipe none is broken. */
async function narrow(ask: () => Promise<{ said: string }>): Promise<void> {
  for (const columns of [110, 60]) fits((await atTerminal(columns, ask)).said, columns)
}

const fits = (text: string, columns: number): void => {
  for (const line of stripVTControlCharacters(text).split('\n'))
    assert.ok(line.length <= columns, `${line.length} of ${columns} columns: ${line}`)
}

test('an operator sees each route and what became of its queries, of a service that runs or not', async (t) => {
  const { config, fiscal } = await setup(t)
  const books = await openBooks(config, now, true)
  t.after(() => books.close())
  const no = randomUUID()
  const leituras = openLeituras(books.db, { no, now, ambiente: 'simulador', log: { error: assert.fail } })
  const ate = new Date(NOW.getTime() + 30_000)
  const circuito = { estado: 'aberto', ate } as const
  const falha = { tipo: 'http', codigo: 'HTTP 503', em: NOW } as const
  const circuitoFechado = { estado: 'fechado' } as const
  const boa = { fonte: 'SP/ie', em: NOW, falha: undefined, circuito: circuitoFechado }
  leituras.note({ ...boa, ms: 1_234, vazia: true, incompleta: false, rotulos: ['Rótulo de Teste'] })
  leituras.note({
    fonte: 'SP/ie',
    em: NOW,
    ms: 5,
    falha,
    vazia: false,
    incompleta: false,
    rotulos: [],
    circuito,
  })
  await leituras.close()
  const { said } = await fiscal()
  for (const { ie } of estados.values()) assert.ok(said.includes(ie[0].source.id), ie[0].source.id)
  assert.match(said, /SP\/ie +cadastro +disponível.*aberto +2 +50% +1\.234 ms +HTTP 503/)
  assert.match(said, /Modo simulador\. Rotas: \d+, disponíveis: \d+\. Consultas na última hora: 2\./)
  assert.match(
    said,
    /Respostas sem achado na última hora \(nos 7 dias anteriores\):\n {2}SP\/ie 100% \(sem dados\)/,
  )
  assert.match(said, /SP\/ie: rótulo novo: "Rótulo de Teste"/)
  await narrow(() => fiscal())
  const { fontes } = JSON.parse((await fiscal('sp', '--json')).said)
  assert.equal(fontes[0].fonte, 'SP/ie')
  assert.deepEqual(fontes[0].circuito, { estado: 'aberto', ate: ate.toISOString() })
  assert.deepEqual(new Set(fontes.map(({ uf }: { uf: string }) => uf)), new Set(['SP']))
})

test('the national sources are listed where their environment is, and a captcha is solved where it is allowed', async (t) => {
  const { fiscal } = await setup(t, { SEFAZ_AMBIENTE: 'homologacao', CAPTCHA_UFS: 'todas' })
  const { said } = await fiscal('br')
  assert.match(said, /AN\/distribuicao +nfe-distribuicao +disponível/)
  assert.match(said, /AN\/portal.*falta captcha.*hcaptcha/)
  assert.doesNotMatch(said, /certidão/)
  await narrow(() => fiscal('br'))
  const { fontes } = JSON.parse((await fiscal('BR', '--json')).said)
  type Dita = { servico: string; endereco: string }
  assert.deepEqual(
    fontes
      .filter(({ servico }: Dita) => servico === 'ie' || servico === 'nfe-xml')
      .map(({ endereco }: Dita) => new URL(endereco).host),
    ['nfe.sefaz.ba.gov.br', 'hom1.nfe.fazenda.gov.br', 'hom1.nfe.fazenda.gov.br', 'hom.nfe.fazenda.gov.br'],
  )
})

test('what is missing is said: the contract, where there are no keys of it', async (t) => {
  const live = { AUTHORITIES: 'live', CND_FEDERAL_ROTAS: 'contrato' }
  const { said } = await (await setup(t, live)).fiscal('BR')
  assert.match(said, /BR\/cnpj.*sem contrato/)
  assert.match(said, /BR\/cnd-contrato.*sem contrato/)
  assert.match(said, /BR\/cnd-portal.*desligada/)
  assert.match(said, /BR\/sigef.*sem sessão/)
  await narrow(async () => (await setup(t, live)).fiscal('BR'))
  const keys = { SERPRO_KEY: 'chave', SERPRO_SECRET: 'segredo' }
  const contracted = await (await setup(t, { ...live, ...keys })).fiscal('BR')
  assert.match(contracted.said, /BR\/cnpj.*disponível/)
  assert.doesNotMatch(contracted.said, /sem contrato|segredo/)
})

test('what is missing is said: a certificate, where production asks for one', async (t) => {
  const { fiscal } = await setup(t, { AUTHORITIES: 'live' })
  const { said } = await fiscal('SP')
  assert.match(said, /SP\/ie.*falta o A1/)
  assert.match(said, /Modo produção/)
})

test('a state, a service or a document that is none is told', async (t) => {
  const { fiscal } = await setup(t)
  await assert.rejects(fiscal('XX'), /XX não é um estado; os estados são AC, /)
  await assert.rejects(fiscal('verificar', 'XX'), /XX não é um estado; os estados são AC, /)
  await assert.rejects(fiscal('verificar', 'SP', '--servico', 'nfe'), /envie ie ou cnd/)
  await assert.rejects(fiscal('verificar', '--cnpj', '00000000000192'), /dígito verificador/)
  await assert.rejects(fiscal('verificar', '--cpf', '52998224726'), /dígito verificador/)
  const both = fiscal('verificar', '--cnpj', '00000000000191', '--cpf', '52998224725')
  await assert.rejects(both, /cannot be used/)
})

test('BR verifies the national register: whether it answers, and whether the states say the same', async (t) => {
  // The register has a pace of 3 seconds, and rests for a quarter of an hour.
  const simulador = await openSimulatorAt(now, { ritmo: 0.05 })
  t.after(simulador.close)
  const { fiscal } = await setup(t, { CCC: 'nenhum', SIMULATOR_URL: simulador.endereco })
  const told = async (...typed: string[]) => {
    const { said, code } = await fiscal('verificar', 'BR', ...typed, '--json')
    const [{ fonte, resultado, detalhe }, ...others] = JSON.parse(said).fontes
    assert.deepEqual([fonte, others], ['BR/ccc', []])
    return { resultado, detalhe, code }
  }
  assert.deepEqual(await told(), {
    resultado: 'respondeu',
    detalhe: '1 inscrição em SP; SP confere com o estado',
    code: 0,
  })
  // The register names a registration in every state, but AC's own web service has none. So the register is
  // not fresh.
  const stale = await told('--cnpj', '98765028000114')
  assert.match(stale.detalhe, /AC difere do estado \(CCC ATIVA, estado sem esta inscrição\)/)
  assert.equal((await told('--cpf', '52998224725')).resultado, 'nao-consultada')
  const rests = await told('--cnpj', '98765003000110')
  assert.deepEqual([rests.resultado, rests.code], ['bloqueada', 1])
  const again = await told()
  assert.deepEqual(
    [again.resultado, again.code],
    ['bloqueada', 1],
    'it rests after HTTP 403, for all processes',
  )
  assert.match(again.detalhe, /na fila, ou descansa/)
})

/** Documents about which the simulator's authorities misbehave, and the verdict on the first route of SP. */
const fates = [
  ['99001002000162', 'respondeu'],
  ['98765005000100', 'fora-do-ar'],
  ['98765003000110', 'bloqueada'],
  ['98765013000156', 'mudou-de-layout'],
  ['98765027000170', 'respondeu'],
] as const

for (const [document, resultado] of fates)
  test(`asked about ${document}, the route of SP is verified as ${resultado}`, async (t) => {
    const { fiscal } = await setup(t)
    const asked = await fiscal('verificar', 'SP', '--servico', 'ie', '--cnpj', document, '--json')
    const { ambiente, fontes } = JSON.parse(asked.said)
    assert.equal(ambiente, 'simulador')
    assert.equal(fontes[0].fonte, 'SP/ie')
    assert.equal(fontes[0].resultado, resultado, asked.said)
    assert.equal(asked.code, fontes.some(isFailure) ? 1 : 0, asked.said)
  })

test('without a certificate no state is asked, and nothing has failed', async (t) => {
  const { fiscal } = await setup(t, { AUTHORITIES: 'live' })
  // In production the command asks only what needs the certificate, so nothing leaves this machine.
  const only = [...estados.values()].find(({ ie }) => ie.every(({ certificado }) => certificado))
  assert.ok(only)
  const { said, code } = await fiscal('verificar', only.uf, '--servico', 'ie', '--cnpj', '00000000000191')
  assert.match(said, /não consultada.*só responde a quem apresenta/)
  assert.match(said, /Rotas: 1 \(1 não consultada\)/)
  assert.equal(code, 0)
  await narrow(() => fiscal('verificar', only.uf, '--servico', 'ie', '--cnpj', '00000000000191'))
})

for (const uf of rowsOf(['MG', undefined]))
  test(`the examples of ${uf ?? 'all states'} are answered as the simulator has them`, async (t) => {
    const { fiscal } = await setup(t)
    const { said, code } = await atTerminal(110, () => fiscal('verificar', ...(uf ? [uf] : [])))
    assert.equal(code, 0, said)
    fits(said, 110)
  })
