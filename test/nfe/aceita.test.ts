import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { dvDaChave } from '../../simulator/nfe/nota.ts'
import { startNfe, useNfe } from '../kit/nfe.ts'

/** The key with another text at a place, and the check digit that fits it. */
function trocar(chave: string, place: number, text: string): string {
  const semDv = chave.slice(0, place) + text + chave.slice(place + text.length, 43)
  return semDv + dvDaChave(semDv)
}

const troca = (place: number, text: string) => (chave: string) => trocar(chave, place, text)

/** A key of 44 digits that no NF-e has: the fault and the message. */
const invalidas: [nome: string, muda: (chave: string) => string, diz: RegExp][] = [
  [
    'its check digit is wrong',
    (chave) => chave.slice(0, 43) + ((Number(chave[43]) + 1) % 10),
    /dígito verificador não confere/,
  ],
  ['no UF has its code', troca(0, '99'), /99 não é o código de nenhuma UF/],
  ['its year is before the NF-e', troca(2, '05'), /2005 não é ano/],
  ['its year is still to come', troca(2, '98'), /2098 não é ano/],
  ['its month is 13', troca(4, '13'), /13 não é um mês/],
  ['its month is 00', troca(4, '00'), /00 não é um mês/],
  ['its CNPJ is none', troca(6, '11111111111111'), /CNPJ ou CPF do emitente não é válido/],
  ['it is of a CT-e', troca(20, '57'), /o modelo é 57 \(um CT-e\)/],
  ['it is of an NFC-e', troca(20, '65'), /o modelo é 65 \(uma NFC-e\)/],
  ['its number is zero', troca(25, '000000000'), /número da nota é zero/],
]

/** A1 files of one company, each made in another way. Its note is released to the company. */
const arquivos = [
  'aes',
  '3des',
  'rc2-40',
  'ca-primeiro',
  'sem-cadeia',
  'senha-acentuada',
  'senha-vazia',
  'ec',
]

describe('what an NF-e call takes', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  for (const [nome, muda, diz] of invalidas)
    test(`chave_invalida, HTTP 200, without credits, a cstat of SEFAZ or asking anybody: ${nome}`, async () => {
      const { house, key } = nfeOf()
      const chave = muda(house.chaveDe('ciencia'))
      const { item, body, headers, passos } = await house.askFor('ciencia', { chave, key })
      const { mensagem, ...rest } = item
      const told = {
        status: 'chave_invalida',
        from_cache: false,
        manifestacao: null,
        xml: null,
        retryable: false,
      }
      assert.deepEqual(rest, { chave, cstat: '', ...told })
      assert.match(mensagem, diz)
      assert.deepEqual([body.total, body.com_dado, body.creditos_cobrados], [1, 0, 0])
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-sefaz-consultas-restantes'), '20')
      assert.equal(passos, '')
    })

  test('spaces and dots in the key are ignored, and the answer has it without them', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('transportador')
    const printed = ` ${chave.replace(/(.{4})/g, '$1 ').replace(' ', '. ')}\u00a0`
    const { item } = await house.askFor('transportador', { chave: printed, key })
    assert.deepEqual([item.status, item.chave], ['ok', chave])
  })

  for (const [at, arquivo] of arquivos.entries())
    test(`the A1 file "${arquivo}" serves from end to end`, async () => {
      const { house, key } = nfeOf()
      const { item } = await house.askFor('a1', { arquivo, key, dias: 3 + at / 86_400 })
      assert.deepEqual([item.status, item.cstat], ['ok', '138'], item.mensagem)
    })

  test('of a file with the keys of two holders the answer says whose was used, and of others nothing', async () => {
    const { house, key } = nfeOf()
    house.pass(20_000)
    const { item } = await house.askFor('a1', { arquivo: 'dois-titulares', key })
    assert.equal(item.status, 'ok', item.mensagem)
    const { titular } = comCenario('a1')
    assert.ok(
      item.mensagem.includes(`mais de um titular: foi usado o de ${titular.nome}, CNPJ ${titular.documento}`),
      item.mensagem,
    )
    house.pass(1_000)
    assert.doesNotMatch((await house.askFor('a1', { arquivo: 'aes', key })).item.mensagem, /titular/)
  })

  test('the A1 file of a CNPJ with letters serves from end to end', async () => {
    const { house, key } = nfeOf()
    const { item } = await house.askFor('letras', { arquivo: 'alfanumerico', key })
    assert.equal(item.status, 'ok', item.mensagem)
  })

  test('base64 that is broken into lines serves too', async () => {
    const { house, key } = nfeOf()
    const { certificado } = await house.a1('nfe-autorizado')
    const corpo = { certificado: certificado.replace(/(.{76})/g, '$1\r\n') }
    assert.equal((await house.askFor('autorizado', { corpo, key })).item.status, 'ok')
  })

  for (const arquivo of ['outra-cadeia', 'titular-so-no-cn'])
    test(`a certificate that the authority refuses (${arquivo}) is told as such, and keeps nobody else out`, async () => {
      const { house, key } = nfeOf()
      // The call is repeated more often than it takes to open a circuit.
      for (let i = 0; i < 7; i++) {
        const refused = await house.askFor('ciencia', { arquivo, key })
        const { status, cstat, manifestacao, mensagem } = refused.item
        assert.deepEqual([status, cstat, manifestacao], ['erro', '', null])
        assert.match(mensagem, /recusou o certificado enviado na requisição.*ICP-Brasil/)
        assert.equal(refused.headers.get('retry-after'), null)
      }
      assert.equal((await house.askFor('ciencia', { key })).item.status, 'ok')
      house.pass(1000)
    })

  for (const [valor, is] of [true, 'true', 1, '1', false, 'false', 0, '0'].map(
    (v, i) => [v, i < 4] as const,
  )) {
    const json = JSON.stringify(valor)
    test(`manifestar = ${json} ${is ? 'registers the event' : 'registers none'}`, async () => {
      const { house, key } = nfeOf()
      house.pass(1000)
      const { passos } = await house.askFor('sem-manifestar', { key, corpo: { manifestar: valor } })
      assert.equal(passos, is ? 'consulta 210210 consulta' : 'consulta')
    })
    test(`simular = ${json} is ${is ? 'a dry run' : 'a real call'}`, async () => {
      const { house, key } = nfeOf()
      house.pass(1000)
      const { item, passos } = await house.askFor('simulacao', { key, corpo: { simular: valor } })
      assert.equal(passos, is ? 'consulta' : 'consulta 210210 consulta')
      assert.equal(item.simulacao !== undefined, is)
    })
  }

  test('of a member that is there twice, the last counts; one that nobody knows is ignored', async () => {
    const { house, key } = nfeOf()
    const { certificado, senha } = await house.a1('nfe-emitente')
    const last = JSON.stringify({ chave: house.chaveDe('emitente'), certificado, senha, outro: [1] })
    const { body } = await house.post(`{"chave":"1",${last.slice(1)}`, { key })
    assert.equal(body.com_dado, 1)
  })
})
