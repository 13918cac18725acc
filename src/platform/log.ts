import { pino } from 'pino'
import type { Config } from './config/settings.ts'

type Line = (fields: object, message?: string) => void

/** The log of the process, as the rooms write it. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', Line> & {
  isLevelEnabled?: (level: string) => boolean
}

/** The log: one JSON line an event, on standard output. */
export const createLog = ({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): Log =>
  pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
