import assert from 'node:assert/strict'
import fc from 'fast-check'
import { certify, type Certidao as Papel } from '../../simulator/certidao/certidao.ts'
import { linhasDe } from '../../simulator/certidao/papel.ts'
import { dataBrasileira, maskDocumento } from '../../simulator/documento/documento.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { LayoutCertidao } from '../../src/portal/certidao-campos.ts'
import { type LeituraCertidao, readTexto } from '../../src/portal/certidao-resposta.ts'
import type { RotaCnd } from '../../src/portal/estado.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { openHeld, ruido } from './certidao-properties.ts'

export const CNPJ = '11222333000181'
export const CPF = '52998224725'

/** The input to the reading of a state's certificate, for the CNPJ of these tests. */
export const leitura = (uf: Uf, more: Partial<LeituraCertidao> = {}): LeituraCertidao => ({
  source: { id: `${uf}/cnd`, nome: `A SEFAZ-${uf}` },
  uf,
  documento: CNPJ,
  elapsedMs: 12,
  layout: {},
  ...more,
})

/** The lines of MT's certificate, under a title. */
export const MT = (titulo: string, sigla: string): string[] => [
  'ESTADO DE MATO GROSSO',
  'PROCURADORIA GERAL DO ESTADO',
  'SECRETARIA DE ESTADO DE FAZENDA',
  `${titulo} DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA`,
  '',
  `${sigla} Nº 0064988861`,
  'Data da emissão: 21/09/2026 Hora da emissão: 10:11:12',
  'CNPJ: 11.222.333/0001-81 EMPRESA DE TESTE LTDA',
  'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.',
  'A Certidão Positiva com Efeitos de Negativa de que trata a Portaria 008/2018 tem validade de 60 dias.',
  'Certidão válida até: 19/11/2026.',
  'Número de Autenticação: T7BTLL22TUKKB2K2',
]

export const mtLayout: LayoutCertidao = { codigo: /NUMERO DE AUTENTICACAO: ([A-Z0-9]{16})/ }

type Lidos = Pick<Certidao, 'status' | 'status_raw' | 'protocolo' | 'emissao' | 'validade'>
/** A state's certificate, and the expected reading of it. */
type Modelo = { uf: Uf; lines: string[]; more?: Partial<LeituraCertidao>; lidos: Lidos }

export const modelos: Modelo[] = [
  {
    uf: 'GO',
    lines: [
      'ESTADO DE GOIAS',
      'CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA',
      'NR. CERTIDÃO: Nº 31415926',
      'IDENTIFICACAO: EMPRESA DE TESTE LTDA CNPJ 11.222.333/0001-81',
      'DESPACHO (Certidao valida para a matriz e suas filiais):',
      'NAO CONSTA DEBITO',
      'FUNDAMENTO LEGAL: Esta certidao refere-se a debito inscrito em divida ativa.',
      'VALIDA POR 120 DIAS',
      'VALIDADOR: 5.555.555.555.555',
      'LOCAL E DATA: GOIANIA, 27 AGOSTO DE 2026',
    ],
    more: {
      layout: {
        titulo:
          /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA - (?:NEGATIVA|POSITIVA)|(?<=DESPACHO [^:]{0,60}: ?).{0,60}?(?= FUNDAMENTO)/,
      },
    },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDAO DE DEBITO INSCRITO EM DIVIDA ATIVA - NEGATIVA NAO CONSTA DEBITO',
      protocolo: '31415926',
      emissao: '2026-08-27',
      validade: '2026-12-25',
    },
  },
  {
    uf: 'MA',
    lines: [
      'GOVERNO DO ESTADO DO MARANHÃO',
      'CERTIDÃO NEGATIVA DE DÉBITO',
      'Nº 226555/26',
      'Data da Emissão: 10/07/2026',
      'CPF/CNPJ: 11222333000181 - não inscrito no cadastro de contribuintes',
      'CERTIFICAMOS que não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria, nos termos da Lei nº 7.799/2002.',
      'Validade da Certidão: 90 (noventa) dias: 08/10/2026',
    ],
    more: { layout: { numero: /Nº (\d+\/\d{2})\b/ } },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDÃO NEGATIVA DE DÉBITO',
      protocolo: '226555/26',
      emissao: '2026-07-10',
      validade: '2026-10-08',
    },
  },
  {
    uf: 'PA',
    lines: [
      'SECRETARIA DE ESTADO DA FAZENDA',
      'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA',
      'Inscrição Estadual: 15.123.456-0',
      'Emitida às: 14:41:42 do dia 10/07/2026 Válida até: 06/01/2027',
      'Número da Certidão: 702026081315623-2',
      'Código de Controle de Autenticidade: 0A1B2C3D.4E5F6071.8293A4B5.C6D7E8F9',
    ],
    more: { inscricoes: ['151234560'] },
    lidos: {
      status: 'negativa',
      status_raw: 'CERTIDÃO NEGATIVA DE NATUREZA TRIBUTÁRIA',
      protocolo: '702026081315623-2',
      emissao: '2026-07-10',
      validade: '2027-01-06',
    },
  },
  {
    uf: 'BA',
    lines: [
      'GOVERNO DO ESTADO DA BAHIA',
      'Certidão de Débitos Tributários',
      'Emissão: 25/07/2026 09:10',
      'Certidão Nº: 20261234567',
      'NOME: EMPRESA DE TESTE LTDA CNPJ 11.222.333/0001-81',
      'Fica certificado que não constam, até a presente data, pendências de responsabilidade da pessoa física ou jurídica acima.',
      'Esta certidão é válida por 60 dias, contados a partir da data de sua emissão.',
    ],
    lidos: {
      status: 'negativa',
      status_raw: 'Certidão de Débitos Tributários: não constam, até a presente data, pendências',
      protocolo: '20261234567',
      emissao: '2026-07-25',
      validade: '2026-09-23',
    },
  },
  {
    uf: 'PR',
    lines: [
      'Estado do Paraná',
      'Certidão Positiva com Efeitos de Negativa de Débitos Tributários e de Dívida Ativa Estadual',
      'Certidão nº 036123456-78',
      'Certidão fornecida para o CNPJ/MF: 11.222.333/0001-81',
      'Esta Certidão foi emitida para matriz e filiais.',
      'Válida até 10/11/2026 - Fornecimento Gratuito',
    ],
    lidos: {
      status: 'positiva_com_efeitos_de_negativa',
      status_raw:
        'Certidão Positiva com Efeitos de Negativa de Débitos Tributários e de Dívida Ativa Estadual',
      protocolo: '036123456-78',
      emissao: '',
      validade: '2026-11-10',
    },
  },
  {
    uf: 'AM',
    lines: [
      'SEFAZ AMAZONAS',
      'CPD - CERTIDÃO POSITIVA DE DÉBITOS',
      'CNPJ 11.222.333/0001-81',
      'Válida até: 01/10/2026',
    ],
    lidos: {
      status: 'positiva',
      status_raw: 'CPD - CERTIDÃO POSITIVA DE DÉBITOS',
      protocolo: '',
      emissao: '',
      validade: '2026-10-01',
    },
  },
]

