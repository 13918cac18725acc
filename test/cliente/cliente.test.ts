import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { chamadas } from '../../clients/typescript/chamadas.ts'
import { classesDaApi, classesDaFonte } from '../../clients/typescript/gerado/erros.ts'
import { ARQUIVO, tabelasDe, tiposDe } from '../../clients/typescript/gerar.ts'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { rowsOf, testOnce } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { feita } from '../kit/sefaz.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const root = join(import.meta.dirname, '../..')
const pacote = join(root, 'clients/typescript')

/** The compilers of the workspace and of the root: TypeScript 5 and 7. */
const compilers = { 5: join(pacote, 'node_modules'), 7: join(root, 'node_modules') }

/** What a compiler says of a project; an empty text where it compiles. */
const compile = (version: 5 | 7, projeto: string): Promise<string> =>
  new Promise((resolve) => {
    const args = [join(compilers[version], 'typescript/bin/tsc'), '--project', projeto]
    execFile(process.execPath, args, (error, stdout) => resolve(stdout || String(error ?? '')))
  })

/** What each of these programs prints, one after another. Rejects with what they complain of. */
const run = (programs: string[]): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const each = `for (const one of ${JSON.stringify(programs)}) await import(one), console.log('\f')`
    execFile(process.execPath, ['--input-type=module', '-e', each], (error, stdout) =>
      error ? reject(error) : resolve(stdout.split('\f\n').slice(0, -1)),
    )
  })

/** A project that knows Node too, for examples that read files and print. */
const comNode = (tsconfig: string): string => tsconfig.replace('"types": []', '"types": ["node"]')

/** A copy of the workspace's package, to change something in. */
function copiar(): string {
  const copia = mkdtempSync(join(tmpdir(), 'tipos-'))
  cpSync(pacote, copia, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  symlinkSync(join(root, 'node_modules'), join(copia, 'node_modules'))
  return copia
}

/** The client's certificate is checked against the real clock, and its note is of this moment. */
const agora = new Date()

/** A note that its recipient gets at the first query, with the recipient's certificate. */
async function nota(): Promise<{ chave: string; certificado: string; senha: string }> {
  const linha = listNotas(agora).find(({ espera, grupo }) => espera.status === 'ok' && grupo)
  assert.ok(linha?.envio)
  const { certificado, senha, corpo } = linha.envio
  const file = await fetch(`${await sharedSimulator()}/certificados/${certificado}.pfx`)
  return { ...corpo, certificado: Buffer.from(await file.arrayBuffer()).toString('base64'), senha }
}

describe('the client that the OpenAPI document makes', { concurrency: false }, () => {
  let house: House
  let documento: string

  before(async () => {
    house = await start({}, () => agora)
    await house.rooms.sefaz.monitor.keep(feita(agora.getTime()))
    documento = (await house.ask('/openapi.json', { key: null })).text
  })
  after(() => house.close())

  testOnce(
    'the committed types are those of the served document: npm run gerar -w clients/typescript',
    async () => {
      assert.ok(
        readFileSync(ARQUIVO, 'utf8') === (await tiposDe(documento)),
        'the document and the types differ: npm run gerar -w clients/typescript',
      )
    },
  )

  testOnce('the committed methods and errors are those of the served document and of the codes', () => {
    for (const [arquivo, texto] of Object.entries(tabelasDe(documento)))
      assert.ok(readFileSync(arquivo, 'utf8') === texto, `npm run gerar -w clients/typescript: ${arquivo}`)
  })

  testOnce('every code that the document names has a class, and so has every code of the service', () => {
    const named = [...documento.matchAll(/"error_code":\{[^{}]*?"enum":\[([^\]]*)\]/g)]
    const codes = new Set(named.flatMap(([, list = '']) => JSON.parse(`[${list}]`)))
    const [api, fonte] = [Object.keys(classesDaApi), Object.keys(classesDaFonte)]
    assert.ok(codes.size > 40)
    assert.deepEqual(
      [...codes].filter((code) => code && !api.includes(code) && !fonte.includes(code)),
      [],
    )
    assert.deepEqual(api.toSorted(), Object.keys(errorCodes).toSorted())
    assert.deepEqual(
      Object.keys(sourceCodes).filter((code) => !fonte.includes(code)),
      [],
    )
  })

  for (const version of rowsOf([7, 5] as const))
    test(`a call of each endpoint compiles with TypeScript ${version}, and wrong calls do not`, async () => {
      assert.equal(await compile(version, pacote), '')
    })

  testOnce('every operation of the document has a compiled call, and it answers as typed', async () => {
    const todas = chamadas({ endereco: house.address, chave: house.apiKey ?? '', nota: await nota() })
    const operacoes = Object.entries<object>(JSON.parse(documento).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(Object.keys(todas).toSorted(), operacoes.toSorted())
    for (const [operacao, { chamar, diz }] of Object.entries(todas))
      assert.equal(await chamar(), diz, operacao)
  })

  testOnce('what the README shows compiles, runs, and prints what it says', async (t) => {
    const copia = copiar()
    t.after(() => rmSync(copia, { recursive: true, force: true }))
    const readme = readFileSync(join(pacote, 'README.md'), 'utf8')
    const shown = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    assert.equal(shown.length, 7)
    const files = shown.map((_, at) => `exemplo-${at}.ts`)
    const { files: _, ...tsconfig } = JSON.parse(comNode(readFileSync(join(pacote, 'tsconfig.json'), 'utf8')))
    writeFileSync(join(copia, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files }))
    for (const [at, code] of shown.entries())
      writeFileSync(
        join(copia, `exemplo-${at}.ts`),
        code.replace('http://127.0.0.1:8080', house.address).replace('fk_…', house.apiKey ?? ''),
      )
    assert.equal(await compile(7, copia), '')
    const printed = await run(files.map((file) => join(copia, file)))
    assert.equal(printed.length, shown.length)
    for (const [at, code] of shown.entries())
      for (const [, said = ''] of code.matchAll(/^\/\/ → (.+)$/gm))
        assert.ok(printed[at]?.includes(said), printed[at])
  })

  test('a new endpoint without a call, and a field that is gone, do not compile', async (t) => {
    const copia = copiar()
    t.after(() => rmSync(copia, { recursive: true, force: true }))
    const compiled = async (changed: string) => {
      writeFileSync(join(copia, 'openapi.d.ts'), await tiposDe(changed))
      return compile(7, copia)
    }
    if (process.env.LONGO) assert.equal(await compiled(documento), '')
    const { paths, ...rest } = JSON.parse(documento.replaceAll('situacao_ie', 'situacao'))
    const { operationId: _, ...fontes } = paths['/api/v1/fontes'].get
    const more = { ...rest, paths: { ...paths, '/api/v1/novo': { get: fontes } } }
    const said = await compiled(JSON.stringify(more))
    assert.match(said, /'situacao_ie' does not/)
    assert.match(said, /'"GET \/api\/v1\/novo"' is missing/)
  })

  if (!process.env.LONGO) return

  test('the types are the same in production and under any public address', async () => {
    const env = { AUTHORITIES: 'live', PUBLIC_URL: 'https://fiscal.exemplo.com.br' }
    const live = await start(env)
    try {
      const { text } = await live.ask('/openapi.json', { key: null })
      assert.notEqual(text, documento)
      assert.ok(readFileSync(ARQUIVO, 'utf8') === (await tiposDe(text)))
    } finally {
      await live.close()
    }
  })
})
