import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLaudo } from '../../src/rejeicoes/diagnostico/laudo.ts'
import { pacotesDoDia } from '../../src/rejeicoes/esquema/calendario.ts'
import { CATALOGO, notaAssinada, notaBase } from '../kit/rejeicoes.ts'

const agora = new Date('2026-11-24T12:00:00-03:00')
const laudoDe = (xml: string) => makeLaudo({ xml, agora, catalogo: CATALOGO })

/** The base note, issued on a day in an environment. */
const notaDe = (dia: string, ambiente = '1'): string =>
  notaBase('venda-interna')
    .replace(/>\s+</g, '><')
    .replace(/<dhEmi>[^<]*/, `<dhEmi>${dia}T10:15:00-03:00`)
    .replace('<tpAmb>1<', `<tpAmb>${ambiente}<`)

const comIndicador = (xml: string): string => xml.replace('<procEmi>', '<cIndOp>100301</cIndOp><procEmi>')
const semIe = (xml: string): string => xml.replace(/<IE>\d+<\/IE>(?=<CRT>)/, '')
const errosDe = (xml: string): string[] => laudoDe(xml).esquema.erros.map(({ caminho }) => caminho)

/** A note with a protocol of that moment. */
const autorizada = (xml: string, quando: string): string =>
  `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${xml.replace(/^.*?(?=<NFe)/s, '')}<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${/Id="NFe(\d+)/.exec(xml)?.[1]}</chNFe><dhRecbto>${quando}</dhRecbto><cStat>100</cStat></infProt></protNFe></nfeProc>`

test('a field that a package brought is refused the day before it and taken from its day on', () => {
  assert.deepEqual(errosDe(comIndicador(notaDe('2026-08-02'))), ['ide/cIndOp'])
  assert.deepEqual(errosDe(comIndicador(notaDe('2026-08-03'))), [])
  assert.deepEqual(errosDe(comIndicador(notaDe('2026-06-30', '2'))), ['ide/cIndOp'])
  assert.deepEqual(errosDe(comIndicador(notaDe('2026-07-01', '2'))), [])
})

test("the protocol's moment goes before the day of issue, and without a day today counts", () => {
  const nota = comIndicador(notaDe('2026-08-02'))
  assert.deepEqual(errosDe(autorizada(nota, '2026-08-03T00:10:00-03:00')), [])
  assert.deepEqual(errosDe(autorizada(nota, '2026-08-03T02:10:00Z')), ['ide/cIndOp'])
  const semDia = laudoDe(notaDe('2026-08-02').replace(/<dhEmi>[^<]*/, '<dhEmi>ontem'))
  assert.equal(semDia.esquema.pacote, 'PL_010f_v1.04')
  assert.deepEqual(
    semDia.esquema.erros.map(({ caminho }) => caminho),
    ['ide/dhEmi'],
  )
})

test('on a disputed day an error counts only where both packages refuse', () => {
  const ncm = (xml: string): string => xml.replace('<NCM>62052000<', '<NCM>6205<')
  assert.deepEqual(errosDe(semIe(notaDe('2026-11-02'))), ['emit/IE'])
  assert.deepEqual(errosDe(semIe(notaDe('2026-11-03'))), [])
  assert.deepEqual(errosDe(semIe(notaDe('2026-11-16'))), [])
  const dosDois = laudoDe(ncm(semIe(notaDe('2026-11-10'))))
  assert.deepEqual(
    dosDois.esquema.erros.map(({ caminho }) => caminho),
    ['det[1]/prod/NCM'],
  )
  assert.ok(dosDois.avisos.some((aviso) => aviso.includes('PL_010f_v1.04 e PL_010e_v1.02 recusam')))
})