const agora = new Date('2026-11-24T15:04:05Z')

/** A route to certificates with the papers that the simulator prints for it. */
type Caso = { uf: Uf; rota: RotaCnd; papel: Papel }

const desfechos = ['negativa', 'positiva', 'efeitos'] as const

/**
 * The noise tears words of four letters apart, and AL's codes too: nobody could tell where such a one
 * ends.
 */
const isTorn = (value: string): boolean => /\p{L}{4}/u.test(value)

const rotas = [...estados.values()].flatMap(({ uf, cnd }) => cnd.map((rota) => ({ uf, rota })))

/** Three papers, one of each outcome, of every route of every state, whether it is asked or not. */
export const casos: readonly Caso[] = rotas.flatMap(({ uf, rota }, at) =>
  desfechos.map((desfecho, n): Caso => {
    const here = listContribuintes().filter(({ inscricoes }) => inscricoes.some((one) => one.uf === uf))
    const contribuinte = here[(at * 5 + n * 11) % here.length] ?? assert.fail(uf)
    const titular = {
      documento: contribuinte.documento,
      contribuinte,
      inscricao: contribuinte.inscricoes.find((one) => one.uf === uf),
    }
    return { uf, rota, papel: certify(uf, titular, agora, { desfecho, papel: 'certo' }) }
  }),
)

