import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Certidao } from '../../simulator/certidao/certidao.ts'
import { octetosDoPdf } from '../../simulator/certidao/papel.ts'
import { dataBrasileira, maskDocumento } from '../../simulator/documento/documento.ts'
import { ufs } from '../../simulator/documento/inscricao-estadual.ts'
import type { Uf } from '../../simulator/documento/uf.ts'
import { OUTRO_DOCUMENTO } from '../../simulator/mundo/comportamento.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { certidaoDe, lookUp } from '../../simulator/portal/registro.ts'
import { reservado } from '../kit/simulator.ts'

/** 22:00 of the 20th in Brasília. */
const NOW = new Date('2026-11-21T01:00:00Z')

const ofCnpj = (uf: Uf, documento: string, now = NOW): Certidao =>
  certidaoDe(uf, { tipo: 'cnpj', documento }, now)

function example(uf: Uf): Certidao {
  return ofCnpj(uf, exemplos().umaInscricao.get(uf) ?? assert.fail(uf))
}

/** The text of a PDF on one line. */
async function read(certidao: Certidao): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(await octetosDoPdf(certidao)))
  const { text } = await extractText(pdf, { mergePages: true })
  await pdf.cleanup()
  return text.replace(/\s+/g, ' ')
}

test('a certificate is the same all day long but for its hour, and another tomorrow', () => {
  const [now, later] = [
    example('SP'),
    ofCnpj('SP', example('SP').documento, new Date('2026-11-21T02:30:00Z')),
  ]
  assert.deepEqual({ ...later, hora: now.hora }, now)
  assert.deepEqual([now.emissao, now.hora], ['2026-11-20', '22:00:00'])
  assert.notEqual(ofCnpj('SP', now.documento, new Date('2026-11-22T12:00:00Z')).numero, now.numero)
})

test('the validity is counted as each state does: MT with the day of issue, SP in months', () => {
  for (const [uf, date] of [
    ['BA', '2027-01-19'],
    ['GO', '2027-03-20'],
    ['MA', '2027-02-18'],
    ['MS', '2027-01-19'],
    ['MT', '2027-01-18'],
    ['PA', '2027-05-19'],
    ['SP', '2027-05-20'],
  ] as const)
    assert.equal(example(uf).validade, date, uf)
})

test('numbers and codes have the form of the state', () => {
  assert.match(example('MT').numero, /^00\d{8}$/)
  assert.match(example('MT').codigo, /^[0-9A-Z]{16}$/)
  assert.match(example('MA').numero, /^\d{6}\/26$/)
  assert.match(example('PA').numero, /^702026\d{9}-\d$/)
  assert.match(example('PA').codigo, /^[0-9A-F]{8}(?:\.[0-9A-F]{8}){3}$/)
  assert.match(example('GO').codigo, /^\d(?:\.\d{3}){4}$/)
  assert.match(example('AC').codigo, /^\d{20}$/)
  assert.match(example('SP').numero, /^26\d{9}-\d\d$/)
})

test('the world is mostly in order, and has some of every outcome; the examples are in order', () => {
  const seen = new Map<string, number>()
  for (const { documento, tipoDocumento: tipo, inscricoes } of listContribuintes().slice(0, 1500)) {
    const { desfecho } = certidaoDe(inscricoes[0]?.uf ?? 'SC', { tipo, documento }, NOW)
    seen.set(desfecho, (seen.get(desfecho) ?? 0) + 1)
  }
  assert.ok((seen.get('negativa') ?? 0) > 1000)
  for (const desfecho of ['positiva', 'efeitos', 'irregular'])
    assert.ok((seen.get(desfecho) ?? 0) > 20, desfecho)
  for (const uf of ufs) assert.equal(example(uf).desfecho, 'negativa', uf)
})

test('whom a state does not know is certified without details, or told so where the state checks', () => {
  for (const uf of ['BA', 'RS', 'AP', 'MS'] as const) {
    const { desfecho, nome, inscricao } = ofCnpj(uf, exemplos().desconhecido)
    assert.deepEqual([desfecho, nome, inscricao], [uf === 'MS' ? 'nao-inscrito' : 'negativa', '', ''])
  }
})

test('a certificate asked for by IE is that of its owner, punctuated or not', () => {
  for (const uf of ufs) {
    const { documento, inscricao, numero } = example(uf)
    const byIe = certidaoDe(uf, { tipo: 'ie', documento: inscricao.replace(/^(..)/, '$1.') }, NOW)
    assert.deepEqual([byIe.documento, byIe.inscricao, byIe.numero], [documento, inscricao, numero], uf)
  }
})

test('a reserved document is in every register, by its number and by its registration there', () => {
  for (const uf of ufs) {
    const documento = reservado('cnd-positiva')
    const [found] = lookUp(uf, { tipo: 'cnpj', documento: maskDocumento(documento) })
    assert.ok(found)
    const certidao = certidaoDe(uf, { tipo: 'ie', documento: found.inscricao.ie }, NOW)
    assert.deepEqual([certidao.documento, certidao.desfecho], [documento, 'positiva'])
    assert.equal(lookUp(uf, { tipo: 'cnpj', documento: reservado('muitas') }).length, 40)
    const [other] = lookUp(uf, { tipo: 'cnpj', documento: reservado('outro-documento') })
    assert.equal(other?.contribuinte.documento, OUTRO_DOCUMENTO)
  }
})

