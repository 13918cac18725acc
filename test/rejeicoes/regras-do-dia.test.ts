import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { type Vigencia, vigorEm } from '../../src/rejeicoes/rules.ts'
import type { Laudo } from '../../src/rejeicoes/rules-laudo.ts'
import { aplicarMudancas } from '../../tools/rejeicoes/mudanca.ts'
import { lerMarcos } from '../../tools/rejeicoes/vigencias.ts'
import { CATALOGO, notaAssinada, notaBase, signAgain, verificar } from '../kit/rejeicoes.ts'

const disputada: Vigencia = {
  de: '2026-11-16',
  de_talvez: '2026-11-03',
  homologacao: { de: '2026-10-26', de_talvez: '2026-10-05' },
}

test('a rule begins on its day, in production and in homologation', () => {
  const regra: Vigencia = { de: '2026-08-03', ate: '2026-10-04', homologacao: { de: '2026-07-01' } }
  const em = (dia: string, ambiente: '1' | '2') => vigorEm(regra, { dia, ambiente })
  assert.deepEqual(
    ['2026-08-02', '2026-08-03', '2026-10-04', '2026-10-05'].map((dia) => em(dia, '1')),
    [false, true, true, false],
  )
  assert.deepEqual(
    ['2026-06-30', '2026-07-01', '2026-10-05'].map((dia) => em(dia, '2')),
    [false, true, true],
  )
  assert.equal(vigorEm(undefined, { dia: '2008-01-01', ambiente: '1' }), true)
})

test('between two days that sources name nobody can tell, and both are told', () => {
  const em = (dia: string, ambiente: '1' | '2' = '1') => vigorEm(disputada, { dia, ambiente })
  assert.deepEqual([em('2026-11-02'), em('2026-11-16')], [false, true])
  for (const dia of ['2026-11-03', '2026-11-15'])
    assert.match(String(em(dia)), /03\/11\/2026 ou 16\/11\/2026/)
  assert.match(String(em('2026-10-05', '2')), /05\/10\/2026 ou 26\/10\/2026/)
  const finda: Vigencia = { ate: '2026-11-15', ate_talvez: '2026-11-02' }
  const fim = (dia: string) => vigorEm(finda, { dia, ambiente: '1' })
  assert.deepEqual([fim('2026-11-02'), fim('2026-11-16')], [true, false])
  assert.match(String(fim('2026-11-03')), /último dia.*02\/11\/2026 ou 15\/11\/2026/)
})

test('what fails by a rule that nobody can date is undecided, and what passes is right', () => {
  const de = (dia: string) => ({ contexto: { regencia: { dia, ambiente: '1' as const } } })
  const falha = verificar({ regra: { presente: 'nada' }, vigencia: disputada }, de('2026-11-10'))
  assert.equal(falha.resultado, 'indeterminado')
  assert.match(falha.ocorrencias[0]?.mensagem ?? '', /03\/11\/2026 ou 16\/11\/2026/)
  const antiga = verificar(
    { regra: { presente: 'nada' }, vigencia: { texto: '2020-11-30' } },
    de('2019-05-01'),
  )
  assert.equal(antiga.resultado, 'indeterminado')
  assert.match(antiga.ocorrencias[0]?.mensagem ?? '', /texto oficial de 30\/11\/2020/)
  assert.equal(
    verificar({ regra: { presente: 'ide' }, vigencia: disputada }, de('2026-11-10')).resultado,
    'ok',
  )
  assert.equal(
    verificar({ regra: { presente: 'nada' }, vigencia: { texto: '2020-11-30' } }, de('2020-11-30')).resultado,
    'falha',
  )
})

test('no milestone waits longer than its day to be looked at again', () => {
  const hoje = new Date().toISOString().slice(0, 10)
  const vencidos = [...lerMarcos().values()].filter(({ reler }) => reler !== '' && reler < hoje)
  assert.deepEqual(
    vencidos.map(({ marco, reler }) => `${marco}: read its sources again, due since ${reler}`),
    [],
  )
})

const DEPOIS = new Date('2027-01-10T12:00:00Z')
const laudoDe = (xml: string, agora = DEPOIS): Laudo => makeLaudo({ xml, agora, catalogo: CATALOGO })
const codigos = (lista: Laudo['suspeitas']): number[] => lista.map(({ codigo }) => codigo)

