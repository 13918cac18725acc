import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { BadZip, membroFromTail, readMembro, TAIL_BYTES } from '../../src/cnpj/base/zips.ts'
import { tempFolder } from '../kit/cnpj.ts'

const nome = 'K3241.K03200Y0.D61010.EMPRECSV'
const conteudo = Buffer.from('"11222333";"EMPRESA"\n'.repeat(8000))

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof BadZip && message.test(error.message)

for (const zip64 of [false, true]) {
  test(`the end of a zip tells what the whole zip tells${zip64 ? ', ZIP64 too' : ''}`, async (t) => {
    const path = join(tempFolder(t), 'Empresas0.zip')
    await writeZip(path, [{ nome, conteudo }], { zip64, nivel: 0 })
    const { inicio, ...membro } = await readMembro(path)
    const whole = readFileSync(path)
    assert.ok(whole.length > TAIL_BYTES)
    assert.deepEqual(await membroFromTail(whole.subarray(-TAIL_BYTES), whole.length), membro)
    assert.deepEqual([membro.nome, membro.bytes], [nome, conteudo.length])
    assert.equal(whole.readUInt16LE(inicio + 3) ^ whole.readUInt16LE(inicio + 1), 0xffff)
  })
}

test('a zip cut at any byte is refused', async (t) => {
  const path = join(tempFolder(t), 'Cnaes.zip')
  await writeZip(path, [{ nome, conteudo: Buffer.from('x') }])
  for (let length = readFileSync(path).length - 1; length >= 0; length--) {
    truncateSync(path, length)
    await assert.rejects(readMembro(path), refused(/^está truncado/), `${length} bytes`)
  }
})

test('a ciphered zip, one of another compression and one of too many files are refused', async (t) => {
  const path = join(tempFolder(t), 'Cnaes.zip')
  await writeZip(path, [{ nome, conteudo: Buffer.from('x') }])
  const whole = readFileSync(path)
  const entry = whole.indexOf('PK\x01\x02', 0, 'latin1')
  for (const [field, value] of [
    [8, 1],
    [10, 12],
  ] as const) {
    const spoiled = Buffer.from(whole)
    spoiled.writeUInt16LE(value, entry + field)
    writeFileSync(path, spoiled)
    await assert.rejects(readMembro(path), refused(/cifra ou compressão/))
    await assert.rejects(membroFromTail(spoiled, spoiled.length), refused(/cifra ou compressão/))
  }
  const many = Array.from({ length: 1001 }, (_, i) => ({ nome: `${i}`, conteudo: Buffer.alloc(0) }))
  await writeZip(path, many)
  await assert.rejects(readMembro(path), refused(/arquivos demais/))
})
