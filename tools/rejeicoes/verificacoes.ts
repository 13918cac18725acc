import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Compile } from 'typebox/schema'
import { FormatoDaVerificacao } from '../../src/rejeicoes/catalogo.ts'
import type { Verificacao, VerificacaoDoCatalogo } from '../../src/rejeicoes/rules.ts'
import { aplicarMudancas } from './mudanca.ts'
import { mostrarTrecho } from './par.ts'
import { PASTA } from './tabelas.ts'
import { abrirVigencias, type ResolverVigencia } from './vigencias.ts'

const lerNota = (nome: string): string => readFileSync(new URL(`notas/${nome}.xml`, PASTA), 'utf8')

/** The pair of a check: what the right and the wrong note hold at the places that the change touches. */
function fazerPar({ exemplo, campos, escopo }: Verificacao): VerificacaoDoCatalogo['par'] {
  const certo = aplicarMudancas(lerNota(exemplo.nota.replace(/\.xml$/, '')), exemplo.certo ?? [])
  const errado = aplicarMudancas(certo, exemplo.errado)
  return mostrarTrecho(certo, errado, campos, escopo)
}

const formato = Compile(FormatoDaVerificacao)

/**
 * Reads a check, whose milestones become days. Throws if it has another operator or member than the closed
 * ones.
 */
export function lerVerificacao(lida: unknown, arquivo: string, resolver: ResolverVigencia): Verificacao {
  const { vigencia = {}, fonte } = Object(lida)
  const resolvida = { ...Object(lida), vigencia: resolver(vigencia, String(Object(fonte).documento)) }
  if (formato.Check(resolvida)) return resolvida
  throw new Error(`${arquivo}: ${JSON.stringify(lida).slice(0, 80)} has not the format of a check`)
}

/** The checks of `verificacoes/*.json` as people write them. Throws if an id is there twice. */
export function lerEscritas(): Verificacao[] {
  const resolver = abrirVigencias()
  const escritas = globSync('verificacoes/*.json', { cwd: fileURLToPath(PASTA) })
    .sort()
    .flatMap((arquivo) => {
      const lidas: unknown = JSON.parse(readFileSync(new URL(arquivo, PASTA), 'utf8'))
      if (!Array.isArray(lidas)) throw new Error(`${arquivo} is no array`)
      return lidas.map((lida) => lerVerificacao(lida, arquivo, resolver))
    })
  const ids = new Set<string>()
  for (const { id } of escritas) {
    if (ids.has(id)) throw new Error(`two checks have the id ${id}`)
    ids.add(id)
  }
  return escritas
}

/** The code that begins the id of a check. */
export const codigoDe = ({ id }: Verificacao): number => Number(id.split('-')[0])

/** The checks with their pairs, by code. */
export const lerVerificacoes = (): Map<number, VerificacaoDoCatalogo[]> =>
  Map.groupBy(
    lerEscritas().map((verificacao) => ({ ...verificacao, par: fazerPar(verificacao) })),
    codigoDe,
  )
