import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { campoDoToken, type Logado } from '../contas/acesso.ts'
import type { ContasRoom } from '../contas/contas.ts'
import { contaNaMoldura } from '../contas/visitante.ts'
import { type Content, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, type PaginaDoSite, writePage } from '../platform/pages/layout.ts'
import type { RuralRoom } from '../rural/rural.ts'
import type { SefazRoom } from '../sefaz/sefaz.ts'

type PaginaDoPainel = Omit<PaginaDoSite, 'conta' | 'avulsa' | 'canonico' | 'dados'>

/** What the dashboard stands on. */
export type PainelRoom = ContasRoom & SefazRoom & RuralRoom

/** What a room of the dashboard is given. */
export type Sala = {
  room: PainelRoom
  moldura: MolduraDoSite
  /** Who looks: the guard lets nobody else through. */
  logadoDe: (request: FastifyRequest) => Logado
  /** Answers with a page in the frame of the dashboard, which nobody keeps. */
  draw: (request: FastifyRequest, reply: FastifyReply, pagina: PaginaDoPainel) => Promise<string>
  /** The hidden field that every form of a page has. */
  campoCsrf: (request: FastifyRequest, reply: FastifyReply) => Content
}

/** One room: the routes under its prefix. */
export type OpenSala = (scope: FastifyInstance, sala: Sala) => void | Promise<void>

export function salaDe(room: PainelRoom, moldura: MolduraDoSite): Sala {
  const logadoDe: Sala['logadoDe'] = ({ logado }) => {
    if (!logado) throw new Error('this route has no guard')
    return logado
  }
  return {
    room,
    moldura,
    logadoDe,
    campoCsrf: campoDoToken,
    draw: async (request, reply, pagina) => {
      const sair = formularioDeSair(moldura, campoDoToken(request, reply))
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
      const logado = logadoDe(request)
      const conta = await contaNaMoldura(room, logado, { prefixo: moldura.prefixo, sair })
      const conteudo = html`${avisoDoBloqueio(logado)}${pagina.conteudo}`
      return writePage({ ...pagina, conteudo, conta, avulsa: true }, moldura)
    },
  }
}

/** A blocked account may look at all that is its own, and ask for nothing. */
const avisoDoBloqueio = ({ conta: { bloqueio } }: Logado): Content =>
  bloqueio !== null &&
  html`<div class="faixa-aviso ruim" role="status"><div><p>Quem opera o serviço bloqueou esta conta</p><p>As consultas são recusadas, e nada é cobrado. Motivo: ${bloqueio.motivo}</p></div></div>`

const formularioDeSair = ({ prefixo }: MolduraDoSite, campo: Content): Content =>
  html`<form method="post" action="${url(`${prefixo}/sair`)}">${campo}<button class="discreto" type="submit">Sair</button></form>`
