import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condicao, Verificacao } from '../../src/rejeicoes/rules.ts'
import type { Achado } from '../../src/rejeicoes/rules-laudo.ts'
import { ondeDe } from '../../src/rejeicoes/verificacoes/campos.ts'
import { prepareVerificacoes } from '../../src/rejeicoes/verificacoes/verificador.ts'
import { lerNota } from '../../tools/rejeicoes/ler-nota.ts'
import { contexto, modelo, nota, verificar } from '../kit/rejeicoes.ts'

test('a check runs at each element of its scope, and tells each place that failed', () => {
  const achado = verificar({
    escopo: 'det',
    campos: ['ide/nNF', 'det/prod/NCM'],
    regra: { presente: './prod/NCM' },
  })
  assert.deepEqual(achado, {
    id: '999-prova',
    codigo: 999,
    titulo: 'Prova',
    aplicacao: 'obrigatoria',
    resultado: 'falha',
    omitidas: 0,
    ocorrencias: [
      {
        onde: 'item 2, campo NCM',
        campos: [
          { caminho: 'ide/nNF', valor: '7' },
          { caminho: 'det[2]/prod/NCM', valor: null },
        ],
        mensagem: 'Item 2: B, não informado.',
      },
    ],
  })
})

test('a condition that is false, an exception that is true, another model and another day are not applicable', () => {
  const regra: Condicao = { presente: 'nada' }
  const fora: Partial<Verificacao>[] = [
    { quando: { presente: 'nada' } },
    { exceto: [{ presente: 'nada' }, { presente: 'ide' }] },
    { modelos: ['65'] },
    { vigencia: { de: '2026-11-24' } },
    { vigencia: { ate: '2026-11-22' } },
    { escopo: 'nada' },
  ]
  for (const partes of fora) assert.equal(verificar({ ...partes, regra }).resultado, 'nao_aplicavel')
  assert.equal(
    verificar({ regra, modelos: ['55'], vigencia: { de: '2026-11-23', ate: '2026-11-23' } }).resultado,
    'falha',
  )
})

test('where it is unknown whether a check applies, it fails nobody', () => {
  const quando: Condicao = { igual: [{ contexto: 'nada' }, '1'] }
  assert.equal(verificar({ quando, regra: { presente: 'nada' } }).resultado, 'indeterminado')
  assert.equal(verificar({ quando, regra: { presente: 'ide' } }).resultado, 'ok')
  assert.equal(verificar({ exceto: [quando], regra: { presente: 'nada' } }).resultado, 'indeterminado')
})

test('a message tells both sides of the comparison', () => {
  const achado = verificar({
    regra: { fecha: [{ soma: 'det/prod/q' }, { vezes: [{ v: 'total/v' }, '0.125'] }] },
    mensagem_falha: 'Somam {encontrado}; eram {esperado}.',
  })
  assert.equal(achado.ocorrencias[0]?.mensagem, 'Somam 5.00; eram 0.0375.')
})

test('a message quotes three values of a path, the beginning of a long one, and what is empty or missing', () => {
  const mensagem = (mensagem_falha: string, de = nota): string | undefined =>
    prepareVerificacoes([{ ...modelo, regra: { presente: 'nada' }, mensagem_falha }])(de, contexto)[0]
      ?.ocorrencias[0]?.mensagem
  assert.equal(
    mensagem('{det/prod/cod}; {ide/vazio}; {ide/nada}; {@versao}'),
    'A, B; vazio; não informado; 4.00',
  )
  assert.equal(mensagem('{ide/*}'), '35, 55, 7…')
  const longa = lerNota(`<infNFe><x>${'á'.repeat(81)}</x><y>${'á'.repeat(80)}</y></infNFe>`)
  assert.equal(mensagem('{x} {y}', longa), `${'á'.repeat(80)}… ${'á'.repeat(80)}`)
})

