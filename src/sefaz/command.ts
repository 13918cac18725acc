import type { Command } from 'commander'
import { type Uf, ufs } from '../documento/uf.ts'
import { openBooks } from '../platform/books.ts'
import { ambienteOf } from '../platform/config/config.ts'
import type { Config } from '../platform/config/settings.ts'
import { formatInstante } from '../platform/pages/formatos.ts'
import { drawTable, paint, say, type Tinta } from '../platform/terminal.ts'
import { modos } from '../platform/texto.ts'
import { advise, type Doc, docs, nameOfCasa, nomeDoDoc, tellConselho } from './rules.ts'
import { knownBy, sayStanding, standingOf } from './rules-quadro.ts'
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
        else say('O monitor ainda não terminou nenhuma rodada (veja SEFAZ_MONITOR).')
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

const instant = (ms: number): string => formatInstante(new Date(ms))

function show(quadro: Quadro, modo: string): void {
  const { rodada, parado, abertos } = quadro
  const from = rodada.fonte === 'paginas' ? 'pelas páginas públicas' : 'pelos serviços de status'
  say(`${verdictOf(quadro)} · modo ${modo} · rodada de ${instant(rodada.fim)}, ${from}\n`)
  const rows = ufs.map((uf) => [uf, ...docs.map((doc) => words(sayStanding(quadro, doc, uf)))])
  console.log(drawTable(['UF', ...docs.map((doc) => nomeDoDoc[doc])], rows))
  if (parado) say('O monitor está parado: nenhuma rodada terminou nos últimos 10 minutos.')
  for (const { casa, inicio, quedas } of abertos) {
    const fora = quedas.filter(({ fim }) => fim === null).map(({ autorizador }) => autorizador)
    say(`Incidente na ${nameOfCasa(casa)} desde ${instant(inicio)}: ${fora.join(', ')}.`)
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
      say(`${nomeDoDoc[doc]} em ${own.map(({ uf }) => uf).join(' ')}: ${texto}`)
  }
}

/** How many of what a client asks about are in order: the worst first, where they are not. */
function verdictOf(quadro: Quadro): string {
  const all = docs.flatMap((doc) => ufs.map((uf) => standingOf(quadro, doc, uf).status_code))
  const count = (is: (code: number) => boolean): number => all.filter(is).length
  const [down, slow] = [count((code) => code >= 4), count((code) => code === 2 || code === 3)]
  if (down > 0) return paint(`${down} de ${all.length} fora do ar ou com erro`, 'ruim')
  return slow > 0 ? paint(`${slow} de ${all.length} lentas`, 'nota') : paint('Todas respondem', 'bom')
}

const tintas: readonly Tinta[] = ['suave', 'bom', 'nota', 'nota', 'ruim', 'ruim']

function words({ status, status_avg, status_code }: ReturnType<typeof sayStanding>): string {
  const text = status_avg > 0 ? `${status} (${status_avg.toFixed(2).replace('.', ',')} s)` : status
  return paint(text, tintas[status_code] ?? 'suave')
}
