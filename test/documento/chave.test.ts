import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanChave, maskChave, parseChave } from '../../src/documento/chave.ts'
import { anyPoint } from '../kit/points.ts'

const AGORA = new Date('2026-11-20T15:00:00Z')

/** A key of digits, and a key whose issuer's CNPJ has letters. */
const NUMERICA = '35260811222333000181550010000000011123456787'
const ALFANUMERICA = '35260812ABC34501DE35550010000000011123456788'

/**
 * The key with its last character put right. The rule is written in another way here: weights 2 to 9 from the
 * right.
 */
function comDv(chave: string): string {
  const soma = [...chave.slice(0, 43)]
    .reverse()
    .reduce((sum, char, i) => sum + (char.charCodeAt(0) - 48) * ((i % 8) + 2), 0)
  const dv = 11 - (soma % 11)
  return `${chave.slice(0, 43)}${dv > 9 ? 0 : dv}`
}

/** The numeric key with other characters from a position on (the first is 1), and the right check digit. */
const com = (at: number, text: string): string =>
  comDv(NUMERICA.slice(0, at - 1) + text + NUMERICA.slice(at - 1 + text.length))

/** What is wrong with a key, by a word of its message. */
const MOTIVOS: [motivo: string, diz: RegExp][] = [
  ['formato', /^A chave de acesso é inválida: envie/],
  ['digito', /o dígito verificador não confere/],
  ['uf', /não é o código de nenhuma UF/],
  ['ano', /não é ano de emissão/],
  ['mes', /não é um mês/],
  ['emitente', /o CNPJ ou CPF do emitente não é válido/],
  ['modelo', /só o modelo 55/],
  ['numero', /o número da nota é zero/],
  ['emissao', /o tipo de emissão \d não existe/],
]

const motivoOf = (chave: string, agora = AGORA): string => {
  const read = parseChave(chave, agora)
  if (read.ok) return 'ok'
  return MOTIVOS.find(([, diz]) => diz.test(read.mensagem))?.[0] ?? read.mensagem
}

test('a key is read into its parts', () => {
  assert.deepEqual(parseChave(NUMERICA, AGORA), {
    ok: true,
    chave: {
      chave: NUMERICA,
      uf: 'SP',
      ano: 2026,
      mes: 8,
      emitente: { tipo: 'cnpj', documento: '11222333000181' },
      modelo: '55',
      serie: 1,
      numero: 1,
      tpEmis: 1,
    },
  })
})

test('the CNPJ of the issuer may have letters, in capitals and nowhere else', () => {
  const read = parseChave(ALFANUMERICA, AGORA)
  assert.equal(read.ok && read.chave.emitente.documento, '12ABC34501DE35')
  assert.equal(motivoOf(ALFANUMERICA.toLowerCase()), 'formato')
  assert.equal(motivoOf(`A${NUMERICA.slice(1)}`), 'formato')
  assert.equal(motivoOf(`${NUMERICA.slice(0, 43)}A`), 'formato')
})

test('spaces and dots are dropped, as a DANFE prints them; nothing else is', () => {
  const grupos = NUMERICA.match(/.{4}/g) ?? []
  for (const separator of [' ', '.', ' . ', '\u00a0'])
    assert.equal(motivoOf(` ${grupos.join(separator)} `), 'ok', JSON.stringify(separator))
  for (const separator of ['-', '\t', '\n', '/']) assert.equal(motivoOf(grupos.join(separator)), 'formato')
})

test('other than 44 characters is no key, and the message counts them', () => {
  for (const text of ['', NUMERICA.slice(1), `${NUMERICA}0`]) {
    const read = parseChave(text, AGORA)
    assert.ok(!read.ok)
    assert.match(read.mensagem, new RegExp(`44 dígitos.*: ${text.length}\\b`))
    assert.match(read.mensagem, /nas posições 7 a 18, também letras maiúsculas/)
  }
})