test('the sides of a comparison are written as the note writes numbers and texts', () => {
  const dita = (regra: Condicao): string | undefined =>
    verificar({ regra, mensagem_falha: '{encontrado}|{esperado}' }).ocorrencias[0]?.mensagem
  assert.equal(dita({ fecha: [{ menos: ['0', '1.5'] }, '1000'] }), '-1.50|1000.00')
  assert.equal(dita({ nao: { menor: ['0.001', { v: 'ide/nNF' }] } }), '0.001|7.00')
  assert.equal(dita({ e: [{ presente: 'ide' }, { igual: [{ v: 'ide/nada' }, 'x'] }] }), 'não informado|x')
  assert.throws(() => dita({ presente: 'nada' }), /999-prova/)
})

test('the fields of a check are told three places each and twelve in all, and what is missing too', () => {
  const campos = [
    'ide/cUF',
    'ide/*',
    '@Id',
    'ide/nada',
    'det/prod/cod',
    'det/prod/q',
    'det/prod/v',
    'total/v',
  ]
  const [ocorrencia] = verificar({ campos, regra: { presente: 'nada' } }).ocorrencias
  assert.deepEqual(
    ocorrencia?.campos.map(({ caminho, valor }) => [caminho, valor]),
    [
      ['ide/cUF', '35'],
      ['ide/cUF', '35'],
      ['ide/mod', '55'],
      ['ide/nNF', '7'],
      ['@Id', 'NFe35'],
      ['ide/nada', null],
      ['det[1]/prod/cod', 'A'],
      ['det[2]/prod/cod', 'B'],
      ['det[1]/prod/q', '2.0000'],
      ['det[2]/prod/q', '3'],
      ['det[1]/prod/v', '0.1'],
      ['det[2]/prod/v', '0.2'],
    ],
  )
})

test('a field beside the place of a check is read from the nearest element that holds both', () => {
  const { ocorrencias } = verificar({
    escopo: 'det/imposto/ICMS',
    campos: ['det/prod/cod', 'det/imposto/ICMS/*/CST', 'total/v'],
    regra: { presente: './nada' },
    mensagem_falha: 'x',
  })
  assert.deepEqual(
    ocorrencias.map(({ onde, campos }) => [onde, campos.map(({ valor }) => valor)]),
    [
      ['item 1, ICMS, ICMS00, campo CST', ['A', '00', '0.3']],
      ['item 2, ICMS, ICMS40, campo CST', ['B', '40', '0.3']],
    ],
  )
})

test('what the layout lets repeat has its position, though it is alone', () => {
  const uma = lerNota('<infNFe><det nItem="1"><prod/></det></infNFe>')
  const [achado] = prepareVerificacoes([
    { ...modelo, escopo: 'det', campos: ['det/prod/NCM'], regra: { presente: './prod/NCM' } },
  ])(uma, contexto)
  const [ocorrencia] = achado?.ocorrencias ?? []
  assert.deepEqual(
    [ocorrencia?.onde, ocorrencia?.campos[0]?.caminho],
    ['item 1, campo NCM', 'det[1]/prod/NCM'],
  )
})

test('a place that fails outweighs those in doubt, and doubt outweighs those that pass', () => {
  const em = (regra: Condicao): Achado => verificar({ escopo: 'det', regra, mensagem_falha: 'x' })
  const duvida: Condicao = { igual: [{ contexto: 'nada' }, ''] }
  const noPrimeiro: Condicao = { igual: [{ v: './prod/cod' }, 'A'] }
  assert.deepEqual(
    [
      em({ e: [noPrimeiro, duvida] }).resultado,
      em({ ou: [noPrimeiro, duvida] }).resultado,
      em({ ou: [noPrimeiro, { presente: 'ide' }] }).resultado,
    ],
    ['falha', 'indeterminado', 'ok'],
  )
  const falha = em({ e: [noPrimeiro, duvida] })
  assert.deepEqual([falha.ocorrencias.length, falha.omitidas], [1, 0])
  assert.match(em({ ou: [noPrimeiro, duvida] }).ocorrencias[0]?.mensagem ?? '', /Não foi possível conferir/)
})

