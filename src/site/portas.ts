import type { FastifyInstance } from 'fastify'
import { portaDoCadastro } from '../contas/page-cadastro.ts'
import { portaDaConfirmacao } from '../contas/page-email.ts'
import { portaDeEntrar, portaDeSair } from '../contas/page-entrar.ts'
import { portaDaNovaSenha, portaDeRecuperar } from '../contas/page-senha.ts'
import { type AbrirPorta, comoPorta } from '../contas/porta.ts'
import type { Context } from '../platform/context.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'

/** The doors of the dashboard, by their addresses. */
const portas: Readonly<Record<string, AbrirPorta>> = {
  '/entrar': portaDeEntrar,
  '/criar-conta': portaDoCadastro,
  '/sair': portaDeSair,
  '/recuperar-senha': portaDeRecuperar,
  '/nova-senha': portaDaNovaSenha,
  '/confirmar-email': portaDaConfirmacao,
}

/** Each door as a room of the site. */
export const portasDoSite = (
  ctx: Context,
  moldura: MolduraDoSite,
): Record<string, (scope: FastifyInstance) => Promise<void>> =>
  Object.fromEntries(
    Object.entries(portas).map(([prefix, abrir]) => [prefix, comoPorta(abrir, ctx, moldura)]),
  )
