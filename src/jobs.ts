import { enviarCartas } from './contas/job.ts'
import { emitirCertidao } from './federal/job.ts'
import { rotasFederais } from './federal/source-rotas.ts'
import type { Context } from './platform/context.ts'
import type { Job } from './platform/jobs/kind.ts'
import { buscarParcelas } from './rural/job.ts'

/** The kinds of durable work that this service does, one file each: see docs/adding-a-job.md. */
export const jobsOf = (ctx: Context): readonly Job[] => [
  buscarParcelas(ctx),
  enviarCartas(ctx),
  emitirCertidao(ctx, rotasFederais(ctx.config, ctx.sources)),
]
