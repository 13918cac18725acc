import type { FastifyInstance } from 'fastify'
import { cookieDoAcesso, withAcesso } from '../contas/acesso.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { openComecar } from './comecar.ts'
import { openConfiguracoes } from './configuracoes.ts'
import { openExperimentar } from './experimentar/experimentar.ts'
import { openExtrato } from './extrato.ts'
import { openFontes } from './fontes.ts'
import { openRegistro } from './registro.ts'
import { type OpenSala, type PainelRoom, salaDe } from './sala.ts'
import { openUso } from './uso.ts'
import { openVisao } from './visao.ts'

/** The rooms of the dashboard, by the prefix of their addresses behind `/painel`. */
const salas: Readonly<Record<string, OpenSala>> = {
  '': openVisao,
  '/comecar': openComecar,
  '/experimentar': openExperimentar,
  '/configuracoes': openConfiguracoes,
  '/extrato': openExtrato,
  '/fontes': openFontes,
  '/registro': openRegistro,
  '/uso': openUso,
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