/** An authorised note of that content, as the authority gives it back. */
async function autorizada(mudar: (xml: string) => string, cStat = '100'): Promise<string> {
  const proc = await notaAssinada()
  const nfe = await signAgain(mudar(proc))
  const digest = /<DigestValue>([^<]*)/.exec(nfe)?.[1] ?? ''
  return proc
    .replace(/<NFe .*<\/NFe>/s, () => nfe)
    .replace(/<digVal>[^<]*/, `<digVal>${digest}`)
    .replace('<cStat>100<', `<cStat>${cStat}<`)
}

const errada = (xml: string): string => xml.replace(/(<ICMSTot>.*?<vFrete>).*?</s, '$19.99<')

test('an authorised note is not accused: what contradicts it is a later rule or a difference of ours', async () => {
  assert.ok(codigos(laudoDe(await signAgain(errada(await notaAssinada()))).suspeitas).includes(535))
  for (const cStat of ['100', '120', '150']) {
    const laudo = laudoDe(await autorizada(errada, cStat))
    assert.deepEqual([laudo.suspeitas, laudo.emendas, laudo.resumo.falha], [[], [], 0])
    assert.deepEqual(laudo.regras, {
      dia: '2026-11-21',
      ambiente: 'producao',
      base: 'protocolo',
      autorizada: true,
    })
    assert.ok(codigos(laudo.divergencias).includes(535))
    for (const { ocorrencias } of laudo.divergencias)
      for (const { mensagem } of ocorrencias)
        assert.match(mensagem, /^Regra posterior, ou diferença nossa: a SEFAZ autorizou a nota assim\./)
    const achado = laudo.verificacoes.find(({ codigo, resultado }) => codigo === 535 && resultado !== 'ok')
    assert.equal(achado?.resultado, 'indeterminado')
    assert.match(laudo.avisos.join(' '), /foi autorizada/)
  }
  const recusada = laudoDe(await autorizada(errada, '610'))
  assert.ok(codigos(recusada.suspeitas).includes(535))
})

test('blanks between elements make no other content of an authorised note', async () => {
  const proc = (await autorizada(errada)).replaceAll('><', '>\n <')
  const laudo = laudoDe(proc)
  assert.ok(!codigos(laudo.suspeitas).includes(535))
  assert.ok(codigos(laudo.divergencias).includes(535))
})

test('a protocol of another content, or of another key, excuses nothing', async () => {
  const outro = laudoDe((await autorizada((xml) => xml)).replace(/(<ICMSTot>.*?<vFrete>).*?</s, '$19.99<'))
  assert.ok(codigos(outro.suspeitas).includes(535))
  assert.deepEqual(outro.divergencias, [])
  assert.match(outro.avisos.join(' '), /autorizou outro conteúdo/)
  assert.equal(outro.regras.base, 'protocolo')
  const alheia = (await autorizada(errada)).replace(/<chNFe>\d{2}/, '<chNFe>99')
  assert.ok(codigos(laudoDe(alheia).suspeitas).includes(535))
  assert.equal(laudoDe(alheia).regras.base, 'emissao')
})

/** A base note that was issued on that day. */
const emitidaEm = (nome: string, dia: string): string =>
  aplicarMudancas(notaBase(nome).replace(/>\s+</g, '><'), [
    { campo: 'ide/dhEmi', valor: `${dia}T10:15:00-03:00` },
    { recalcular: 'chave' },
  ])

test('what a rule of today would say of a note of yesterday is told apart', () => {
  // 434 begins on 2022-04-04 (NT 2020.006).
  const semIntermediador = (dia: string): string =>
    aplicarMudancas(emitidaEm('venda-interna', dia), [
      { campo: 'ide/indPres', valor: '9' },
      { campo: 'ide/indIntermed', valor: null },
    ])
  const antes = laudoDe(semIntermediador('2022-04-03'))
  assert.ok(!codigos(antes.suspeitas).includes(434))
  assert.ok(codigos(antes.se_transmitida_hoje).includes(434))
  assert.deepEqual(antes.regras, {
    dia: '2022-04-03',
    ambiente: 'producao',
    base: 'emissao',
    autorizada: false,
  })
  const depois = laudoDe(semIntermediador('2022-04-04'))
  assert.ok(codigos(depois.suspeitas).includes(434))
  assert.ok(!codigos(depois.se_transmitida_hoje).includes(434))
})

test('a note whose day cannot be read is held against the rules of today, which is told', () => {
  const xml = notaBase('venda-interna').replace(/<dhEmi>[^<]*/, '<dhEmi>ontem')
  const { regras, avisos } = laudoDe(xml)
  assert.deepEqual(regras, { dia: '2027-01-10', ambiente: 'producao', base: 'hoje', autorizada: false })
  assert.match(avisos.join(' '), /dhEmi.*regras de hoje/)
})
