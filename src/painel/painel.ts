import type { FastifyInstance } from 'fastify'
import { cookieDoAcesso, withAcesso } from '../contas/acesso.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { openComecar } from './comecar.ts'
import { openConfiguracoes } from './configuracoes.ts'
import { openConsultar } from './consultar/consultar.ts'
import { openConsultas } from './consultar/consultas.ts'
import { openDossie } from './dossie/dossie.ts'
import { openExtrato } from './extrato.ts'
import { openFontes } from './fontes.ts'
import { openRegistro } from './registro.ts'
import { type OpenSala, type PainelRoom, type Sala, salaDe } from './sala.ts'
import { openUso } from './uso.ts'
import { openVisao } from './visao.ts'

/** The rooms of the dashboard, by the prefix of their addresses behind `/painel`. */
const salas: Readonly<Record<string, OpenSala>> = {
  '': openVisao,
  '/comecar': openComecar,
  '/consultar': openConsultar,
  '/consultas': openConsultas,
  '/experimentar': openEnderecoAntigo,
  '/configuracoes': openConfiguracoes,
  '/dossie': openDossie,
  '/extrato': openExtrato,
  '/fontes': openFontes,
  '/registro': openRegistro,
  '/uso': openUso,
}

/** Until November 2026 the room of the lookups was called Experimentar. */
function openEnderecoAntigo(scope: FastifyInstance, { moldura }: Sala): void {
  scope.get('/*', { schema: { hide: true } }, async ({ url }, reply) =>
    reply.redirect(moldura.prefixo + url.replace('/painel/experimentar', '/painel/consultar'), 301),
  )
}

/** Who has no session enters first, and comes back to where he wanted to go if something is there. */
export async function openPainel(
  app: FastifyInstance,
  room: PainelRoom,
  moldura: MolduraDoSite,
): Promise<void> {
  await withAcesso(app, room, moldura)
  const { nome } = cookieDoAcesso(moldura)
  app.addHook('onRequest', (request, reply, done) => {
    // What is not there is told to everybody: who enters first would be told no more.
    if (request.logado || request.is404) return done()
    const isRead = request.method === 'GET'
    const para = encodeURIComponent(isRead ? request.url : '/painel/')
    const hadSession = request.cookies[nome] !== undefined
    const aviso = hadSession ? `&aviso=${isRead ? 'sessao' : 'envio'}` : ''
    reply.redirect(`${moldura.prefixo}/entrar/?para=${para}${aviso}`, 303)
  })
  const sala = salaDe(room, moldura)
  for (const [prefix, open] of Object.entries(salas))
    await app.register(async (scope) => open(scope, sala), { prefix })
}
