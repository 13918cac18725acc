import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { importCnpj } from '../../src/cnpj/importacao/importacao.ts'
import { postNota, useCatalogo } from '../kit/catalogo.ts'
import { empresa, estabelecimento, type Pasta, tempFolder, withDigits, writePasta } from '../kit/cnpj.ts'
import { type Answer, type House, start } from '../kit/house.ts'

const NOTA = readFileSync('data/rejeicoes/notas/venda-interna.xml', 'utf8')
const codigos = [163, 178, 179, 180, 181, 182, 183, 184, 185, 186, 203, 231, 301, 306, 480, 622, 624]

/** A day on which all rules are in force, and the days before and after a base of its year. */
const DEPOIS_DA_BASE = '2027-02-16'
const ANTES_DA_BASE = '2026-12-01'

const BAIXADA = withDigits('200000000001')
const ATIVA = withDigits('300000000001')
const MEI = withDigits('400000000001')
const OUTRA_UF = withDigits('500000000001')
const AUSENTE = withDigits('600000000001')
const COM_LETRAS = withDigits('12ABC34501DE')

/** A national base, so small that its gates have to be told so, of 13 February 2027. */
const pasta: Pasta = {
  token: 'D70213',
  empresas: ['20000000', '30000000', '40000000', '50000000', '12ABC345'].map((raiz) => empresa(raiz)),
  estabelecimentos: [
    estabelecimento('200000000001', { 5: '08', 6: '20260310' }),
    estabelecimento('300000000001'),
    estabelecimento('400000000001'),
    estabelecimento('500000000001', { 19: 'RJ' }),
    estabelecimento('12ABC34501DE'),
  ],
  simples: ['"40000000";"S";"20200115";"00000000";"S";"20200115";"00000000"\n'],
}

async function importar(t: Parameters<typeof tempFolder>[0], house: House, amostra = false): Promise<void> {
  await importCnpj({
    pasta: await writePasta(tempFolder(t), pasta),
    raiz: join(house.pasta, 'cnpj'),
    amostra,
    now: () => new Date('2027-02-15T12:00:00Z'),
    limites: { partes: 1, estabelecimentos: 1, crescimentoMinimo: -1 },
    aceitar: ['conhecidos', 'codigos_desconhecidos', 'quarentena'],
  })
  house.rooms.cnpj.base.refresh()
}

const now = (): Date => new Date('2027-02-16T15:00:00Z')
const house = useCatalogo({ codigos, now, prepare: (own) => importar({ after }, own) })

type Campos = Record<string, string>

/** The note with other fields in a group, and of another day. */
const trocar = (xml: string, grupo: string, campos: Campos): string => {
  const [whole = ''] = new RegExp(`<${grupo}>.*</${grupo}>`, 's').exec(xml) ?? []
  const changed = Object.entries(campos).reduce((text, [name, value]) => {
    const found = name === 'CPF' ? 'CNPJ' : name
    return text.replace(new RegExp(`<${found}>[^<]*</${found}>`), value && `<${name}>${value}</${name}>`)
  }, whole)
  return xml.replace(whole, changed)
}
const noDia = (xml: string, dia: string): string => xml.replace(/(<dhEmi>)\d{4}-\d{2}-\d{2}/, `$1${dia}`)

const local = (nome: string, cnpj: string): string =>
  `<${nome}><CNPJ>${cnpj}</CNPJ><xNome>Deposito</xNome><xLgr>Rua</xLgr><nro>1</nro><xBairro>Centro</xBairro><cMun>3550308</cMun><xMun>Sao Paulo</xMun><UF>SP</UF></${nome}>`

type Decisao = {
  codigo: number
  resultado: string
  certeza: string | null
  mensagem: string
  consultado_em: string
}
type Suspeita = { codigo: number; origem: string; certeza: string; ocorrencias: { onde: string }[] }

const pedir = (own: House, body: Record<string, unknown>, key?: string): Promise<Answer> =>
  postNota(own, { cadastros: true, ...body }, { ...(key !== undefined && { key }) })
const decisoesOf = ({ body }: Answer): Decisao[] => Object(body.cadastros).decisoes
const ditaOf = (answer: Answer, codigo: number): string => {
  const one = decisoesOf(answer).find((decisao) => decisao.codigo === codigo)
  return [one?.resultado, one?.certeza].filter(Boolean).join(' ')
}
const mensagemOf = (answer: Answer, codigo: number): string =>
  decisoesOf(answer).find((decisao) => decisao.codigo === codigo)?.mensagem ?? ''
