import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { empacotar } from '../../clients/typescript/empacotar.ts'
import { type House, start } from '../kit/house.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

const compilers = {
  5: join(root, 'clients/typescript/node_modules/typescript/bin/tsc'),
  7: join(root, 'node_modules/typescript/bin/tsc'),
}

/** A program of somebody who has the package alone, in JavaScript with the types of TypeScript's comments. */
const PROGRAMA = `
import { criarCliente, ErroDaApi, LimiteAtingido } from '@consulta-fiscal/cliente'

/** @type {import('@consulta-fiscal/cliente').Cliente} */
const fiscal = criarCliente({ endereco: process.argv[2] ?? '', chave: process.argv[3] })
/** @type {string[]} */
const ufs = []
for await (const { uf } of fiscal.consultarIeTodos.stream({ cnpj: '99034721000180' })) ufs.push(uf)
const { dados, recibo } = await fiscal.consultarCnpj.comRecibo({ cnpj: '99034721000180' })
const erro = await fiscal.consultarCnpj({ cnpj: '1' }).catch((um) => um)
console.log(JSON.stringify({
  estados: ufs.length,
  nome: dados.result.razao_social,
  creditos: recibo.creditosCobrados,
  erro: erro instanceof ErroDaApi && !(erro instanceof LimiteAtingido) && erro.name,
}))
`

/** The types that the package brings, in a module of its user. */
const TIPADO = `
import { criarCliente, exigirFonte, type Certidao, type RespostaConsultar } from '@consulta-fiscal/cliente'

const fiscal = criarCliente({ endereco: 'https://exemplo.com', token: async () => 't' })
const ie = (): Promise<RespostaConsultar> => fiscal.consultar({ uf: 'RS', cnpj: '1' })
const cnd = async (): Promise<Certidao> =>
  exigirFonte(await fiscal.consultarCnd({ uf: 'RS', cnpj: '1' }, { exigirFonte: true })).result
// @ts-expect-error: no such lookup.
const nada = () => fiscal.consulta()
`

describe('the packed client, installed where the repository is not', { concurrency: false }, () => {
  let house: House
  let projeto: string

  before(async () => {
    house = await start()
    projeto = mkdtempSync(join(tmpdir(), 'projeto-'))
    const pacote = empacotar(projeto)
    writeFileSync(join(projeto, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    const args = ['install', '--offline', '--no-audit', '--no-fund', pacote]
    await run('npm', args, { cwd: projeto, env: { ...process.env, npm_config_cache: join(projeto, '.npm') } })
    writeFileSync(join(projeto, 'programa.js'), PROGRAMA)
    writeFileSync(join(projeto, 'tipado.ts'), TIPADO)
  })
  after(async () => {
    rmSync(projeto, { recursive: true, force: true })
    await house.close()
  })

  // Whoever has another Node first in the path, such as the oldest that is supported, tries that one too.
  for (const [nome, node] of [
    ['the Node of the project', process.execPath],
    ['the Node of the machine', '/usr/bin/node'],
  ] as const)
    test(`it runs with ${nome}`, async (t) => {
      const args = ['programa.js', house.address, house.apiKey ?? '']
      const saida = await run(node, args, { cwd: projeto }).catch((erro: NodeJS.ErrnoException) => {
        if (erro.code !== 'ENOENT') throw erro
        t.skip(`no ${node}`)
      })
      if (!saida) return
      assert.deepEqual(JSON.parse(saida.stdout), {
        estados: 27,
        nome: 'FAREVEL ELETRICA E FARMACIA LTDA',
        creditos: 1,
        erro: 'DocumentoInvalido',
      })
      assert.equal(saida.stderr, '')
    })

  for (const version of [5, 7] as const)
    test(`its types hold in a strict project of TypeScript ${version}, declarations checked`, async () => {
      const compilerOptions = {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
        allowJs: true,
        checkJs: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      }
      const files = ['tipado.ts', 'programa.js']
      writeFileSync(join(projeto, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      const compiled = await run(process.execPath, [compilers[version], '--project', projeto]).catch(
        ({ stdout }: { stdout: string }) => ({ stdout }),
      )
      assert.equal(compiled.stdout, '')
    })
})
