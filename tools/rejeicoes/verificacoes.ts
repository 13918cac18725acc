import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { VerificacaoDoCatalogo } from '../../src/domain/rejeicoes/rejeicao.ts'
import type { Verificacao } from '../../src/domain/rejeicoes/verificacao.ts'
import { trusted } from '../../src/domain/trusted.ts'
import { aplicarMudancas } from './mudanca.ts'
import { mostrarTrecho } from './par.ts'
import { PASTA } from './tabelas.ts'

const lerNota = (nome: string): string => readFileSync(new URL(`notas/${nome}.xml`, PASTA), 'utf8')

/** The pair of a check: what the right and the wrong note hold at the places that the change touches. */
function fazerPar({ exemplo, campos, escopo }: Verificacao): VerificacaoDoCatalogo['par'] {
  const certo = aplicarMudancas(lerNota(exemplo.nota.replace(/\.xml$/, '')), exemplo.certo ?? [])
  const errado = aplicarMudancas(certo, exemplo.errado)
  return mostrarTrecho(certo, errado, campos, escopo)
}

/** The checks of `verificacoes/*.json` by the code that begins their id. Throws if an id is there twice. */
export function lerVerificacoes(): Map<number, VerificacaoDoCatalogo[]> {
  const todas = globSync('verificacoes/*.json', { cwd: fileURLToPath(PASTA) })
    .sort()
    .flatMap((nome) => trusted<Verificacao[]>(JSON.parse(readFileSync(new URL(nome, PASTA), 'utf8'))))
  const ids = new Set<string>()
  for (const { id } of todas) {
    if (ids.has(id)) throw new Error(`two checks have the id ${id}`)
    ids.add(id)
  }
  const comPar = todas.map((verificacao) => ({ ...verificacao, par: fazerPar(verificacao) }))
  return Map.groupBy(comPar, ({ id }) => Number(id.split('-')[0]))
}
