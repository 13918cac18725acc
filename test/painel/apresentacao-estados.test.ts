import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { apresentarCertidao, apresentarCertidoesTodos } from '../../src/certidao/apresentacao.ts'
import { estados } from '../../src/estados/estados.ts'
import { apresentarCertidaoFederal } from '../../src/federal/apresentacao.ts'
import {
  apresentarInscricoes,
  apresentarInscricoesDoEstado,
  apresentarInscricoesTodos,
  quemRespondeu,
} from '../../src/inscricao/apresentacao.ts'
import { fonteCcc } from '../../src/inscricao/source-ccc.ts'
import { avisosDitos } from '../../src/painel/consultar/veredito.ts'
import type { Apresentacao, EstadoApresentado } from '../../src/platform/pages/apresentacao.ts'
import { apresentarPerfil } from '../../src/rural/apresentacao-perfil.ts'
import { NOW } from '../kit/basics.ts'
import { CND_TODOS, cnd, type House, IE_TODOS, ie, newClock, start } from '../kit/house.ts'

const cnpj = exemplos().umaInscricao.get('SP') ?? ''

const estadosEm = (
  porEstado: readonly EstadoApresentado[] | undefined,
  desfecho: EstadoApresentado['desfecho'],
) => (porEstado ?? []).filter((one) => one.desfecho === desfecho)

async function inHouse(
  env: Record<string, string>,
  look: (house: House) => Promise<void>,
  now?: () => Date,
): Promise<void> {
  const house = await start(env, now)
  try {
    await look(house)
  } finally {
    await house.close()
  }
}

test('who answered is named as the source names itself', () => {
  for (const [uf, { ie, cnd }] of estados) {
    for (const { source } of [...ie, ...cnd])
      assert.equal(source.nome.replace(/^[AO] /, ''), quemRespondeu(uf, source.id))
    assert.equal(quemRespondeu(uf, fonteCcc.source.id), 'Cadastro nacional (CCC)')
  }
})

test('a state that wants a captcha that nobody solves here is not connected, and says what is missing', () =>
  inHouse({ CAPTCHA_UFS: 'nenhuma' }, async (house) => {
    const { body } = await house.ask(`${CND_TODOS}?cnpj=${cnpj}`)
    const { porEstado, frase } = apresentarCertidoesTodos(body, NOW)
    const missing = estadosEm(porEstado, 'nao_conectado').filter(
      ({ palavra }) => palavra === 'Falta o captcha',
    )
    assert.ok(missing.length > 0)
    for (const { motivo } of missing) assert.match(motivo, /CAPTCHA_WEBHOOK_URL/)
    assert.match(
      String(frase),
      new RegExp(`${estadosEm(porEstado, 'nao_conectado').length} não consultáveis`),
    )
  }))

test('a state that wants a certificate that the operator has not set is not connected', () =>
  inHouse({ AUTHORITIES: 'live', BOOTSTRAP_API_KEY: `fk_${'0'.repeat(32)}` }, async (house) => {
    const { status, body } = await house.ask(ie(cnpj), { key: `fk_${'0'.repeat(32)}` })
    assert.equal(status, 503)
    const { error_code, error_message, retryable } = body
    const said = apresentarInscricoesDoEstado(
      {
        uf: 'SP',
        source_status: { status: 'error', error_code, error_message, retryable },
        results: [],
        fonte: '',
        consultado_em: '',
        avisos: [],
      },
      NOW,
    )
    assert.deepEqual([said.desfecho, said.palavra], ['nao_conectado', 'Falta o certificado'])
    assert.match(said.motivo, /A1_FILE/)
  }))

test('what failed is told apart from what was found, and a kept answer says that it is one', () =>
  inHouse({}, async (house) => {
    const first = apresentarInscricoesTodos((await house.ask(`${IE_TODOS}?cnpj=${cnpj}`)).body, NOW)
    assert.match(first.veredito, /^1 inscrição: SP \d{3}\.\d{3}\.\d{3}\.\d{3}, ativa$/)
    assert.equal(first.frase, '24 sem inscrição · 2 não consultáveis')
    const fora = estadosEm(first.porEstado, 'nao_conectado')
    assert.deepEqual(
      fora.map(({ uf, palavra }) => [uf, palavra]),
      [
        ['DF', 'Só no site'],
        ['PA', 'Só no site'],
      ],
    )
    for (const { motivo } of fora)
      assert.match(
        motivo,
        /^A SEFAZ-(?:DF|PA) não tem consulta automática, e do cadastro nacional \(CCC\) não veio inscrição\. Consulte na página/,
      )
    assert.equal(first.respondido?.guardada, false)
    assert.equal(first.respondido?.quem, '25 secretarias')
    assert.deepEqual(
      estadosEm(first.porEstado, 'achado').map(({ uf, palavra }) => [uf, palavra]),
      [['SP', 'Ativa']],
    )
    const again = apresentarInscricoesTodos((await house.ask(`${IE_TODOS}?cnpj=${cnpj}`)).body, NOW)
    assert.equal(again.respondido?.guardada, true)
    const { body } = await house.ask(`${IE_TODOS}?cnpj=98765204000118`)
    const todas = apresentarInscricoesTodos({ ...body, cached_ufs: ['SP'] }, NOW)
    assert.equal(todas.respondido?.quem, '25 secretarias e o cadastro nacional (CCC) (1 reaproveitada)')
    assert.equal(again.respondido?.em, NOW.toISOString())
    const alone = apresentarInscricoes((await house.ask(ie(cnpj))).body, NOW)
    assert.deepEqual(
      [alone.tom, alone.veredito, alone.respondido?.guardada],
      ['bom', 'Inscrição ativa', true],
    )
  }))

