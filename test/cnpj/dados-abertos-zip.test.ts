import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { tokenOf } from '../../simulator/dados-abertos/plano.ts'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { unzip } from '../kit/cnpj.ts'

const pasta = mkdtempSync(join(tmpdir(), 'zip-'))
after(() => rmSync(pasta, { recursive: true }))

for (const zip64 of [false, true]) {
  test(`a zip ${zip64 ? 'with' : 'without'} ZIP64 records reads back as it was written`, async () => {
    const arquivo = join(pasta, `${zip64}.zip`)
    const pieces = [Buffer.from('um '), Buffer.from('dois')]
    await writeZip(
      arquivo,
      [
        { nome: 'A', conteudo: pieces },
        { nome: 'B', conteudo: Buffer.alloc(0) },
      ],
      { zip64 },
    )
    const lidos = unzip(arquivo).map(({ nome, conteudo }) => [nome, conteudo.toString()])
    assert.deepEqual(lidos, [
      ['A', 'um dois'],
      ['B', ''],
    ])
  })
}

test('the token of a vintage is the second Saturday of its month', () => {
  const published = {
    '2023-05': 'D30513',
    '2024-12': 'D41214',
    '2026-06': 'D60613',
    '2026-08': 'D60808',
    '2026-10': 'D61010',
  }
  for (const [versao, token] of Object.entries(published)) assert.equal(tokenOf(versao), token)
  assert.throws(() => tokenOf('2026-13'), /Versão inválida/)
})
