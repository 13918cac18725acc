import type { Rejeicao, VerificacaoDoCatalogo } from '../../src/rejeicoes/rules.ts'
import { ondeConsultar } from './consultas.ts'
import { fazerExemplos } from './exemplos.ts'
import { type FichaEscrita, lerFichas } from './fichas.ts'
import { lerOficiais, type Oficial } from './oficiais.ts'
import { escreverLinhas, lerTabela } from './tabelas.ts'
import { fazerTexto } from './texto.ts'
import { lerVerificacoes } from './verificacoes.ts'

/** What the generator makes. */
export type Feito = {
  rejeicoes: Rejeicao[]
  /** Listed codes without a sheet. */
  faltam: Oficial[]
  /** The codes written by hand with the reason, as `a-mao.csv`. */
  aMao: string
  todos: number
}

/** Makes the catalogue from `data/rejeicoes`: the same input gives the same bytes. */
export async function fazerCatalogo(): Promise<Feito> {
  const { todos, listados } = lerOficiais()
  const fichas = lerFichas()
  const rotulos = new Map(
    lerTabela('campos.csv', ['caminho', 'rotulo']).map(({ caminho, rotulo }) => [caminho, rotulo]),
  )
  const verificacoes = lerVerificacoes()
  const rejeicoes: Rejeicao[] = []
  for (const oficial of listados) {
    const ficha = fichas.get(oficial.codigo)
    if (ficha) rejeicoes.push(await fazer(oficial, ficha, rotulos, verificacoes.get(oficial.codigo) ?? []))
  }
  return {
    rejeicoes,
    faltam: listados.filter(({ codigo }) => !fichas.has(codigo)),
    aMao: escreverLinhas([
      ['codigo', 'razao'],
      ...[...fichas]
        .filter(([, { familia }]) => familia === 'a-mao')
        .sort(([a], [b]) => a - b)
        .map(([codigo, { razao = '' }]) => [String(codigo), razao]),
    ]),
    todos,
  }
}

async function fazer(
  oficial: Oficial,
  ficha: FichaEscrita,
  rotulos: ReadonlyMap<string, string>,
  verificacoes: VerificacaoDoCatalogo[],
): Promise<Rejeicao> {
  const { causas, passos } = await fazerTexto(oficial, ficha, rotulos)
  const { outro, textos: _, ...resto } = oficial
  const exemplos = fazerExemplos(passos, verificacoes, rotulos)
  const consultas = ondeConsultar(ficha.campos)
  return {
    ...resto,
    causas,
    solucao_passos: passos,
    verificacoes_analiticas: verificacoes,
    outro_significado: outro,
    ...(exemplos.length > 0 ? { exemplos } : {}),
    ...(consultas.length > 0 ? { onde_consultar: consultas } : {}),
    campos: [...new Set([...ficha.campos, ...verificacoes.flatMap(({ campos }) => campos)])],
  }
}

/** One entry a line, so that a change of one shows as one line. */
export const escreverCatalogo = (rejeicoes: readonly Rejeicao[]): string =>
  `[\n${rejeicoes.map((rejeicao) => JSON.stringify(rejeicao)).join(',\n')}\n]\n`