test('a note that one package of a disputed day takes is valid, and that package is named first', () => {
  const antiga = notaDe('2026-11-10').replace(
    /<gIBSCBS>.*?<\/gIBSCBS>/,
    '<gIBSCBSMono><gMonoRet><qBCMonoRet>1.0000</qBCMonoRet><adRemIBSRet>0.1000</adRemIBSRet><vIBSMonoRet>1.00</vIBSMonoRet><adRemCBSRet>0.1000</adRemCBSRet><vCBSMonoRet>1.00</vCBSMonoRet></gMonoRet><vTotIBSMonoItem>1.00</vTotIBSMonoItem><vTotCBSMonoItem>1.00</vTotCBSMonoItem></gIBSCBSMono>',
  )
  const { esquema } = laudoDe(antiga)
  assert.deepEqual(esquema, {
    pacote: 'PL_010e_v1.02',
    desde: '2026-08-03',
    origem: 'reconstruido',
    outro: { pacote: 'PL_010f_v1.04', desde: '2026-11-16', origem: 'reconstruido' },
    valido: true,
    erros: [],
    omitidos: 0,
  })
  assert.notDeepEqual(errosDe(antiga.replaceAll('2026-11-10T10', '2026-11-16T10')), [])
})

test('a note that both refuse for reasons of their own is not valid, and the newer says why', () => {
  const { esquema } = laudoDe(
    semIe(notaDe('2026-11-10')).replace(
      /<gIBSCBS>.*?<\/gIBSCBS>/,
      '<gIBSCBSMono><gMonoDif><pDifIBS>1.0000</pDifIBS><vIBSMonoDif>1.00</vIBSMonoDif><pDifCBS>1.0000</pDifCBS><vCBSMonoDif>1.00</vCBSMonoDif></gMonoDif><vTotIBSMonoItem>1.00</vTotIBSMonoItem><vTotCBSMonoItem>1.00</vTotCBSMonoItem></gIBSCBSMono>',
    ),
  )
  assert.equal(esquema.valido, false)
  assert.deepEqual(
    esquema.erros.map(({ caminho }) => caminho),
    ['det[1]/imposto/IBSCBS/gIBSCBSMono/gMonoDif'],
  )
})

test('letters in a CNPJ are no error: a package before them says that it does not know them', async () => {
  const nota = await notaAssinada('letras')
  const nova = laudoDe(nota)
  assert.deepEqual([nova.suspeitas, nova.avisos.filter((aviso) => aviso.includes('letras'))], [[], []])
  const antes = laudoDe(nota.replaceAll(/2026-\d\d-\d\dT/g, '2026-06-30T')).esquema
  assert.deepEqual([antes.pacote, antes.erros], ['PL_010b_V1.30', []])
  const avisos = laudoDe(nota.replaceAll(/2026-\d\d-\d\dT/g, '2026-06-30T')).avisos
  assert.ok(avisos.some((aviso) => aviso.includes('ainda não conhece o CNPJ com letras')))
})

test('a letter where a CNPJ has none is an error that says where letters may be', () => {
  const [erro] = laudoDe(notaDe('2026-11-20').replace('<CNPJ>22333444000181<', '<CNPJ>2233344400018A<'))
    .esquema.erros
  assert.equal(erro?.caminho, 'dest/CNPJ')
  assert.match(erro?.mensagem ?? '', /12 algarismos ou letras maiúsculas, e 2 algarismos/)
})

test('a note of before the first package, and an error by a package of ours, are told as what they are', () => {
  const antiga = laudoDe(notaDe('2024-03-01'))
  assert.deepEqual([antiga.esquema.pacote, antiga.esquema.origem], ['PL_010b_V1.30', 'oficial'])
  assert.ok(antiga.avisos.some((aviso) => aviso.startsWith('A nota é de antes de 10/11/2025')))
  const errada = laudoDe(notaDe('2026-09-01').replace('<NCM>62052000<', '<NCM>6205<'))
  assert.ok(errada.avisos.some((aviso) => aviso.includes('fiscal esquemas instalar')))
})

test('an installed package of a family of its own judges from its day to that of the next one only', () => {
  const desde = { producao: '2026-05-21', homologacao: '2026-05-21' }
  const registro = { pasta: 'x', zip: '', arquivos: {}, conferido: false, instalado_em: '' }
  const instalados = [{ nome: 'PL_010c_v1.00', desde, ...registro }]
  const nomes = ['2026-05-20', '2026-05-21', '2026-07-10', '2026-11-24'].map((dia) =>
    pacotesDoDia({ dia, ambiente: '1' }, instalados).map(({ nome }) => nome),
  )
  assert.deepEqual(nomes, [['PL_010b_V1.30'], ['PL_010c_v1.00'], ['PL_010d_v1.02'], ['PL_010f_v1.04']])
})
