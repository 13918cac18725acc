import Table from 'cli-table3'
import type { Command } from 'commander'
import { type Uf, ufs } from '../documento/uf.ts'
import { openBooks } from '../platform/books.ts'
import { ambienteOf } from '../platform/config/config.ts'
import type { Config } from '../platform/config/settings.ts'
import { modos } from '../platform/texto.ts'
import { advise, type Doc, docs, nameOfCasa, nomeDoDoc, type Situacao, tellConselho } from './rules.ts'
import { knownBy, standingOf } from './rules-quadro.ts'
import type { Quadro } from './rules-rodada.ts'
import { openSefazStore } from './store.ts'

type Settings = { config: Config; now: () => Date }

export function addSefazCommand(program: Command, { config, now }: Settings): void {
  program
    .command('sefaz')
    .description('como estão as SEFAZ de cada estado, pela última rodada do monitor')
    .option('--json', 'escreve JSON em vez de tabela')
    .action(async ({ json }: { json?: true }) => {
      const ambiente = ambienteOf(config)
      const books = await openBooks(config, now, false)
      try {
        const sefaz = openSefazStore(books.db, { now, ambiente, everyMs: config.SEFAZ_SECONDS * 1_000 })
        await sefaz.refresh()
        const quadro = sefaz.quadro()
        if (json) console.log(JSON.stringify({ ambiente, ...jsonOf(quadro) }, null, 2))
        else if (quadro) show(quadro, modos[ambiente])
        else console.log('O monitor ainda não terminou nenhuma rodada (veja SEFAZ_MONITOR).')
      } finally {
        await books.close()
      }
    })
}

function jsonOf(quadro: Quadro | undefined) {
  if (!quadro) return { ultima_rodada: null, estados: [], incidentes: [] }
  const { rodada, parado, abertos } = quadro
  const sabido = knownBy(quadro)
  const ofDoc = (doc: Doc, uf: Uf) => {
    const situacao = standingOf(quadro, doc, uf)
    const conselho = advise(doc, uf, sabido)
    return { ...situacao, ...conselho, texto: tellConselho(conselho, situacao) }
  }
  return {
    ultima_rodada: new Date(rodada.fim),
    fonte: rodada.fonte,
    parado,
    estados: ufs.map((uf) => ({ uf, ...Object.fromEntries(docs.map((doc) => [doc, ofDoc(doc, uf)])) })),
    incidentes: abertos,
  }
}

function show(quadro: Quadro, modo: string): void {
  const { rodada, parado, abertos } = quadro
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: ['UF', ...docs.map((doc) => nomeDoDoc[doc])],
  })
  for (const uf of ufs) table.push([uf, ...docs.map((doc) => words(standingOf(quadro, doc, uf)))])
  console.log(table.toString())
  const from = rodada.fonte === 'paginas' ? 'pelas páginas públicas' : 'pelos serviços de status'
  console.log(`Modo ${modo}. Última rodada: ${new Date(rodada.fim).toISOString()}, ${from}.`)
  if (parado) console.log('O monitor está parado: nenhuma rodada terminou nos últimos 10 minutos.')
  for (const { casa, inicio, quedas } of abertos) {
    const fora = quedas.filter(({ fim }) => fim === null).map(({ autorizador }) => autorizador)
    console.log(
      `Incidente na ${nameOfCasa(casa)} desde ${new Date(inicio).toISOString()}: ${fora.join(', ')}.`,
    )
  }
  sayAdvice(quadro)
}

/** Prints each advice once, with the states that it is for. */
function sayAdvice(quadro: Quadro): void {
  const sabido = knownBy(quadro)
  for (const doc of docs) {
    const advised = ufs.map((uf) => ({ uf, ...advise(doc, uf, sabido) }))
    const needed = advised.filter(({ acao }) => acao !== 'emitir')
    for (const [texto, own] of Map.groupBy(needed, (one) => one.texto))
      console.log(`${nomeDoDoc[doc]} em ${own.map(({ uf }) => uf).join(' ')}: ${texto}`)
  }
}

const words = ({ status, status_avg }: Situacao): string =>
  status_avg > 0 ? `${status} (${status_avg.toFixed(2).replace('.', ',')} s)` : status