const suspeitasOf = ({ body }: Answer): Suspeita[] =>
  Object(body.suspeitas).filter(({ origem }: Suspeita) => origem === 'cadastro')
const creditos = ({ headers }: Answer): string | null => headers.get('x-credits-charged')

/** All parties are active companies of São Paulo without an option. */
const CERTA = trocar(trocar(NOTA, 'emit', { CNPJ: ATIVA }), 'dest', { CNPJ: COM_LETRAS }).replace(
  '</dest>',
  `</dest>${local('retirada', ATIVA)}${local('entrega', ATIVA)}`,
)

const FALHAS: [codigo: number, what: string, dia: string, xml: string, onde: string, certeza: string][] = [
  [
    178,
    'an issuer that is in no list',
    ANTES_DA_BASE,
    trocar(CERTA, 'emit', { CNPJ: AUSENTE }),
    'emitente',
    'provavel',
  ],
  [
    179,
    'an issuer that is closed',
    DEPOIS_DA_BASE,
    trocar(CERTA, 'emit', { CNPJ: BAIXADA }),
    'emitente',
    'provavel',
  ],
  [180, 'CRT 3 of a MEI', ANTES_DA_BASE, trocar(CERTA, 'emit', { CNPJ: MEI }), 'emitente', 'certa'],
  [
    181,
    'a recipient that is in no list',
    ANTES_DA_BASE,
    trocar(CERTA, 'dest', { CNPJ: AUSENTE }),
    'destinatário',
    'provavel',
  ],
  [
    182,
    'a recipient that was closed long before',
    ANTES_DA_BASE,
    trocar(CERTA, 'dest', { CNPJ: BAIXADA }),
    'destinatário',
    'certa',
  ],
  [
    183,
    'a place of collection of nobody',
    ANTES_DA_BASE,
    trocar(CERTA, 'retirada', { CNPJ: AUSENTE }),
    'local de retirada',
    'provavel',
  ],
  [
    184,
    'a place of collection that is closed',
    DEPOIS_DA_BASE,
    trocar(CERTA, 'retirada', { CNPJ: BAIXADA }),
    'local de retirada',
    'provavel',
  ],
  [
    185,
    'a place of delivery of nobody',
    ANTES_DA_BASE,
    trocar(CERTA, 'entrega', { CNPJ: AUSENTE }),
    'local de entrega',
    'provavel',
  ],
  [
    186,
    'a place of delivery that is closed',
    DEPOIS_DA_BASE,
    trocar(CERTA, 'entrega', { CNPJ: BAIXADA }),
    'local de entrega',
    'provavel',
  ],
]

for (const [codigo, what, dia, xml, onde, certeza] of FALHAS)
  test(`${codigo}: ${what} is refused by the CNPJ base alone, without a credit`, async () => {
    const answer = await pedir(house(), { xml: noDia(xml, dia), maximo_creditos: 0 })
    assert.equal(answer.status, 200, answer.text.slice(0, 300))
    assert.equal(ditaOf(answer, codigo), `falha ${certeza}`, mensagemOf(answer, codigo))
    assert.match(mensagemOf(answer, codigo), /base CNPJ de 02\/2027 \(dados até 13\/02\/2027\)/)
    assert.deepEqual(
      suspeitasOf(answer).map((one) => [one.codigo, one.certeza, one.ocorrencias[0]?.onde]),
      [[codigo, certeza, onde]],
    )
    assert.deepEqual(
      [creditos(answer), Object(answer.body.cadastros).base_cnpj, Object(answer.body.cadastros).consultas],
      ['0', '2027-02', []],
    )
  })

test('178 to 186: of companies in order nothing fails, before the base and after it', async () => {
  for (const [dia, dita] of [
    [DEPOIS_DA_BASE, 'indeterminado'],
    [ANTES_DA_BASE, 'ok certa'],
  ] as const) {
    const answer = await pedir(house(), { xml: noDia(CERTA, dia), maximo_creditos: 0 })
    for (let codigo = 178; codigo <= 186; codigo++)
      assert.equal(ditaOf(answer, codigo), dita, `${dia} ${codigo} ${mensagemOf(answer, codigo)}`)
    assert.deepEqual(suspeitasOf(answer), [])
  }
})

