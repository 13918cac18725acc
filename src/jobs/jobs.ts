import type { Context } from '../context/context.ts'
import { buscarParcelas } from './buscar-parcelas.ts'
import type { Job } from './job.ts'

/** The kinds of durable work that this service does, one file each: see docs/adding-a-job.md. */
export const jobsOf = (ctx: Context): readonly Job[] => [buscarParcelas(ctx)]
