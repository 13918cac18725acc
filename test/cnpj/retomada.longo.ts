import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { ARQUIVOS } from '../../src/cnpj/base/versao.ts'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import type { ImportProgress } from '../../src/cnpj/importacao/publish.ts'
import {
  contentOf,
  importDump,
  inteira,
  killAndResume,
  killAt,
  now,
  tempFolder,
  useDump,
} from '../kit/cnpj.ts'

useDump()

test('killed while reading the first zip, an import starts over and gives the same bytes', async (t) => {
  assert.deepEqual(await killAndResume(t, 'leitura', 1), { zips: 0, stretches: 0 })
})

test('what was begun with other zips is thrown away', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 3, 0)
  const outros = tempFolder(t)
  await generateDump({ pasta: outros, estabelecimentos: 500, partes: 1, simples: false, semente: 2 })
  const manifesto = await importCnpj({ pasta: outros, raiz, amostra: true, now })
  assert.ok(manifesto.estabelecimentos < 600)
})

test('killed while writing, it goes on at the stretch where it was', async (t) => {
  assert.deepEqual(await killAndResume(t, 'gravacao', 1), { zips: 9, stretches: 0 })
  assert.deepEqual(await killAndResume(t, 'gravacao', 4), { zips: 9, stretches: 3 })
})

test('killed with worker threads at work, it goes on all the same', async (t) => {
  const { stretches } = await killAndResume(t, 'gravacao', 3, 2)
  assert.equal(stretches, 2)
})

test('killed when all is written but not published, it publishes', async (t) => {
  assert.equal((await killAndResume(t, 'conferencia', 1)).zips, 9)
  assert.equal((await killAndResume(t, 'publicacao', 1)).zips, 9)
})

test('a step that was cut or damaged on disk is done again', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 5, 0)
  const work = join(raiz, 'importando', '2026-10')
  const dados = join(work, 'pronta', ARQUIVOS.dados)
  const bytes = readFileSync(dados)
  bytes.fill(0, bytes.length - 10)
  writeFileSync(dados, Buffer.concat([bytes, Buffer.from('half a block')]))
  writeFileSync(
    join(work, 'gravacoes.ndjson'),
    `${readFileSync(join(work, 'gravacoes.ndjson'), 'utf8')}{"bytes":`,
  )
  writeFileSync(join(work, 'leituras', 'Socios0.zip.run'), 'x')
  let first = -1
  await importDump(raiz, ({ etapa, feito }) => {
    if (etapa === 'gravacao' && first < 0) first = feito
  })
  assert.equal(first, 3)
  assert.deepEqual(contentOf(raiz), contentOf(inteira()))
})

test('a note that a power cut left empty or halved is not believed', async (t) => {
  const raiz = tempFolder(t)
  await killAt(raiz, 'gravacao', 5, 0)
  const work = join(raiz, 'importando', '2026-10')
  const note = join(work, 'leituras', 'Empresas0.zip.run.json')
  const written = readFileSync(note)
  writeFileSync(note, written.subarray(0, written.length / 2))
  const journal = readFileSync(join(work, 'gravacoes.ndjson'), 'utf8').split('\n')
  journal[2] = '{"bytes":1}'
  writeFileSync(join(work, 'gravacoes.ndjson'), journal.join('\n'))
  const seen: [etapa: string, feito: number][] = []
  const stop = new AbortController()
  const listen = ({ etapa, feito }: ImportProgress) => {
    seen.push([etapa, feito])
    if (etapa === 'gravacao') stop.abort()
  }
  await assert.rejects(importDump(raiz, listen, stop.signal), { name: 'AbortError' })
  assert.equal(readFileSync(note).compare(written), 0)
  assert.deepEqual(seen.at(-1), ['gravacao', 2])
  writeFileSync(join(work, 'inicio.json'), '')
  await importDump(raiz)
  assert.deepEqual(contentOf(raiz), contentOf(inteira()))
})
