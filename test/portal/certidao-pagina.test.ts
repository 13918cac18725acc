import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../src/platform/errors.ts'
import { RotaNaoAtende } from '../../src/platform/wire/fonte.ts'
import { readCertidaoPage } from '../../src/portal/certidao-resposta.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { leitura } from '../kit/certidoes.ts'

describe('a page in the place of a certificate', () => {
  const { source, documento, elapsedMs } = leitura('PA')
  const read = (texto: string): Certidao => readCertidaoPage(texto, { source, documento, elapsedMs })

  test('a page that tells of a certificate, or is worded as one, has not delivered it', () => {
    for (const texto of [
      'Certidão emitida!',
      'CERTIDÃO NEGATIVA DE DÉBITOS. Certificamos que não constam débitos.',
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA. Certificamos que os débitos estão suspensos.',
    ])
      assert.throws(() => read(texto), { name: 'SourceError', kind: 'parse', message: /não a enviou/ })
  })

  test('it says what the state said, and gives no file', () => {
    assert.deepEqual(read('  Existe pendência\n de IPVA ou de Auto de IPVA. '), {
      status: 'sem_certidao',
      status_raw: 'Existe pendência de IPVA ou de Auto de IPVA.',
      validade: '',
      emissao: '',
      protocolo: '',
      pdf_base64: '',
      url_verificacao: '',
      codigo_autenticacao: '',
    })
    assert.equal(read('Contribuinte não inscrito').status, 'nao_contribuinte')
  })

  test('of a whole page, the sentence that decided is told', () => {
    const page = `${'Menu de serviços '.repeat(80)}. Este CPF/CNPJ é devedor. ${'Rodapé '.repeat(80)}`
    assert.equal(read(page).status_raw, 'Este CPF/CNPJ é devedor.')
  })

  test('what is wrong with the question is told to who asked', () => {
    assert.throws(
      () => read('CNPJ inválido'),
      (error) => error instanceof ApiError && error.code === 'DOCUMENTO_INVALIDO',
    )
    assert.throws(() => read('Informe a IE'), RotaNaoAtende)
  })

  for (const [texto, kind, codigo, unavailable] of [
    ['Complete a verificação', 'blocked', 'captcha', true],
    ['Código da imagem inválido.', 'blocked', 'captcha-errado', true],
    ['Fora do horário de atendimento', 'blocked', 'fechado', true],
    ['Sistema em manutenção', 'http', 'indisponivel', true],
    ['Sua sessão expirou', 'http', 'sessao-expirada', true],
    ['Ocorreu um erro inesperado', 'http', 'indisponivel', true],
    ['Acesso Negado', 'blocked', 'bloqueado', true],
    ['REQUERIMENTO', 'timeout', 'em-processamento', false],
  ] as const)
    test(`"${texto}" is a failure of the source: ${codigo}`, () =>
      assert.throws(() => read(texto), { name: 'SourceError', kind, codigo, unavailable, source: 'PA/cnd' }))

  test('no message of a failure carries a document', () => {
    assert.throws(
      () => read(`CNPJ inválido`),
      (error) => error instanceof Error && !error.message.includes('11222333'),
    )
  })
})
