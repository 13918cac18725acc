import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoteOf } from '../../src/platform/texto.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readCertidaoPage } from '../../src/portal/certidao-resposta.ts'

const thrownBy = (texto: string): SourceError => {
  const source = { id: 'RS/cnd', nome: 'A SEFAZ-RS' }
  try {
    readCertidaoPage(texto, { source, documento: '11222333000181', elapsedMs: 1 })
  } catch (error) {
    assert.ok(error instanceof SourceError)
    return error
  }
  throw new Error('it was read')
}

test('a quotation of a page ends at the end of its sentence', () => {
  const pagina = `Portal da SEFAZ. O sistema está em manutenção até as 18h! Acesse o menu de serviços. ${'Rodapé '.repeat(90)}`
  const { message, dizeres } = thrownBy(`Aviso. Sistema em manutenção até as 18h! ${pagina}`)
  assert.match(message, /\("Sistema em manutenção até as 18h!"\)\.$/)
  assert.equal(dizeres, 'Sistema em manutenção até as 18h!')
})

test('the full stop of a quotation is not told twice, and its numbers are hidden', () => {
  assert.match(
    thrownBy('Serviço indisponível no momento.').message,
    /\("Serviço indisponível no momento"\)\.$/,
  )
  assert.equal(quoteOf('CNPJ 11.222.333/0001-81 recusado.'), 'CNPJ … recusado')
  assert.equal(quoteOf('CNPJ 12.ABC.345/01DE-35 ou 12ABC34501DE35 recusado.'), 'CNPJ … ou … recusado')
  assert.equal(quoteOf('Aguarde...'), 'Aguarde...')
})

test('what cannot be stored or turns round the words beside it is left out of a quotation', () => {
  assert.equal(quoteOf('Serviço\0parado\u202e\u2066\n\r\tagora\x9b, sim'), 'Serviço parado agora , sim')
})

test('words too many for a message end with a sentence, else with a word', () => {
  const sentences = `${'a'.repeat(50)} bcd. ${'e'.repeat(50)} fgh! ${'i'.repeat(200)}.`
  assert.equal(quoteOf(sentences), `${'a'.repeat(50)} bcd. ${'e'.repeat(50)} fgh!`)
  assert.equal(quoteOf('palavra '.repeat(60)), `${'palavra '.repeat(24)}palavra…`)
  assert.equal(quoteOf('x'.repeat(300)).length <= 201, true)
})

test('a contradiction goes out with the words of both', () => {
  const { kind, unavailable, dizeres } = thrownBy('Não constam débitos de ICMS. Constam débitos de IPVA.')
  assert.deepEqual([kind, unavailable], ['parse', false])
  assert.equal(dizeres, 'Não constam débitos de ICMS. Constam débitos de IPVA.')
})

test('a quote has no half of a character, and of two megabytes only the beginning is read', () => {
  for (const words of [
    '\u{1F600}'.repeat(50_000),
    `a \ud800 b ${'\u{1F600}'.repeat(300)}`,
    `x${'\u{1F600}'.repeat(300)}`,
  ]) {
    const quote = quoteOf(words)
    assert.equal(quote.isWellFormed(), true, quote)
    assert.ok(quote.length <= 201)
  }
  const long = `${'1.'.repeat(1_000_000)} fim`
  assert.ok(!quoteOf(long).includes('fim'))
})