test('places in doubt that were counted are not among the places that failed', () => {
  const duvidas = '<det><x>?</x></det>'.repeat(55)
  const grande = lerNota(`<infNFe>${duvidas}<det><x>2</x></det></infNFe>`)
  const [achado] = prepareVerificacoes([{ ...modelo, escopo: 'det', regra: { menor: [{ v: './x' }, '1'] } }])(
    grande,
    contexto,
  )
  assert.deepEqual([achado?.resultado, achado?.ocorrencias.length, achado?.omitidas], ['falha', 1, 0])
})

test('a rule is in force by the day in Brasília', () => {
  const no = (agora: string): string | undefined =>
    prepareVerificacoes([{ ...modelo, regra: { presente: 'nada' }, vigencia: { ate: '2026-11-22' } }])(nota, {
      ...contexto,
      agora,
    })[0]?.resultado
  assert.equal(no('2026-11-23T02:59:59Z'), 'falha')
  assert.equal(no('2026-11-23T03:00:00Z'), 'nao_aplicavel')
})

test('fifty places of a check are told and the others are counted', () => {
  const det = '<det><prod/></det>'
  const grande = lerNota(`<infNFe>${det.repeat(60)}</infNFe>`)
  const [achado] = prepareVerificacoes([{ ...modelo, escopo: 'det', regra: { presente: './prod/x' } }])(
    grande,
    contexto,
  )
  assert.equal(achado?.ocorrencias.length, 50)
  assert.equal(achado?.omitidas, 10)
})

test('a rule that cannot be compiled names its check', () => {
  assert.throws(() => verificar({ regra: { casa: ['x', '('] } }), /999-prova/)
  assert.throws(() => verificar({ regra: { menor: ['1,5', '2'] } }), /999-prova/)
})

test('a place is told as people say it', () => {
  assert.equal(ondeDe('det[5]/prod/NCM'), 'item 5, campo NCM')
  assert.equal(ondeDe('dest/enderDest/xMun'), 'destinatário, endereço, campo xMun')
  assert.equal(ondeDe('total/ICMSTot/vNF'), 'totais, campo vNF')
  assert.equal(ondeDe('pag/detPag[2]/tPag'), 'pagamento, forma 2, campo tPag')
  assert.equal(ondeDe('det[1]/imposto/IPI/CST'), 'item 1, IPI, campo CST')
  assert.equal(ondeDe('@Id'), 'atributo Id')
  assert.equal(ondeDe(''), 'nota')
})

test('a check that an item needs nothing for still fails at the item that has it, and is unknown where it is', () => {
  const itens = lerNota(
    '<infNFe><det><a>1</a></det><det/><det><a>2</a></det><det/><det><a>3</a><b/></det></infNFe>',
  )
  const achar = (partes: Partial<Verificacao> & { regra: Condicao }): [string, string[]] => {
    const [achado] = prepareVerificacoes([{ ...modelo, escopo: 'det', campos: ['det/a'], ...partes }])(
      itens,
      contexto,
    )
    return [achado?.resultado ?? '', achado?.ocorrencias.map(({ campos }) => campos[0]?.caminho ?? '') ?? []]
  }
  const semAouUm: Condicao = { ou: [{ ausente: './a' }, { igual: [{ v: './a' }, '1'] }] }
  assert.deepEqual(achar({ regra: semAouUm }), ['falha', ['det[3]/a', 'det[5]/a']])
  assert.deepEqual(achar({ regra: semAouUm, exceto: [{ presente: './b' }] }), ['falha', ['det[3]/a']])
  assert.deepEqual(achar({ regra: { presente: './b' }, quando: { maior: [{ v: './a' }, '1'] } }), [
    'falha',
    ['det[3]/a'],
  ])
  const sabeSe: Condicao = { igual: [{ contexto: 'nada' }, ''] }
  assert.deepEqual(achar({ regra: semAouUm, quando: sabeSe }), ['indeterminado', ['det[3]/a', 'det[5]/a']])
  assert.deepEqual(achar({ regra: { presente: './b' }, quando: { e: [sabeSe, { presente: './a' }] } }), [
    'indeterminado',
    ['det[1]/a', 'det[3]/a'],
  ])
  assert.deepEqual(achar({ regra: sabeSe, quando: { presente: './nada' } }), ['nao_aplicavel', []])
})
