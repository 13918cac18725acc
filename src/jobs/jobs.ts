import type { Context } from '../context/context.ts'
import { rotasFederais } from '../sources/rotas-federais.ts'
import { buscarParcelas } from './buscar-parcelas.ts'
import { emitirCertidao } from './emitir-cnd-federal.ts'
import { enviarCartas } from './enviar-carta.ts'
import type { Job } from './job.ts'

/** The kinds of durable work that this service does, one file each: see docs/adding-a-job.md. */
export const jobsOf = (ctx: Context): readonly Job[] => [
  buscarParcelas(ctx),
  enviarCartas(ctx),
  emitirCertidao(ctx, rotasFederais(ctx.config, ctx.sources)),
]
