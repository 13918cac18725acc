import Table from 'cli-table3'
import { thousands } from '../platform/texto.ts'
import { type Moldura, modos } from './command-table.ts'
import type { Veredito, VerificacaoDeFonte } from './verificacao.ts'

const nomes: Record<Veredito, { um: string; varios: string }> = {
  respondeu: { um: 'respondeu', varios: 'responderam' },
  'resposta-inesperada': { um: 'resposta errada', varios: 'com resposta errada' },
  'mudou-de-layout': { um: 'mudou de layout', varios: 'mudaram de layout' },
  bloqueada: { um: 'bloqueada', varios: 'bloqueadas' },
  'fora-do-ar': { um: 'fora do ar', varios: 'fora do ar' },
  'nao-consultada': { um: 'não consultada', varios: 'não consultadas' },
  'erro-interno': { um: 'erro interno', varios: 'com erro interno' },
}

/** Fits 110 columns. A long text goes on in the next line. */
const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
const colWidths = [12, 19, 16, 10, 47]

/** Prints the result of each route as a table with a summary, or as JSON. */
export function showVerificacoes(
  verificacoes: readonly VerificacaoDeFonte[],
  { ambiente, desligados, json }: Moldura,
): void {
  const resumo = Object.fromEntries(
    Object.keys(nomes).map((nome) => [
      nome,
      verificacoes.filter(({ resultado }) => resultado === nome).length,
    ]),
  )
  if (json) {
    console.log(JSON.stringify({ ambiente, resumo, fontes: verificacoes }, null, 2))
    return
  }
  const head = ['Fonte', 'Rota', 'Resultado', 'Tempo', 'Detalhe']
  const table = new Table({ style, head, colWidths, wordWrap: true })
  for (const { fonte, rota, resultado, ms, detalhe } of verificacoes)
    table.push([fonte, rota, nomes[resultado].um, ms === null ? '' : `${thousands(ms)} ms`, detalhe])
  if (verificacoes.length > 0) console.log(table.toString())
  for (const { fonte, rotulos_novos } of verificacoes)
    for (const rotulo of rotulos_novos) console.log(`${fonte}: rótulo novo: "${rotulo}".`)
  const parts = Object.entries(nomes).flatMap(([nome, { um, varios }]) => {
    const many = resumo[nome] ?? 0
    return many === 0 ? [] : [`${many} ${many === 1 ? um : varios}`]
  })
  console.log(
    `Modo ${modos[ambiente]}. Rotas: ${verificacoes.length}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`,
  )
  if (desligados.length > 0) console.log(`Ainda não ligados nesta versão: ${desligados.join(', ')}.`)
}
