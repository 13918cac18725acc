import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import forge from 'node-forge'
import { nomesDoTitular } from '../../simulator/platform/icp/catalogo.ts'
import { issue } from '../../simulator/platform/icp/certificado.ts'
import { inteiro, octetos, oid, readOutrosNomes, sequencia } from '../../simulator/platform/icp/der.ts'
import { derive } from '../../simulator/platform/icp/pkcs12.ts'
import { anyPoint } from '../kit/points.ts'

const TITULAR = { tipo: 'cnpj', documento: '7K3M9RX2000117', nome: 'EMPRESA' } as const

function certificate(): Buffer {
  const { privateKey: privada, publicKey: publica } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const nome = [['CN', 'EMPRESA']] as const
  const extensoes = [nomesDoTitular(TITULAR, 'imprimivel')]
  const [inicio, fim] = [new Date('2026-11-21T12:00:00Z'), new Date('2056-11-21T12:00:00Z')]
  return issue({ nome, publica, inicio, fim, extensoes }, { nome, privada, publica })
}

test('keys are derived as another implementation of PKCS#12 derives them', () => {
  const ids = { chave: 1, vetor: 2, mac: 3 } as const
  fc.assert(
    fc.property(
      fc.constantFrom('sha1', 'sha256'),
      fc.constantFrom('chave', 'vetor', 'mac'),
      fc.string({ unit: anyPoint, maxLength: 40 }),
      fc.uint8Array({ minLength: 1, maxLength: 70 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 80 }),
      (resumo, finalidade, senha, sal, iteracoes, tamanho) => {
        const salt = Buffer.from(sal)
        const other = forge.pkcs12.generateKey(
          senha,
          forge.util.createBuffer(salt.toString('latin1')),
          ids[finalidade],
          iteracoes,
          tamanho,
          forge.md[resumo].create(),
        )
        const ours = derive({ resumo, finalidade, senha, sal: salt, iteracoes, tamanho })
        assert.equal(ours.toString('hex'), other.toHex())
      },
    ),
    { numRuns: 30 },
  )
})

test('what is written in DER is read back by another implementation', () => {
  const arcs = fc.array(fc.nat({ max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(arcs, fc.nat(), fc.uint8Array({ maxLength: 300 }), (arcos, numero, conteudo) => {
      const dotted = [2, 16, ...arcos].join('.')
      const der = sequencia(oid(dotted), inteiro(numero), octetos(conteudo))
      const { value } = forge.asn1.fromDer(der.toString('latin1'))
      assert.ok(Array.isArray(value))
      const [a, b, c] = value.map((item) => item.value)
      assert.ok(typeof a === 'string' && typeof b === 'string' && typeof c === 'string')
      assert.equal(forge.asn1.derToOid(a), dotted)
      assert.equal(BigInt(`0x${Buffer.from(b, 'latin1').toString('hex')}`), BigInt(numero))
      assert.deepEqual(Buffer.from(c, 'latin1'), Buffer.from(conteudo))
    }),
  )
})

test('the dates of a certificate are read back by another implementation, those from 2050 on too', () => {
  const { validFromDate, validToDate } = new X509Certificate(certificate())
  assert.equal(validFromDate.toISOString(), '2026-11-21T12:00:00.000Z')
  assert.equal(validToDate.toISOString(), '2056-11-21T12:00:00.000Z')
})

test('a certificate that is cut short or garbled has no names, and breaks nothing', () => {
  const raw = certificate()
  assert.equal(readOutrosNomes(raw).get('2.16.76.1.3.3'), TITULAR.documento)
  for (let length = 0; length < raw.length; length++)
    assert.equal(readOutrosNomes(raw.subarray(0, length)).size, 0)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readOutrosNomes(Buffer.from(bytes))),
  )
  fc.assert(
    fc.property(fc.nat({ max: raw.length - 1 }), fc.nat({ max: 255 }), (position, value) => {
      const garbled = Buffer.from(raw)
      garbled[position] = value
      readOutrosNomes(garbled)
    }),
  )
})