/** The lines of a paper, without the marks of its looks. */
export const linhas = (papel: Papel): string[] => linhasDe(papel).map((line) => line.replace(/^[#-] /, ''))

/** A line apart: its labels, and the values that stand beside them. A sentence is all label. */
type Linha = { labels: string; values: readonly string[] }

const LONGEST_LABEL = 110

function apartOf(line: string, papel: Papel): Linha {
  const known = [
    papel.numero,
    papel.codigo,
    dataBrasileira(papel.emissao),
    dataBrasileira(papel.validade),
    papel.hora,
    maskDocumento(papel.documento),
    papel.documento,
    papel.nome,
    papel.inscricao,
  ].filter(Boolean)
  if (line.length > LONGEST_LABEL) return { labels: line, values: [] }
  const values = known.filter((value) => line.includes(value))
  return { labels: values.reduce((rest, value) => rest.replaceAll(value, ' '), line), values }
}

type Ordem = (linhas: readonly Linha[], shuffle: <T>(all: readonly T[]) => T[]) => string[]

const blocksOf = (all: readonly Linha[]): Linha[][] =>
  all.reduce<Linha[][]>((blocks, line) => {
    const last = blocks.at(-1)
    if (last && (last[0]?.values.length ?? 0) > 0 === line.values.length > 0) last.push(line)
    else blocks.push([line])
    return blocks
  }, [])

const grid =
  (columns: number): Ordem =>
  (all) =>
    blocksOf(all).flatMap((block) =>
      Array.from({ length: Math.ceil(block.length / columns) }, (_, row) =>
        block.slice(row * columns, (row + 1) * columns),
      ).flatMap((row) => [
        row.map(({ labels }) => labels).join(' '),
        row.flatMap(({ values }) => values).join(' '),
      ]),
    )

const labels = (all: readonly Linha[]): string[] => all.map((line) => line.labels)
const values = (all: readonly Linha[]): string[] => all.flatMap((line) => line.values)

/** The orders in which extraction gives the labels and the values of a paper. */
export const ordens: Readonly<Record<string, Ordem>> = {
  'all labels, then all values': (all) => [...labels(all), ...values(all)],
  'all labels, then all values in another order': (all, shuffle) => [...labels(all), ...shuffle(values(all))],
  'all values, then all labels': (all) => [...values(all), ...labels(all)],
  'the labels of a block, then its values': (all) =>
    blocksOf(all).flatMap((block) => [...labels(block), ...values(block)]),
  'the labels of a block, then its values in another order': (all, shuffle) =>
    blocksOf(all).flatMap((block) => [...labels(block), ...shuffle(values(block))]),
  'each value before its label': (all) => all.map((line) => `${line.values.join(' ')}${line.labels}`),
  'two columns by rows': grid(2),
  'three columns by rows': grid(3),
  'two columns by columns': (all) =>
    blocksOf(all).flatMap((block) =>
      [0, 1].flatMap((column) =>
        block.filter((_, at) => at % 2 === column).flatMap((line) => [line.labels, ...line.values]),
      ),
    ),
}

/** Reads a paper as its route does. */
export const readCase = ({ uf, rota, papel }: Caso, texto: string): Certidao =>
  readTexto(texto, {
    source: rota.source,
    uf,
    documento: papel.documento,
    inscricoes: [papel.inscricao].filter(Boolean),
    layout: rota.layout ?? {},
    elapsedMs: 1,
  })

/** From the worst to the best. */
const situacoes = ['positiva', 'positiva_com_efeitos_de_negativa', 'negativa']
export const situacaoDe = ({ desfecho }: Papel): string =>
  desfecho === 'efeitos' ? 'positiva_com_efeitos_de_negativa' : desfecho

/** Fails where the reading is of a better class, or has a value that is not the paper's. */
export function assertOwn({ papel }: Caso, lida: Certidao, what: string): void {
  // Some states print a code alone, which is the certificate's number.
  const own = { protocolo: papel.numero || papel.codigo, emissao: papel.emissao, validade: papel.validade }
  for (const [campo, value] of Object.entries(own)) {
    const read = lida[campo as keyof typeof own]
    assert.ok(read === '' || read === value || isTorn(value), `${campo} ${read}, ${value} wanted: ${what}`)
  }
  assert.ok(['', papel.codigo].includes(lida.codigo_autenticacao), `${lida.codigo_autenticacao}: ${what}`)
  assert.ok(situacoes.indexOf(lida.status) <= situacoes.indexOf(situacaoDe(papel)), `${lida.status}: ${what}`)
}

const unlessHeld = openHeld()

/** The parts of genuine papers, in any order and with any noise, are right or empty; a failure is none. */
export const partesSuas = fc.property(
  fc.constantFrom(...casos),
  fc.constantFrom('as it is', ...Object.keys(ordens)),
  ruido,
  fc.boolean(),
  fc.infiniteStream(fc.nat({ max: 1_000 })),
  (caso, ordem, suja, isNoisy, dice) => {
    const shuffle = <T>(all: readonly T[]): T[] =>
      all
        .map((one) => [dice.next().value ?? 0, one] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, one]) => one)
    const apart = linhas(caso.papel).map((line) => apartOf(line, caso.papel))
    const ordered = ordens[ordem]?.(apart, shuffle) ?? linhas(caso.papel)
    const texto = isNoisy ? suja(ordered.join('\n')) : ordered.join('\n')
    unlessHeld(`${casos.indexOf(caso)} ${isNoisy} ${texto}`, () => {
      const what = `${caso.rota.source.id}, ${ordem}: ${JSON.stringify(texto)}`
      try {
        const lida = readCase(caso, texto)
        assertOwn(caso, lida, what)
        if (!isNoisy) assert.equal(lida.status, situacaoDe(caso.papel), what)
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
      }
    })
  },
)
