import { pino } from 'pino'
import type { Config } from './config/settings.ts'

type Line = (fields: object, message?: string) => void

export type Log = Record<'debug' | 'info' | 'warn' | 'error', Line> & {
  isLevelEnabled?: (level: string) => boolean
}

export const createLog = ({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): Log =>
  pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
