import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EfeitoNfe } from '../../simulator/nfe/cenario.ts'
import { CATALOGO_NFE, cenarios, comCenario } from '../../simulator/nfe/cenarios.ts'
import { notaDe } from '../../simulator/nfe/nota.ts'
import { CATALOGO } from '../../simulator/platform/icp/catalogo.ts'
import { listNotas } from '../../simulator/roteiro/roteiro.ts'

const NOW = new Date('2026-11-21T12:34:56.789Z')
const DAY = 86_400_000

const rows = listNotas(NOW).map(({ envio, ...row }) => {
  assert.ok(envio)
  return { ...row, envio, scenario: comCenario(envio.cenario) }
})

test('every scenario has a row, with its own A1 file', () => {
  const files = new Map([...CATALOGO, ...CATALOGO_NFE].map((item) => [item.nome, item]))
  const shown = new Set(rows.map(({ envio }) => envio.cenario))
  assert.deepEqual(
    cenarios.filter(({ nome }) => !shown.has(nome)),
    [],
  )
  for (const { envio, scenario, espera } of rows) {
    const file = files.get(envio.certificado)
    assert.ok(file, envio.certificado)
    if (espera.http !== 200) continue
    assert.equal(file.senha, envio.senha)
    if (envio.certificado === `nfe-${scenario.nome}`) assert.equal(file.titular, scenario.titular)
  }
  assert.equal(new Set(files.keys()).size, CATALOGO.length + cenarios.length)
})

test('the notes are as old as their scenarios say, to the second, and each row and each second has keys of its own', () => {
  for (const { envio, scenario } of rows) {
    const note = notaDe(envio.corpo.chave)
    assert.equal(note?.cenario, scenario)
    const age = NOW.getTime() - note.autorizacao.getTime()
    assert.ok(Math.abs(age - scenario.idadeDias * DAY) < 20_000, scenario.nome)
    assert.ok(note.recepcao <= NOW)
  }
  const keys = (now: Date) => listNotas(now).map(({ envio }) => envio?.corpo.chave ?? '')
  assert.equal(new Set(keys(NOW)).size, rows.length)
  const later = keys(new Date(NOW.getTime() + 60_000))
  assert.deepEqual(
    later.filter((key) => keys(NOW).includes(key)),
    [],
  )
})

test('every value of `status` and of `manifestacao` that the specification has comes of some row', () => {
  const values = (of: 'status' | 'manifestacao') =>
    [...new Set(rows.flatMap(({ espera }) => espera[of] ?? []))].sort()
  assert.deepEqual(values('status'), [
    'cancelada',
    'chave_invalida',
    'erro',
    'fora_prazo',
    'nao_autorizado',
    'nao_encontrado',
    'ok',
    'somente_resumo',
  ])
  assert.deepEqual(values('manifestacao'), [
    'ciencia_erro',
    'ciencia_fora_prazo',
    'ciencia_ja_registrada',
    'ciencia_nao_suportada',
    'ciencia_registrada',
    'ciencia_rejeitada',
    'confirmacao_erro',
    'confirmacao_ja_registrada',
    'confirmacao_nao_suportada',
    'confirmacao_registrada',
    'confirmacao_rejeitada',
  ])
})

test('three credits are charged for a note, and nothing for anything else', () => {
  for (const { envio, espera } of rows)
    assert.equal(espera.creditos, espera.status === 'ok' ? 3 : 0, envio.cenario)
})

test('no service of the national environment fails more than twice in a row in the order of the list', () => {
  /** Whether a client sees this effect as a failure of the service. Most codes are answers. */
  const fails = (effect: EfeitoNfe | string | undefined): boolean =>
    typeof effect === 'object'
      ? effect.tipo === 'codigo'
        ? [108, 109].includes(effect.cStat)
        : !['demora', 'envelope'].includes(effect.tipo) || (effect.tipo === 'demora' && effect.ms > 10_000)
      : effect === 'indisponivel' || effect === 'captcha-recusado'
  const inARow = { distribuicao: 0, eventos: 0, portal: 0 }
  const count = (service: keyof typeof inARow, failed: boolean): void => {
    inARow[service] = failed ? inARow[service] + 1 : 0
  }
  for (const { envio, espera, scenario } of rows) {
    if (espera.http !== 200) continue
    count('distribuicao', fails(scenario.distribuicao) || fails(scenario.distribuicaoDepois))
    const { manifestacao = null, status, cstat } = espera
    if (manifestacao && !manifestacao.endsWith('nao_suportada'))
      count('eventos', fails(scenario.ciencia) || fails(scenario.confirmacao))
    const isAsked = status === 'ok' && (scenario.idadeDias > 60 || /^(632|641|656|596)$/.test(cstat ?? ''))
    if (isAsked || scenario.portal !== 'libera') count('portal', fails(scenario.portal))
    for (const [service, failures] of Object.entries(inARow))
      assert.ok(failures <= 2, `${service}, ${envio.cenario}`)
  }
})

test('no holder is asked about so often in one list that the national environment would limit it', () => {
  const queries = Map.groupBy(rows, ({ scenario }) => scenario.titular.documento)
  for (const [holder, its] of queries) assert.ok(its.length <= 18, `${holder} ${its.length}`)
})