test('a certificate says until when it holds, on its last day and after it too', () =>
  inHouse({}, async (house) => {
    const { body } = await house.ask(cnd(cnpj, 'SP'))
    const { validade, papel, frase } = apresentarCertidao(body, NOW)
    for (const [status, tom] of [
      ['positiva_com_efeitos_de_negativa', 'nota'],
      ['positiva', 'lento'],
    ] as const)
      assert.equal(apresentarCertidao({ ...body, result: { ...Object(body.result), status } }, NOW).tom, tom)
    assert.ok(validade && papel)
    const at = (instant: string) => String(apresentarCertidao(body, new Date(instant)).frase)
    assert.match(String(frase), /Válida até <b>\d{2}\/\d{2}\/\d{4}<\/b> \(faltam \d+ dias\)/)
    assert.match(at(`${validade.dia}T15:00:00Z`), /\(vence hoje\)/)
    const later = new Date(`${Number(validade.dia.slice(0, 4)) + 1}-12-31T15:00:00Z`)
    const over = apresentarCertidao(body, later)
    assert.match(String(over.frase), /^Venceu em <b>\d{2}\/\d{2}\/\d{4}<\/b>, há \d+ dias: .* Peça outra\.$/)
    assert.deepEqual([over.tom, over.veredito, over.validade], ['nota', 'Negativa, vencida', undefined])
    const todas = (await house.ask(`${CND_TODOS}?cnpj=${cnpj}`)).body
    const known = apresentarCertidoesTodos(todas, NOW)
    assert.ok(estadosEm(known.porEstado, 'achado').some(({ validade: dia }) => dia))
    const past = apresentarCertidoesTodos(todas, later)
    assert.equal(past.tom, 'nota')
    assert.match(past.veredito, /vencida/)
    assert.deepEqual(estadosEm(past.porEstado, 'achado'), [])
    for (const { fichas, validade: dia } of estadosEm(past.porEstado, 'pendencia')) {
      assert.equal(dia, undefined)
      assert.deepEqual(fichas[0]?.selo, { tom: 'nota', palavra: 'Negativa, vencida' })
    }
  }))

test('a federal certificate whose last day is over is no good news, and is put into no calendar', () =>
  inHouse({}, async (house) => {
    const { body } = await house.ask('/api/consultar-cnd-federal?cnpj=98764010000106')
    const now = apresentarCertidaoFederal(body, NOW)
    assert.deepEqual([now.tom, now.veredito], ['bom', 'Negativa'])
    const over = apresentarCertidaoFederal(body, new Date('2030-01-01T15:00:00Z'))
    assert.deepEqual([over.tom, over.veredito, over.validade], ['nota', 'Negativa, vencida', undefined])
    assert.match(String(over.frase), /^Venceu em <b>/)
  }))

const FALHA = {
  status: 'error',
  error_code: 'SITE_INDISPONIVEL',
  error_message: 'A SEFAZ não respondeu.',
  retryable: true,
}

/** An answer of all states, in which only these still answer. */
function only(body: object, ufs: readonly string[], source_status: object = FALHA) {
  const sem = { source_status, fonte: '', consultado_em: '', avisos: [] }
  const results = Object(body).results.map((one: { uf: string }) => {
    if (ufs.includes(one.uf)) return one
    return 'result' in one ? { uf: one.uf, result: null, ...sem } : { uf: one.uf, results: [], ...sem }
  })
  return { ...body, results }
}

