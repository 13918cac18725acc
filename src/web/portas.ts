import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'
import type { MolduraDoSite } from './layout.ts'
import { type AbrirPorta, comoPorta } from './porta.ts'
import { portaDoCadastro } from './porta-cadastro.ts'
import { portaDaConfirmacao } from './porta-email.ts'
import { portaDeEntrar, portaDeSair } from './porta-entrar.ts'
import { portaDaNovaSenha, portaDeRecuperar } from './porta-senha.ts'

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
