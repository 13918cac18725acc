import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAjustes } from '../contas/ajustes.ts'
import { errorCodes } from '../platform/errors.ts'
import { tallyOf } from '../platform/http/outcome.ts'
import { estaticos } from '../platform/pages/estaticos.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { parametroDe } from '../platform/pages/forms.ts'
import { paginaDaChaveNova } from './chave.ts'
import { mudancas } from './mudancas.ts'
import { paginaDasConfiguracoes } from './pagina.ts'
import type { AbrirSala, Sala } from './painel.ts'

const HIDDEN = { schema: { hide: true } } as const

const PAGINA = {
  titulo: 'Configurações',
  descricao: 'A chave da API, a senha, os acessos abertos e o plano da sua conta.',
  atual: 'configuracoes',
} as const

const MOSTRAR = '/chave/mostrar/'

/** The settings of an account. A form that changes something ends in a page that a reload does not repeat. */
export const abrirConfiguracoes: AbrirSala = (scope, sala) => {
  const base = baseDe(sala)
  scope.get('/', HIDDEN, (request, reply) =>
    escrever(sala, request, reply, { feito: parametroDe(request, 'feito') }),
  )
  scope.get('/chave/nova/', HIDDEN, (request, reply) => escreverChaveNova(sala, request, reply))
  scope.post(MOSTRAR, HIDDEN, (request, reply) => escrever(sala, request, reply, { revelada: true }))
  for (const [caminho, mudar] of Object.entries(mudancas))
    scope.post(caminho, HIDDEN, async (request, reply) => {
      const feito = await mudar(sala.ctx, sala.logadoDe(request), request, reply)
      if (typeof feito === 'string') return reply.redirect(`${base}?feito=${feito}`, 303)
      const { code, falhas, esperaS } = feito
      tallyOf(request).error_code = code
      reply.code(errorCodes[code].status)
      if (esperaS !== undefined) reply.header('retry-after', esperaS)
      return escrever(sala, request, reply, { falhas })
    })
  // Who opens the address of a form finds the page that it is on.
  for (const caminho of [MOSTRAR, ...Object.keys(mudancas)])
    if (caminho !== '/chave/nova/')
      scope.get(caminho, HIDDEN, async (_request, reply) => reply.redirect(base, 303))
}

const baseDe = ({ moldura }: Sala): string => `${moldura.prefixo}/painel/configuracoes/`

async function escrever(
  sala: Sala,
  request: FastifyRequest,
  reply: FastifyReply,
  { falhas = {}, feito = '', revelada = false }: { falhas?: Falhas; feito?: string; revelada?: boolean },
): Promise<string> {
  const { ctx } = sala
  const { conta, acesso } = sala.logadoDe(request)
  const [ajustes, acessos] = await Promise.all([
    readAjustes(ctx.store, conta.id, ctx.now()),
    ctx.store.acessos.list(conta.id),
  ])
  return sala.escrever(request, reply, {
    ...PAGINA,
    titulo: Object.keys(falhas).length > 0 ? `Erro: ${PAGINA.titulo}` : PAGINA.titulo,
    modulos: [estaticos.configuracoes.caminho],
    conteudo: paginaDasConfiguracoes({
      base: baseDe(sala),
      csrf: sala.campoCsrf(request, reply),
      conta,
      ajustes,
      acessos,
      atual: acesso.id,
      cartas: ctx.config.SMTP_URL !== undefined,
      falhas,
      feito,
      revelada,
    }),
  })
}

async function escreverChaveNova(sala: Sala, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { ctx } = sala
  const agora = ctx.now()
  const { chave } = await readAjustes(ctx.store, sala.logadoDe(request).conta.id, agora)
  const csrf = sala.campoCsrf(request, reply)
  return sala.escrever(request, reply, {
    ...PAGINA,
    titulo: 'Gerar outra chave',
    conteudo: paginaDaChaveNova({ base: baseDe(sala), csrf, agora, chave }),
  })
}
