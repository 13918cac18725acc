import type { FastifyInstance } from 'fastify'
import type { ContasRoom } from '../contas/contas.ts'
import { portaDaConfirmacao, portaDoCadastro } from '../contas/page-cadastro.ts'
import { portaDeEntrar, portaDeSair } from '../contas/page-entrar.ts'
import { portaDaNovaSenha, portaDeRecuperar } from '../contas/page-senha.ts'
import { asPorta, type OpenPorta } from '../contas/porta.ts'
import { openVisitante } from '../contas/visitante.ts'
import { openPainel } from '../painel/painel.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { recordRoutes, refuseOtherMethods, refuseUnknownRoutes } from '../platform/http/refusals.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { molduraDe, serveEstaticos, setPageHeaders } from '../platform/pages/moldura.ts'
import { paginasDasRejeicoes } from '../rejeicoes/page.ts'
import type { RejeicoesRoom } from '../rejeicoes/rejeicoes.ts'
import { serveSefaz } from '../sefaz/page.ts'
import { openBusca } from './busca.ts'
import { serveGuia } from './guia.ts'
import { paginaInicial } from './inicio.ts'
import { paginaDoErro } from './pagina-de-erro.ts'

type SiteRoom = PainelRoom & RejeicoesRoom

const portas: Readonly<Record<string, OpenPorta>> = {
  '/entrar': portaDeEntrar,
  '/criar-conta': portaDoCadastro,
  /** What people write by themselves. */
  '/cadastro': (scope, { moldura }) => {
    scope.get('/', { schema: { hide: true } }, (_request, reply) =>
      reply.redirect(`${moldura.prefixo}/criar-conta/`, 308),
    )
  },
  '/sair': portaDeSair,
  '/recuperar-senha': portaDeRecuperar,
  '/nova-senha': portaDaNovaSenha,
  '/confirmar-email': portaDaConfirmacao,
}

const portasDoSite = (
  room: ContasRoom,
  moldura: MolduraDoSite,
): Record<string, (scope: FastifyInstance) => Promise<void>> =>
  Object.fromEntries(Object.entries(portas).map(([prefix, open]) => [prefix, asPorta(open, room, moldura)]))

/** Takes what is better made before somebody asks for it, once the service listens. */
export type Prepare = (make: () => Promise<unknown>) => void

/** The pages for people, which read forms alone, and the files that they load. Their errors are pages too. */
export async function site(
  app: FastifyInstance,
  { room, prepare }: { room: SiteRoom; prepare: Prepare },
): Promise<void> {
  const moldura = molduraDe(room)
  const visitante = openVisitante(room, moldura)
  visitante.frame(app)
  // Fastify's own parsers of JSON and text would work for anybody, before any form is checked.
  app.removeAllContentTypeParsers()
  const rooms: Record<string, (scope: FastifyInstance) => void | Promise<void>> = {
    '/estatico': serveEstaticos,
    '/sefaz': (scope) => serveSefaz(scope, room, moldura),
    '/busca': (scope) => openBusca(scope, room, { moldura, visitante }),
    '/blog/rejeicoes': (scope) => paginasDasRejeicoes(scope, room, moldura),
    '/docs': (scope) => prepare(serveGuia(scope, moldura)),
    ...portasDoSite(room, moldura),
    '/painel': (scope) => openPainel(scope, room, moldura),
  }
  for (const [prefix, register] of Object.entries(rooms))
    await app.register(
      async (scope) => {
        scope.setErrorHandler(paginaDoErro(room, moldura))
        setPageHeaders(scope)
        const served = recordRoutes(scope)
        await register(scope)
        refuseUnknownRoutes(scope, served, () => NADA)
      },
      { prefix },
    )
  // What is unknown under the root is the API's to refuse.
  await app.register(async (scope) => {
    scope.setErrorHandler(paginaDoErro(room, moldura))
    setPageHeaders(scope)
    const served = recordRoutes(scope)
    paginaInicial(scope, room, moldura)
    refuseOtherMethods(scope, served)
  })
}

const NADA = 'Não há nada neste endereço: ele pode ter sido digitado com um erro.'