test('every state prints every outcome in words that can be read back', async () => {
  for (const uf of ufs) {
    const [negative, positive, effects] = ['lenta', 'positiva', 'efeitos'].map((name) =>
      ofCnpj(uf, reservado(`cnd-${name}`)),
    )
    assert.ok(negative && positive && effects)
    const text = await read(negative)
    const { numero, documento, emissao } = negative
    // CE prints the digits alone.
    const escrito = uf === 'CE' ? documento : maskDocumento(documento)
    for (const said of [numero, escrito, dataBrasileira(emissao).slice(-4)])
      assert.ok(text.includes(said), `${uf}: ${said}`)
    assert.match(text, /CERTID[ÃA]O|Certidão/)
    assert.match(text, /n[ãa]o (?:consta|existir)|nada existir|INEXISTÊNCIA/i)
    assert.match(await read(positive), /POSITIVA|Positiva|IRREGULARIDADE/, uf)
    assert.match(await read(effects), /positiva.* com efeitos? (?:de )?negativ[ao]/i, uf)
  }
})

/**
 * The known lines of the papers, in their order: of the example's paper, issued at 22:00 of 20/11/2026. Each
 * is written on one line.
 */
const papers: Partial<Record<Uf, (of: Certidao) => readonly string[]>> = {
  MT: ({ numero, codigo, documento, nome }) => [
    'ESTADO DE MATO GROSSO PROCURADORIA GERAL DO ESTADO SECRETARIA DE ESTADO DE FAZENDA',
    'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA',
    `CND Nº ${numero} Data da emissão: 20/11/2026 Hora da emissão: 22:00:00 CNPJ: ${maskDocumento(documento)}`,
    nome,
    'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.',
    `Certidão válida até: 18/01/2027. Número de Autenticação: ${codigo}`,
  ],
  GO: ({ numero, codigo }) => [
    'CERTIDÃO DE DÉBITO INSCRITO EM DÍVIDA ATIVA - NEGATIVA',
    `NR. CERTIDÃO: Nº ${numero}`,
    'DESPACHO (Certidão válida para a matriz e suas filiais): NÃO CONSTA DÉBITO FUNDAMENTO LEGAL',
    'VÁLIDA POR 120 DIAS',
    `VALIDADOR: ${codigo}`,
    'LOCAL E DATA: GOIANIA, 20 NOVEMBRO DE 2026',
  ],
  MA: ({ numero }) => [
    `Nº ${numero} Data da Emissão: 20/11/2026`,
    'não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria',
    'Validade da Certidão: 90 (noventa) dias: 18/02/2027',
  ],
  PA: ({ numero, codigo }) => [
    'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA',
    'Emitida às: 22:00:00 do dia 20/11/2026 Válida até: 19/05/2027',
    `Número da Certidão: ${numero} Código de Controle de Autenticidade: ${codigo}`,
  ],
  BA: ({ numero }) => [
    'Emissão: 20/11/2026 22:00 Certidão Negativa de Débitos Tributários',
    `Certidão Nº: ${numero}`,
    'não constam, até a presente data, pendências',
    'Esta certidão é válida por 60 dias, contados a partir da data de sua emissão.',
  ],
  PR: ({ numero }) => [
    'Certidão Negativa de Débitos Tributários e de Dívida Ativa Estadual',
    `Nº ${numero}`,
    'Válida até 20/03/2027',
  ],
  AM: () => ['Válida até: 20/12/2026'],
  AC: ({ numero, codigo }) => [numero, codigo],
  SP: ({ numero }) => [numero, '6 (seis) meses'],
}

test('what is known of the papers is on them, in order and with its accents', async () => {
  for (const uf of ufs.filter((one) => papers[one])) {
    const text = await read(example(uf))
    let from = 0
    for (const part of papers[uf]?.(example(uf)) ?? []) {
      const at = text.indexOf(part, from)
      assert.ok(at >= 0, `${uf} lacks, or has too soon: ${part}`)
      from = at + part.length
    }
  }
  assert.match(await read(ofCnpj('MT', reservado('cnd-efeitos'))), /CPEND Nº \d{10}/)
})

test("GO's certificates differ in title and DESPACHO alone: the foot speaks of debt in all of them", async () => {
  const [negative, positive] = [
    await read(example('GO')),
    await read(ofCnpj('GO', reservado('cnd-positiva'))),
  ]
  assert.match(negative, /ATIVA - NEGATIVA .*DESPACHO .*: NÃO CONSTA DÉBITO FUNDAMENTO LEGAL/)
  assert.match(
    positive,
    /ATIVA - POSITIVA .*DESPACHO: POSSUI DÉBITO INSCRITO NA DÍVIDA ATIVA, RELATIVO A 2 PROCESSO/,
  )
  for (const text of [negative, positive]) {
    assert.match(text, /FUNDAMENTO LEGAL.*débito.*débito/)
    assert.match(text, /LOCAL E DATA: GOIANIA, 20 NOVEMBRO DE 2026/)
  }
})

test('a stranger is printed without name or registration, and MA says that he is not registered', async () => {
  const text = await read(ofCnpj('MA', exemplos().desconhecido))
  assert.match(text, /não inscrito no cadastro.*não constam débitos/)
  assert.doesNotMatch(text, /Razão Social|Inscrição Estadual/)
})

test("what is served for a PDF may be a page, a broken file, or somebody else's", async () => {
  const html = await octetosDoPdf(ofCnpj('CE', reservado('cnd-html-como-pdf')))
  assert.match(html.toString(), /^<!DOCTYPE/)
  const broken = await octetosDoPdf(ofCnpj('CE', reservado('cnd-pdf-corrompido')))
  assert.equal(broken.toString('latin1', 0, 5), '%PDF-')
  await assert.rejects(getDocumentProxy(new Uint8Array(broken), { verbosity: 0 }), {
    name: 'InvalidPDFException',
  })
  const other = await read(ofCnpj('CE', reservado('cnd-pdf-de-outro')))
  assert.ok(other.includes(OUTRO_DOCUMENTO))
})