test('a recipient in another state than the base has it is undecided, and its code is 181', async () => {
  const xml = noDia(trocar(CERTA, 'dest', { CNPJ: OUTRA_UF }), DEPOIS_DA_BASE)
  const answer = await pedir(house(), { xml, maximo_creditos: 0 })
  assert.equal(ditaOf(answer, 181), 'indeterminado')
  assert.match(mensagemOf(answer, 181), /em RJ, e a nota em SP.*não cadastrado/)
})

test('what a register shows stands before what it makes likely, and after what the note shows', async () => {
  const xml = trocar(trocar(CERTA, 'emit', { CNPJ: AUSENTE }), 'dest', { CNPJ: BAIXADA })
  const { body } = await pedir(house(), { xml: noDia(xml, ANTES_DA_BASE), maximo_creditos: 0 })
  const suspeitas: Suspeita[] = Object(body.suspeitas)
  assert.ok(suspeitas.some(({ origem }) => origem !== 'cadastro'))
  const ordem = suspeitas.map(
    ({ origem, certeza }) => `${origem === 'cadastro' ? 'cadastro' : 'nota'} ${certeza}`,
  )
  assert.deepEqual([...new Set(ordem)], ['nota certa', 'cadastro certa', 'cadastro provavel'])
  assert.deepEqual(
    suspeitas.filter(({ origem }) => origem === 'cadastro').map(({ codigo }) => codigo),
    [182, 178],
  )
})

test('a note that was authorised is not accused of what a register shows since', async () => {
  const nota = noDia(trocar(CERTA, 'dest', { CNPJ: BAIXADA }), DEPOIS_DA_BASE)
  const chave = /Id="NFe(\d{44})"/.exec(nota)?.[1]
  const protocolo = `<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>1</verAplic><chNFe>${chave}</chNFe><dhRecbto>${DEPOIS_DA_BASE}T10:20:00-03:00</dhRecbto><nProt>135270000000001</nProt><cStat>100</cStat><xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe>`
  const xml = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${nota.replace(/^<\?xml[^>]*>\s*/, '')}${protocolo}</nfeProc>`
  const answer = await pedir(house(), { xml, maximo_creditos: 0 })
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  assert.equal(ditaOf(answer, 182), 'falha provavel')
  assert.deepEqual(suspeitasOf(answer), [])
  assert.match(Object(answer.body.avisos).join('\n'), /foi autorizada.*\(182\)/)
})

test('the registers are asked by the day of the rules, and a protocol that refused a note gives none', async () => {
  const nota = noDia(trocar(CERTA, 'emit', { CNPJ: BAIXADA }), '2026-11-02').replace(/^<\?xml[^>]*>\s*/, '')
  const chave = /Id="NFe(\d{44})"/.exec(nota)?.[1]
  const recusa = `<protNFe versao="4.00"><infProt><chNFe>${chave}</chNFe><dhRecbto>${DEPOIS_DA_BASE}T10:20:00-03:00</dhRecbto><cStat>539</cStat></infProt></protNFe>`
  const xml = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${nota}${recusa}</nfeProc>`
  const answer = await pedir(house(), { xml, maximo_creditos: 0 })
  assert.equal(Object(answer.body.regras).dia, '2026-11-02')
  for (let codigo = 178; codigo <= 186; codigo++)
    if (ditaOf(answer, codigo) !== undefined) assert.match(ditaOf(answer, codigo) ?? '', /^nao_aplicavel/)
})

test('a sample says nothing of a company that it lacks', async (t) => {
  const own = await start({}, now)
  t.after(() => own.close())
  await importar(t, own, true)
  const xml = noDia(trocar(CERTA, 'dest', { CNPJ: AUSENTE }), ANTES_DA_BASE)
  assert.equal(ditaOf(await pedir(own, { xml, maximo_creditos: 0 }), 181), 'indeterminado')
})

test('a note of before the rules is not for them, and one of the disputed days is told both', async () => {
  for (const [dia, resultado, says] of [
    ['2026-11-02', 'nao_aplicavel', /02\/11\/2026/],
    ['2026-11-15', 'indeterminado', /03\/11\/2026.*16\/11\/2026/],
  ] as const) {
    const xml = noDia(trocar(CERTA, 'emit', { CNPJ: BAIXADA }), dia)
    const answer = await pedir(house(), { xml, maximo_creditos: 0 })
    for (let codigo = 178; codigo <= 186; codigo++) assert.equal(ditaOf(answer, codigo), resultado)
    assert.match(mensagemOf(answer, 179), says)
  }
})