test('each field that no NF-e has gets its own sentence', () => {
  const rows: [chave: string, motivo: string][] = [
    [`${NUMERICA.slice(0, 43)}8`, 'digito'],
    [com(1, '34'), 'uf'],
    [com(1, '00'), 'uf'],
    [com(3, '05'), 'ano'],
    [com(3, '27'), 'ano'],
    [com(3, '06'), 'ok'],
    [com(5, '00'), 'mes'],
    [com(5, '13'), 'mes'],
    [com(5, '12'), 'ok'],
    [com(7, '11222333000182'), 'emitente'],
    [com(7, '00000000000000'), 'emitente'],
    [com(21, '65'), 'modelo'],
    [com(21, '57'), 'modelo'],
    [com(26, '000000000'), 'numero'],
    [com(35, '0'), 'emissao'],
    [com(35, '9'), 'emissao'],
    [com(35, '7'), 'ok'],
  ]
  for (const [chave, motivo] of rows) assert.equal(motivoOf(chave), motivo, chave)
  const nfce = parseChave(com(21, '65'), AGORA)
  assert.match(nfce.ok ? '' : nfce.mensagem, /o modelo é 65 \(uma NFC-e\), e só o modelo 55/)
})

test('the first thing that is wrong is told, in the order of the authority', () => {
  assert.equal(motivoOf(com(1, '00050000000000000000650010000000000')), 'uf')
  assert.equal(motivoOf(com(3, '0500')), 'ano')
})

test('the current year is the one of Brasília', () => {
  const chave = com(3, '27')
  assert.equal(motivoOf(chave, new Date('2027-01-01T02:59:59Z')), 'ano')
  assert.equal(motivoOf(chave, new Date('2027-01-01T03:00:00Z')), 'ok')
})

test('from series 910 on the issuer is a person, whose CPF is filled up with zeros', () => {
  const cpf = com(7, '00052998224725')
  const serie = (chave: string, numero: string): string =>
    comDv(chave.slice(0, 22) + numero + chave.slice(25))
  const read = parseChave(serie(cpf, '920'), AGORA)
  assert.deepEqual(read.ok && read.chave.emitente, { tipo: 'cpf', documento: '52998224725' })
  assert.equal(motivoOf(serie(cpf, '910')), 'ok')
  assert.equal(motivoOf(serie(cpf, '909')), 'emitente')
  assert.equal(motivoOf(serie(NUMERICA, '909')), 'ok')
  assert.equal(motivoOf(serie(NUMERICA, '920')), 'emitente')
  assert.equal(motivoOf(serie(com(7, '00100000000191'), '920')), 'emitente')
})

test('one changed digit is no longer a key', () => {
  fc.assert(
    fc.property(fc.nat(43), fc.integer({ min: 1, max: 9 }), (at, more) => {
      const digit = (Number(NUMERICA[at]) + more) % 10
      const wrong = NUMERICA.slice(0, at) + digit + NUMERICA.slice(at + 1)
      assert.notEqual(motivoOf(wrong), 'ok')
    }),
  )
})

test('whatever the text, it is read or refused in Portuguese, and masked', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyPoint }), fc.stringMatching(/^[0-9A-Z. ]{40,50}$/)), (text) => {
      const read = parseChave(text, AGORA)
      if (read.ok) assert.equal(cleanChave(text), read.chave.chave)
      else assert.match(read.mensagem, /^(A c|C)have de acesso .*inválida: /)
      assert.ok(maskChave(text).length <= 44)
    }),
  )
})

test('a masked key tells notes apart and holds neither the issuer nor what would tell it', () => {
  for (const chave of [NUMERICA, ALFANUMERICA]) {
    const masked = maskChave(chave)
    assert.equal(masked.length, 44)
    assert.ok(!masked.includes(chave.slice(6, 20)) && !masked.includes(chave.slice(34)))
    assert.equal(masked.slice(20, 34), chave.slice(20, 34))
  }
  assert.equal(maskChave(NUMERICA), '3526081122********8155001000000001******6787')
  assert.equal(maskChave('segredo'), '<7 caracteres>')
})
