import { diaDepois } from '../../src/documento/dia.ts'
import { lerMarcos, type Marco } from './vigencias.ts'

/**
 * A day of a text: `{dia novembro-de-2026}`, `{vespera …}` for the day before, `{mes …}` for its month,
 * `{homologacao …}` for the other environment.
 */
const DIA = /\{(dia|vespera|mes|homologacao) ([\w.-]+)\}/g

const MESES =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')

let lidos: ReadonlyMap<string, Marco> | undefined

/**
 * Writes the days that a text names by their milestones; one that sources dispute becomes its month, with
 * both days where `dia` asks for it. Throws for an unknown milestone.
 */
export function comDias(texto: string): string {
  return texto.replace(DIA, (_tudo, forma: string, nome: string) => {
    lidos ??= lerMarcos()
    const marco = lidos.get(nome)
    if (!marco) throw new Error(`marcos.csv has no ${nome}`)
    return escrever(forma, marco)
  })
}

function escrever(
  forma: string,
  { marco, producao, producao_talvez: talvez, homologacao, homologacao_talvez }: Marco,
): string {
  const mes = `${MESES[Number(producao.slice(5, 7)) - 1]} de ${producao.slice(0, 4)}`
  if (forma === 'mes') return mes
  if (forma === 'homologacao') {
    if (homologacao === '' || homologacao_talvez !== '') throw new Error(`${marco} has no sure day to test`)
    return comBarras(homologacao)
  }
  if (talvez === '') return comBarras(forma === 'vespera' ? diaDepois(producao, -1) : producao)
  if (forma === 'vespera' || talvez.slice(0, 7) !== producao.slice(0, 7))
    throw new Error(`${marco} is disputed: a text can only say its month`)
  return `${mes} (dia ${Number(talvez.slice(8))} pela nota técnica, dia ${Number(producao.slice(8))} pelo aviso do portal)`
}

const comBarras = (dia: string): string => dia.split('-').reverse().join('/')
