import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SourceStatus, success } from '../../src/platform/wire/source-status.ts'
import { type Ausencia, ausenciaNosEstados, tellAusencias } from '../../src/rural/lookup-perfil.ts'

const status = (error_code: SourceStatus['error_code'], retryable: boolean): SourceStatus => ({
  status: 'error',
  error_code,
  error_message: 'Falhou.',
  retryable,
})
const naoAtende = status('SITE_INDISPONIVEL', false)
const deUmEstado = (source_status: SourceStatus): Ausencia =>
  ausenciaNosEstados('inscricoes_estaduais', [
    { uf: 'AC', source_status: success },
    { uf: 'SP', source_status },
  ])
const semEmpresa: Ausencia = { aviso: 'receita_federal: nada.', falhou: false, retryable: false }

test('all sections are null because nothing is known: states that do not take the document did not fail', () => {
  for (const one of [success, naoAtende, status('DOCUMENTO_INVALIDO', false)]) {
    const { avisos, retryS } = tellAusencias([semEmpresa, deUmEstado(one)], 2)
    assert.equal(retryS, null)
    assert.equal(avisos.length, 3)
    assert.match(avisos[0] ?? '', /porque nenhuma fonte que atende a este documento tem dados dele\.$/)
  }
})

test('all sections are null because states failed: the time to repeat is told only where that may help', () => {
  for (const [one, seconds] of [
    [status('SITE_INDISPONIVEL', true), 60],
    [status('PROCESSAMENTO_FALHOU', false), null],
    [status('ERRO_INTERNO', true), 60],
  ] as const) {
    const { avisos, retryS } = tellAusencias([semEmpresa, deUmEstado(one)], 2)
    assert.equal(retryS, seconds)
    assert.match(avisos[0] ?? '', /^Todas as seções vieram null, mas há fontes que falharam/)
    assert.equal(/Tente de novo em 1 minuto/.test(avisos[0] ?? ''), seconds !== null)
    assert.match(avisos[2] ?? '', /\(1 de 2\)\. Falharam desta vez: SP\.$/)
  }
})

test('a section without data names who failed and who cannot be asked, each by itself', () => {
  const { aviso } = ausenciaNosEstados('inscricoes_estaduais', [
    { uf: 'AC', source_status: success },
    { uf: 'RR', source_status: naoAtende },
    { uf: 'SP', source_status: status('SITE_INDISPONIVEL', true) },
  ])
  assert.match(aviso, /responderam \(1 de 3\)\. Falharam desta vez: SP\. Não consultáveis: RR\.$/)
})

test('a profile with one section tells why the others are null, and nothing of a time', () => {
  const { avisos, retryS } = tellAusencias([deUmEstado(status('SITE_INDISPONIVEL', true))], 2)
  assert.equal(retryS, null)
  assert.match(String(avisos), /^inscricoes_estaduais: /)
})
