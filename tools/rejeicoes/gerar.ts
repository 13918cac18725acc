import { readFileSync, writeFileSync } from 'node:fs'
import { escreverCatalogo, type Feito, fazerCatalogo } from './catalogo.ts'
import { PASTA } from './tabelas.ts'

/** The catalogue as it is served. */
export const CATALOGO = new URL('../rejeicoes.json', PASTA)

/** Below these the tables were cut or misread. */
export const pisos = { todos: 1083, listados: 1059, comRegra: 920, aMao: 120, verificacoes: 400 }

/** What the catalogue holds, counted. */
export function contar({ rejeicoes, faltam, aMao, todos }: Feito) {
  return {
    todos,
    listados: rejeicoes.length + faltam.length,
    comTexto: rejeicoes.length,
    comRegra: rejeicoes.filter(({ regras }) => regras.length > 0).length,
    semCategoria: rejeicoes.filter(({ categoria }) => categoria === null).length,
    aMao: aMao.split('\n').length - 2,
    verificacoes: rejeicoes.reduce((soma, { verificacoes_analiticas: v }) => soma + v.length, 0),
  }
}

/** The floors that the counts do not reach. */
export function abaixoDoPiso(contas: ReturnType<typeof contar>): string[] {
  const tidas = new Map(Object.entries(contas))
  return Object.entries(pisos)
    .filter(([nome, piso]) => (tidas.get(nome) ?? 0) < piso)
    .map(([nome, piso]) => `${nome}: ${tidas.get(nome)} < ${piso}`)
}

async function gerar(isParcial: boolean): Promise<void> {
  const feito = await fazerCatalogo()
  const contas = contar(feito)
  console.log(contas)
  for (const [categoria, codigos] of Map.groupBy(feito.faltam, (oficial) => oficial.categoria))
    console.log(`sem texto, ${categoria}: ${codigos.map(({ codigo }) => codigo).join(' ')}`)
  const baixos = [...abaixoDoPiso(contas), ...feito.faltam.slice(0, 1).map(() => 'sem texto')]
  if (baixos.length > 0 && !isParcial) throw new Error(`the catalogue is not whole: ${baixos.join('; ')}`)
  const antes = readFileSync(CATALOGO, { encoding: 'utf8', flag: 'a+' })
  const depois = escreverCatalogo(feito.rejeicoes)
  writeFileSync(CATALOGO, depois)
  writeFileSync(new URL('a-mao.csv', PASTA), feito.aMao)
  console.log(antes === depois ? 'rejeicoes.json is as it was' : 'rejeicoes.json has changed')
}

if (import.meta.main) await gerar(process.argv.includes('--parcial'))
