import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { parseConfig } from '../../src/platform/config/config.ts'
import { addDiagnosticarCommand, addRejeicaoCommand } from '../../src/rejeicoes/command.ts'
import { NOW } from '../kit/basics.ts'
import { writeCatalogo } from '../kit/catalogo.ts'

test('fiscal rejeicao and fiscal diagnosticar read the catalogue and a note without the service', async (t) => {
  const catalogo = writeCatalogo()
  t.after(catalogo.remove)
  const pasta = mkdtempSync(join(tmpdir(), 'nota-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const log = t.mock.method(console, 'log', () => {})
  const fiscal = async (arquivo: string, ...typed: string[]): Promise<string> => {
    log.mock.resetCalls()
    const settings = { config: parseConfig({ REJEICOES_FILE: arquivo }), now: () => NOW }
    const program = new Command()
    addRejeicaoCommand(program, settings)
    addDiagnosticarCommand(program, settings)
    await program.parseAsync(typed, { from: 'user' })
    return log.mock.calls.map((call) => String([...call.arguments])).join('\n')
  }
  const said = await fiscal(catalogo.arquivo, 'rejeicao', '539')
  assert.match(said, /^539 {2}Rejeição: Duplicidade.*- Causa de 539\..*1\. Passo de 539\./s)
  await assert.rejects(fiscal(catalogo.arquivo, 'rejeicao', '100'), /código 100 não está/)
  await assert.rejects(fiscal(join(pasta, 'nada.json'), 'rejeicao', '539'), /não pôde ser lido: ENOENT/)

  const nota = join(pasta, 'nota.xml')
  const xml = readFileSync('data/rejeicoes/notas/venda-interna.xml', 'utf8')
  writeFileSync(nota, xml.replace('<NCM>62052000</NCM>', '<NCM>6205</NCM>'))
  assert.match(
    await fiscal(catalogo.arquivo, 'diagnosticar', nota),
    /^2 rejeições prováveis: 225, 610\n\nEsquema PL_010f\S+ \(desde 16\/11\/2026, refeito por nós\) ou PL_010e.*: 1 erro\n- item 1, .*NCM/,
  )
  writeFileSync(nota, xml.replace(/(<ide>)(.*?)(<verProc>.*?<\/verProc>)/s, '$1$3$2'))
  assert.match(
    await fiscal(catalogo.arquivo, 'diagnosticar', nota),
    /Emenda em ide\/verProc: mova para o fim do grupo \(/,
  )
  writeFileSync(nota, xml.replace('<NCM>62052000</NCM>', '<NCM> 62052000</NCM>'))
  assert.match(
    await fiscal(catalogo.arquivo, 'diagnosticar', nota),
    /Emenda em det\[1\]\/prod\/NCM: troque " 62052000" por "62052000"/,
  )
  const laudo = JSON.parse(await fiscal(catalogo.arquivo, 'diagnosticar', nota, '--json'))
  assert.deepEqual([laudo.modelo, laudo.esquema.valido], ['55', false])
  writeFileSync(nota, 'nota')
  await assert.rejects(fiscal(catalogo.arquivo, 'diagnosticar', nota), /não é um XML/)
})

test('fiscal diagnosticar --corrigido writes the corrected XML, over no file that is there', async (t) => {
  const catalogo = writeCatalogo()
  t.after(catalogo.remove)
  const pasta = mkdtempSync(join(tmpdir(), 'nota-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const log = t.mock.method(console, 'log', () => {})
  const dito = t.mock.method(console, 'error', () => {})
  const escrito = t.mock.method(process.stdout, 'write', () => true)
  t.after(() => escrito.mock.restore())
  const fiscal = async (...typed: string[]): Promise<void> => {
    const program = new Command()
    const settings = { config: parseConfig({ REJEICOES_FILE: catalogo.arquivo }), now: () => NOW }
    addDiagnosticarCommand(program, settings)
    await program.parseAsync(['diagnosticar', ...typed], { from: 'user' })
  }
  // The total as the catalogue of the tests computes it.
  const certa = readFileSync('data/rejeicoes/notas/venda-interna.xml', 'utf8').replace(
    /<vNF>[^<]*/,
    '<vNF>3818.00',
  )
  const [nota, saida] = [join(pasta, 'nota.xml'), join(pasta, 'saida.xml')]
  // An old program writes Windows-1252.
  writeFileSync(nota, Buffer.from(certa.replace('<NCM>', '<NCM> '), 'latin1'))
  await fiscal(nota, '--corrigido', saida)
  assert.equal(readFileSync(saida, 'utf8'), certa)
  const texto = log.mock.calls.map((call) => String([...call.arguments])).join('\n')
  assert.match(
    texto,
    /O que falta depois das emendas:\n1\. Retire os espaços .*588.*\n2\. Assine o XML.*\n3\. Transmita/,
  )
  assert.match(texto, /não está em UTF-8/)
  assert.match(texto, /^Regras de 10\/11\/2026, produção$/m)

  writeFileSync(saida, 'de outro')
  await assert.rejects(fiscal(nota, '--corrigido', saida), /saida\.xml já existe.*--sobrescrever/)
  assert.equal(readFileSync(saida, 'utf8'), 'de outro')
  await fiscal(nota, '--corrigido', saida, '--sobrescrever')
  assert.equal(readFileSync(saida, 'utf8'), certa)
  await assert.rejects(fiscal(nota, '--sobrescrever'), /só vale com --corrigido/)

  log.mock.resetCalls()
  dito.mock.resetCalls()
  escrito.mock.resetCalls()
  await fiscal(nota, '--corrigido', '-')
  assert.deepEqual(
    escrito.mock.calls.map((call) => call.arguments[0]),
    [certa],
  )
  assert.equal(log.mock.callCount(), 0)
  assert.match(String(dito.mock.calls[0]?.arguments), /Esquema PL_/)

  writeFileSync(nota, certa)
  await assert.rejects(fiscal(nota, '--corrigido', join(pasta, 'nada.xml')), /Não há correção certa/)
  assert.equal(existsSync(join(pasta, 'nada.xml')), false)
})
