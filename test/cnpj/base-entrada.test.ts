import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { openBaseAtiva, readPointer } from '../../src/cnpj/base/versoes.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import {
  empresa,
  estabelecimento,
  type Pasta,
  socio,
  tempFolder,
  withDigits,
  writePasta,
} from '../kit/cnpj.ts'

const now = () => new Date('2026-11-21T12:00:00Z')
const pequena: Pasta = {
  empresas: [empresa('11222333')],
  estabelecimentos: [estabelecimento('112223330001')],
  socios: [socio('11222333')],
}

type Opcoes = { versao?: string; amostra?: boolean; espacoLivre?: () => Promise<number> }

const importar = (pasta: string, raiz: string, options: Opcoes = {}) =>
  importCnpj({ pasta, raiz, amostra: true, now, ...options })

/** A base that serves September, and a folder with October's zips, which each test spoils. */
async function september(t: TestContext): Promise<{ raiz: string; pasta: string }> {
  const raiz = tempFolder(t)
  await importar(await writePasta(tempFolder(t), { ...pequena, token: 'D60912' }), raiz)
  return { raiz, pasta: await writePasta(tempFolder(t), pequena) }
}

async function refuses(t: TestContext, spoil: (pasta: string) => unknown, message: RegExp): Promise<void> {
  const { raiz, pasta } = await september(t)
  await spoil(pasta)
  await assert.rejects(importar(pasta, raiz), { name: 'ImportError', message })
  assert.equal(readPointer(raiz), '2026-09')
  const base = openBaseAtiva(raiz, { mascararCpf: true })
  assert.ok(base.current()?.find(withDigits('112223330001')))
  base.close()
  assert.ok(!existsSync(join(raiz, 'importando.trava')))
}

test('what is missing in the folder is listed', (t) =>
  refuses(
    t,
    (pasta) => {
      rmSync(join(pasta, 'Empresas0.zip'))
      rmSync(join(pasta, 'Cnaes.zip'))
    },
    /Faltam .*Empresas0\.zip.*Cnaes\.zip/,
  ))

test('zips of two months are refused, and named', (t) =>
  refuses(
    t,
    (pasta) =>
      writeZip(join(pasta, 'Socios0.zip'), [
        { nome: 'K3241.K03200Y0.D60912.SOCIOCSV', conteudo: Buffer.from(socio('11222333')) },
      ]),
    /Versões misturadas.*D60912: Socios0\.zip/,
  ))

test('a zip cut short is refused', (t) =>
  refuses(t, (pasta) => truncateSync(join(pasta, 'Empresas0.zip'), 100), /Empresas0\.zip está truncado/))

test('a zip whose content changed is refused by its CRC', (t) =>
  refuses(
    t,
    async (pasta) => {
      const path = join(pasta, 'Empresas0.zip')
      const nome = 'K3241.K03200Y0.D61010.EMPRECSV'
      await writeZip(path, [{ nome, conteudo: Buffer.from(empresa('11222333')) }], { nivel: 0 })
      const bytes = readFileSync(path)
      const at = bytes.indexOf('EMPRESA 11222333')
      bytes.write('X', at)
      writeFileSync(path, bytes)
    },
    /Empresas0\.zip está corrompido/,
  ))

test('a zip whose stream is broken is refused', (t) =>
  refuses(
    t,
    (pasta) => {
      const path = join(pasta, 'Estabelecimentos0.zip')
      const bytes = readFileSync(path)
      bytes.fill(0xff, 80, 120)
      writeFileSync(path, bytes)
    },
    /Estabelecimentos0\.zip está corrompido/,
  ))

test('a zip of another set is told by its columns', (t) =>
  refuses(
    t,
    (pasta) => renameSync(join(pasta, 'Socios0.zip'), join(pasta, 'Empresas0.zip')),
    /Empresas0\.zip não tem o leiaute de empresas: esperava 7 colunas/,
  ))

test('a zip with several files is refused', (t) =>
  refuses(
    t,
    (pasta) =>
      writeZip(join(pasta, 'Empresas0.zip'), [
        { nome: 'a.D61010.EMPRECSV', conteudo: Buffer.from('x') },
        { nome: 'b.D61010.EMPRECSV', conteudo: Buffer.from('y') },
      ]),
    /Empresas0\.zip tem 2 arquivos/,
  ))

test('too little room on the disk is told before anything is written', async (t) => {
  const { raiz, pasta } = await september(t)
  await assert.rejects(
    importar(pasta, raiz, { espacoLivre: async () => 1e6 }),
    /Espaço em disco insuficiente/,
  )
  assert.equal(readPointer(raiz), '2026-09')
})

test('ZIP64 members, any part count and any case of the names are read', async (t) => {
  const raiz = tempFolder(t)
  const pasta = await writePasta(tempFolder(t), { ...pequena, zip64: true, partes: 2 })
  renameSync(join(pasta, 'Empresas0.zip'), join(pasta, 'EMPRESAS0.ZIP'))
  const manifesto = await importar(pasta, raiz)
  assert.equal(manifesto.estabelecimentos, 1)
  assert.equal(manifesto.empresas, 1)
})

test('without a token, the month is asked for, or taken from the folder', async (t) => {
  const raiz = tempFolder(t)
  const pasta = await writePasta(tempFolder(t), { ...pequena, token: '' })
  await assert.rejects(importar(pasta, raiz), /não dizem de que mês são: informe --versao/)
  await assert.rejects(importar(pasta, raiz, { versao: '2024-8' }), /Versão 2024-8 inválida/)
  assert.equal((await importar(pasta, raiz, { versao: '2024-08' })).versao, '2024-08')
  const named = join(tempFolder(t), '2024-07')
  renameSync(pasta, named)
  assert.equal((await importar(named, raiz)).versao, '2024-07')
})

test('a token has the last digit of the year: the latest such year, and --versao may not contradict it', async (t) => {
  const pasta = await writePasta(tempFolder(t), { ...pequena, token: 'D71211' })
  assert.equal((await importar(pasta, tempFolder(t))).versao, '2017-12')
  await assert.rejects(importar(pasta, tempFolder(t), { versao: '2017-11' }), /são da versão 2017-12/)
})

test('only a sample may lack partners', async (t) => {
  const pasta = await writePasta(tempFolder(t), pequena)
  rmSync(join(pasta, 'Socios0.zip'))
  await assert.rejects(importar(pasta, tempFolder(t), { amostra: false }), /Faltam .*Socios0\.zip/)
  assert.equal((await importar(pasta, tempFolder(t))).socios, 0)
})