test('of what some states alone answered the verdict says how many did not, and is never good news', () =>
  inHouse({}, async (house) => {
    const inscricoes = (await house.ask(`${IE_TODOS}?cnpj=${cnpj}`)).body
    const certidoes = (await house.ask(`${CND_TODOS}?cnpj=${cnpj}`)).body
    const said = (dita: Apresentacao) => [dita.tom, dita.veredito]
    const [numero = ''] = apresentarInscricoesTodos(inscricoes, NOW).veredito.split(',')
    assert.match(numero, /^1 inscrição: SP [\d.]+$/)
    assert.deepEqual(said(apresentarInscricoesTodos(only(inscricoes, ['SP']), NOW)), [
      'nota',
      `${numero}, ativa (26 falharam)`,
    ])
    assert.deepEqual(said(apresentarInscricoesTodos(only(inscricoes, ['AC']), NOW)), [
      'nota',
      'Nenhuma inscrição (26 falharam)',
    ])
    assert.deepEqual(said(apresentarInscricoesTodos(only(inscricoes, []), NOW)), [
      'ruim',
      'Nenhum estado respondeu',
    ])
    assert.deepEqual(said(apresentarCertidoesTodos(only(certidoes, ['SP']), NOW)), [
      'nota',
      'Negativa em SP (26 falharam)',
    ])
    const unasked = { ...FALHA, retryable: false }
    const semConexao = apresentarCertidoesTodos(only(certidoes, ['SP'], unasked), NOW)
    assert.deepEqual(
      [...said(semConexao), semConexao.frase],
      ['bom', 'Negativa em SP', '26 não consultáveis'],
    )
    assert.deepEqual(said(apresentarInscricoesTodos(only(inscricoes, ['AC'], unasked), NOW)), [
      'neutro',
      'Nenhuma inscrição em 1 estado',
    ])
    const comEfeitos = only(certidoes, ['SP'], unasked)
    comEfeitos.results.find(({ uf }: { uf: string }) => uf === 'SP').result = {
      ...comEfeitos.results.find(({ uf }: { uf: string }) => uf === 'SP').result,
      status: 'positiva_com_efeitos_de_negativa',
    }
    assert.equal(apresentarCertidoesTodos(comEfeitos, NOW).tom, 'nota')
    comEfeitos.results.find(({ uf }: { uf: string }) => uf === 'SP').result.status = 'positiva'
    assert.deepEqual(said(apresentarCertidoesTodos(comEfeitos, NOW)), ['lento', 'Positiva em SP'])
  }))

test('an answer for which no state was asked says that it is kept, and since when', async () => {
  const { now, pass } = newClock()
  const inOrder = [
    [CND_TODOS, apresentarCertidoesTodos],
    ['/api/perfil-produtor', apresentarPerfil],
  ] as const
  const look = async (house: House): Promise<void> => {
    for (const [path, present] of inOrder) {
      const ask = async () => present((await house.ask(`${path}?cnpj=${cnpj}`)).body, now()).respondido
      pass(240_000)
      const first = await ask()
      assert.equal(first?.guardada, false, path)
      pass(240_000)
      assert.deepEqual(await ask(), { ...first, guardada: true }, path)
    }
  }
  await inHouse({}, look, now)
})

test('a profile counts who has nothing and who cannot be asked apart for each of its parts', () =>
  inHouse({}, async (house) => {
    const { body } = await house.ask('/api/perfil-produtor?cnpj=99001002000162')
    const { veredito, frase } = apresentarPerfil(body, NOW)
    assert.equal(veredito, '1 inscrição ativa em SP, 2 certidões negativas')
    assert.match(
      String(frase),
      /^Inscrições: \d+ sem inscrição, 2 não consultáveis · Certidões: (?:\d+ sem inscrição, )?6 não consultáveis$/,
    )
  }))

test('a profile without a registration names who was not asked, and of a state both answers', () =>
  inHouse({}, async (house) => {
    const { body } = await house.ask('/api/perfil-produtor?cpf=74677237417')
    const { veredito, frase, porEstado = [] } = apresentarPerfil(body, NOW)
    const [, quantos] = /^Nenhuma inscrição em (\d+) estados/.exec(veredito) ?? []
    const fora = porEstado.filter(({ de }) => de?.Inscrição?.desfecho === 'nao_conectado')
    assert.equal(fora.length, 27 - Number(quantos))
    const { results } = Object((await house.ask(`${IE_TODOS}?cpf=74677237417`)).body)
    assert.deepEqual(
      fora.map(({ uf }) => uf),
      results.flatMap((one: { uf: string; source_status: { status: string } }) =>
        one.source_status.status === 'success' ? [] : one.uf,
      ),
    )
    assert.match(String(frase), new RegExp(`Inscrições: ${fora.length} não consultáveis · Certidões: `))
    // A notice that does not name them all is no ground to say anything of a state.
    const avisos = ['inscricoes_estaduais: nenhuma inscrição nos estados que responderam (19 de 27).']
    const mudo = apresentarPerfil({ ...body, avisos }, NOW)
    assert.match(mudo.veredito, /^Nenhuma inscrição em 19 estados/)
    assert.ok(mudo.porEstado?.every(({ de }) => de === undefined))
  }))

test('what states are known for alike is said once, without the ids of their sources', () =>
  inHouse({}, async (house) => {
    const { body } = await house.ask(`${CND_TODOS}?cnpj=${cnpj}`)
    const avisos = avisosDitos(body)
    const many = avisos.find(({ ufs }) => ufs.length > 5)
    assert.match(many?.aviso ?? '', /^Contribuinte sem inscrição estadual: quem o disse foi a secretaria da/)
    assert.equal(new Set(avisos.flatMap(({ ufs }) => ufs)).size, avisos.flatMap(({ ufs }) => ufs).length)
    assert.doesNotMatch(JSON.stringify(avisos), /[A-Z]{2}\/[a-z]/)
  }))