/** A taxpayer of the simulator in RS, with its number; one that is closed; a producer with several. */
const RS = { CNPJ: '99034721000180', IE: '0966922786', UF: 'RS', cMun: '4312906' }
const FECHADA = { ...RS, CNPJ: '99073498000180', IE: '0859781534' }
const PRODUTOR = { CPF: '94863335059', IE: '0031431950', UF: 'RS', cMun: '4305355' }
const emRS = (grupo: 'emit' | 'dest', campos: Campos, dia = DEPOIS_DA_BASE): string =>
  noDia(trocar(CERTA, grupo, campos), dia)

test('203: an issuer that the state has not accredited is likely refused, and the lookup costs its credit', async () => {
  const { key, conta } = await house().open('starter')
  const answer = await pedir(house(), { xml: emRS('emit', FECHADA), maximo_creditos: 1 }, key)
  assert.equal(ditaOf(answer, 203), 'falha provavel', mensagemOf(answer, 203))
  assert.deepEqual(
    suspeitasOf(answer)
      .filter(({ codigo }) => codigo === 203)
      .map(({ certeza }) => certeza),
    ['provavel'],
  )
  const charges = (await house().rooms.platform.ledger.extrato(conta.id)).filter(
    ({ tipo }) => tipo === 'charge',
  )
  assert.deepEqual(
    charges.map(({ creditos }) => creditos),
    [1],
    'the CNPJ base was read too, and cost nothing',
  )
  const outro = await pedir(house(), { xml: emRS('emit', RS), maximo_creditos: 1 })
  assert.equal(ditaOf(outro, 203), 'ok provavel')
})

test('624 and 622: a number of the CPF, and of another one', async () => {
  const dele = await pedir(house(), { xml: emRS('dest', PRODUTOR), maximo_creditos: 4 })
  assert.equal(ditaOf(dele, 624), 'ok certa', mensagemOf(dele, 624))
  assert.equal(ditaOf(dele, 234), 'nao_aplicavel')
  const outro = { ...PRODUTOR, CPF: '52998224725' }
  const alheia = await pedir(house(), { xml: emRS('dest', outro), maximo_creditos: 4 })
  assert.equal(ditaOf(alheia, 624), 'falha certa', mensagemOf(alheia, 624))
  assert.deepEqual(
    suspeitasOf(alheia)
      .filter(({ codigo }) => codigo === 624)
      .map(({ ocorrencias }) => ocorrencias[0]?.onde),
    ['destinatário'],
  )
  const emitente = await pedir(house(), { xml: emRS('emit', outro), maximo_creditos: 4 })
  assert.deepEqual([ditaOf(emitente, 622), ditaOf(emitente, 231)], ['falha certa', 'nao_aplicavel'])
})

test('163: an issuer that leaves its active number out is warned, and not accused', async () => {
  const xml = emRS('emit', { ...RS, IE: '' })
  const answer = await pedir(house(), { xml, maximo_creditos: 1 })
  assert.deepEqual([ditaOf(answer, 163), creditos(answer)], ['indeterminado', '1'])
  assert.match(Object(answer.body.avisos).join('\n'), /IE ativa 0966922786/)
  assert.ok(!suspeitasOf(answer).some(({ codigo }) => codigo === 163))
  const fechada = await pedir(house(), { xml: emRS('emit', { ...FECHADA, IE: '' }), maximo_creditos: 1 })
  assert.equal(ditaOf(fechada, 163), 'ok provavel')
  assert.doesNotMatch(Object(fechada.body.avisos).join('\n'), /IE ativa/)
})

test('163: before its rule nobody is asked of an issuer without a number', async () => {
  const answer = await pedir(house(), {
    xml: emRS('emit', { ...RS, IE: '' }, '2026-11-02'),
    maximo_creditos: 1,
  })
  const consultas: { uf: string }[] = Object(answer.body.cadastros).consultas
  assert.deepEqual([ditaOf(answer, 163), consultas.map(({ uf }) => uf)], ['nao_aplicavel', ['SP']])
})

test('26 codes are decided of a note that has all parties', async () => {
  const answer = await pedir(house(), { xml: noDia(CERTA, DEPOIS_DA_BASE) })
  assert.deepEqual(
    decisoesOf(answer).map(({ codigo }) => codigo),
    [
      163, 178, 179, 180, 181, 182, 183, 184, 185, 186, 203, 230, 231, 232, 233, 234, 301, 302, 303, 305, 306,
      480, 481, 482, 622, 624,
    ],
  )
})
