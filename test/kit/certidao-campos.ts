import assert from 'node:assert/strict'
import fc from 'fast-check'
import { certify, type Certidao as Papel } from '../../simulator/certidao/certidao.ts'
import { linhasDe } from '../../simulator/certidao/papel.ts'
import { dataBrasileira, maskDocumento } from '../../simulator/documento/documento.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import type { Uf } from '../../src/documento/uf.ts'
import { estados } from '../../src/estados/estados.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { readTexto } from '../../src/portal/certidao-resposta.ts'
import type { RotaCnd } from '../../src/portal/estado.ts'
import type { Certidao } from '../../src/portal/rules-certidao.ts'
import { ruido } from './ruido.ts'

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
export const ler = ({ uf, rota, papel }: Caso, texto: string): Certidao =>
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
    const what = `${caso.rota.source.id}, ${ordem}: ${JSON.stringify(texto)}`
    try {
      const lida = ler(caso, texto)
      assertOwn(caso, lida, what)
      if (!isNoisy) assert.equal(lida.status, situacaoDe(caso.papel), what)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
    }
  },
)
