import { randomUUID } from 'node:crypto'
import { SingleBar } from 'cli-progress'
import type { Documento } from '../documento/documento.ts'
import { askCcc } from '../inscricao/source-ccc.ts'
import { openAuthorities } from '../platform/authorities.ts'
import { openBooks } from '../platform/books.ts'
import { ambienteOf } from '../platform/config/config.ts'
import type { Config } from '../platform/config/settings.ts'
import { openTurnos, type Turnos } from '../platform/jobs/turnos.ts'
import { openDoors } from '../platform/platform.ts'
import { drawTable, say } from '../platform/terminal.ts'
import { modos, thousands } from '../platform/texto.ts'
import { createGuard } from '../platform/wire/guard.ts'
import type { Leitura } from '../platform/wire/leituras.ts'
import { noSolver, openWebhook } from '../portal/captcha.ts'
import type { Estado } from '../portal/estado.ts'
import type { Servico } from '../portal/fonte.ts'
import type { Moldura } from './command-table.ts'
import { type Veredito, type VerificacaoDeFonte, verifyCcc, verifyEstado } from './verificacao.ts'

const SIMULTANEOUS = 6

type Pedido = {
  estados: readonly Estado[]
  servicos: readonly Servico[]
  ccc: boolean
  /** The document of the questions. Without it, each state's example. */
  documento: Documento | undefined
  json: boolean
}

/** Nothing is kept or charged. Throws StartError if the authorities cannot be opened. */
export async function verifyRotas(
  { config, now }: { config: Config; now: () => Date },
  { estados, servicos, ccc, documento, json }: Pedido,
): Promise<VerificacaoDeFonte[]> {
  const authorities = await openAuthorities(config, { error: (_fields, message) => console.error(message) })
  const { http, direct, close } = openDoors(authorities.dial)
  const captcha = authorities.captcha ? openWebhook(direct, authorities.captcha) : noSolver
  const bar = openBar(estados.length, json)
  try {
    const { certificado, pace } = authorities
    const rotulos = new Map<string, readonly string[]>()
    const keepRotulos = (leitura: Leitura): void => void rotulos.set(leitura.fonte, leitura.rotulos)
    const rotulosDe = (fonte: string): readonly string[] => rotulos.get(fonte) ?? []
    const guard = createGuard({ info: () => {} }, { pace, now, onCall: keepRotulos })
    const simulado = ambienteOf(config) === 'simulador'
    const common = { http, captcha, certificado, now, ambiente: config.SEFAZ_AMBIENTE }
    const request_id = randomUUID()
    const seconds = { ie: config.IE_SECONDS, cnd: config.CND_SECONDS }
    const consulta = (uf: Estado['uf'], servico: Servico) => {
      const meios = { ...common, deadlineMs: seconds[servico] * 1000 }
      return { uf, meios, guard, request_id }
    }
    const verificadas = await mapInTurns(estados, async (estado) => {
      const verificacoes = await verifyEstado(estado, { servicos, documento, simulado, consulta, rotulosDe })
      bar.increment()
      return verificacoes
    })
    if (!ccc) return verificadas
    const ask = (cnpj: string) =>
      withTurnos({ config, now }, (turnos) =>
        askCcc(cnpj, { meios: common, guard, turnos, pace, request_id }),
      )
    const consultaIe = (uf: Estado['uf']) => consulta(uf, 'ie')
    return [...verificadas, await verifyCcc({ documento, simulado, ask, consulta: consultaIe })]
  } finally {
    bar.stop()
    await close()
    await authorities.close()
  }
}

/** Opens the turns that the running nodes use too, because all ask one question at a time. */
async function withTurnos<T>(
  { config, now }: { config: Config; now: () => Date },
  work: (turnos: Turnos) => Promise<T>,
): Promise<T> {
  const books = await openBooks(config, now, false)
  try {
    return await work(openTurnos(books.db, { ambiente: ambienteOf(config) }))
  } finally {
    await books.close()
  }
}

/** The results of `work` for the items, in their order, a few at a time. */
async function mapInTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R[]>): Promise<R[]> {
  const results: R[][] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: SIMULTANEOUS }, worker))
  return results.flat()
}

/** A progress bar on a terminal, never in a file. */
function openBar(total: number, json: boolean): Pick<SingleBar, 'increment' | 'stop'> {
  if (json || !process.stderr.isTTY) return { increment: () => {}, stop: () => {} }
  const format = 'Consultando |{bar}| {value} de {total} estados'
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true })
  bar.start(total, 0)
  return bar
}

const nomes: Record<Veredito, { um: string; varios: string }> = {
  respondeu: { um: 'respondeu', varios: 'responderam' },
  'resposta-inesperada': { um: 'resposta errada', varios: 'com resposta errada' },
  'mudou-de-layout': { um: 'mudou de layout', varios: 'mudaram de layout' },
  bloqueada: { um: 'bloqueada', varios: 'bloqueadas' },
  'fora-do-ar': { um: 'fora do ar', varios: 'fora do ar' },
  'nao-consultada': { um: 'não consultada', varios: 'não consultadas' },
  'erro-interno': { um: 'erro interno', varios: 'com erro interno' },
}

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
  const rows = verificacoes.map(({ fonte, rota, resultado, ms, detalhe }) => [
    fonte,
    rota,
    nomes[resultado].um,
    ms === null ? '' : `${thousands(ms)} ms`,
    detalhe,
  ])
  if (rows.length > 0)
    console.log(drawTable(['Fonte', 'Rota', 'Resultado', ['Tempo', 'right'], 'Detalhe'], rows))
  for (const { fonte, rotulos_novos } of verificacoes)
    for (const rotulo of rotulos_novos) say(`${fonte}: rótulo novo: "${rotulo}".`)
  const parts = Object.entries(nomes).flatMap(([nome, { um, varios }]) => {
    const many = resumo[nome] ?? 0
    return many === 0 ? [] : [`${many} ${many === 1 ? um : varios}`]
  })
  say(
    `Modo ${modos[ambiente]}. Rotas: ${verificacoes.length}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.`,
  )
  if (desligados.length > 0) say(`Ainda não ligados nesta versão: ${desligados.join(', ')}.`)
}
