import type { Platform } from '../platform/platform.ts'
import { findsLittle, listLeituras } from '../platform/wire/leituras.ts'

const HOUR_MS = 60 * 60_000

/** Warns of sources that find nothing, of unknown labels and of incomplete answers, each once an hour. */
export function silencioWarner({
  db,
  now,
  ambiente,
  log,
}: Pick<Platform, 'db' | 'now' | 'ambiente' | 'log'>): () => Promise<void> {
  const told = new Map<string, number>()
  const warn = (fonte: string, fields: object, message: string): void => {
    const instant = now().getTime()
    const key = `${fonte} ${message}`
    if (instant - (told.get(key) ?? -Infinity) < HOUR_MS) return
    told.set(key, instant)
    log.warn({ source: fonte, ...fields }, message)
  }
  return async () => {
    for (const [fonte, hora] of await listLeituras(db, { now: now(), ambiente })) {
      const { sucessos, vazias, incompletas, antes, rotulos } = hora
      if (findsLittle(hora))
        warn(
          fonte,
          { respostas: sucessos, vazias, antes },
          'a fonte não acha quase ninguém na última hora, e nos 7 dias anteriores achava: confira a página dela',
        )
      if (rotulos.length > 0)
        warn(fonte, { rotulos_novos: rotulos }, 'a página da fonte mostra rótulo novo: ela pode ter mudado')
      if (incompletas > 0)
        warn(
          fonte,
          { respostas: sucessos, incompletas },
          'respostas da fonte vieram sem algo que ela sempre traz: confira a página ou o papel dela',
        )
    }
  }
}
