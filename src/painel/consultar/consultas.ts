import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findPedido } from '../../contas/lookup-usos.ts'
import { ApiError } from '../../platform/errors.ts'
import { openUmaVez } from '../../platform/http/once.ts'
import { html, url } from '../../platform/pages/html.ts'
import { baseDe } from '../../platform/pages/moldura.ts'
import { nomeDoEndpoint, respostaEm } from '../chamadas.ts'
import { readPedido } from '../pedido.ts'
import type { Sala } from '../sala.ts'
import { openChamador } from './chamada.ts'
import { estadosEmCsv } from './estados.ts'
import { openPaginas } from './pagina.ts'
import { type ArquivoDaResposta, openPapeis, readArquivo, sendArquivo, writeAgenda } from './papeis.ts'
import { uidDe } from './pecas.ts'
import { enderecoDaPergunta, enderecoDe } from './perguntar.ts'
import { perguntas, precoDe } from './perguntas.ts'
import { askFalhas, falhasDe, type Paga } from './repetir.ts'
import { apresentar, type Feita, findFeita, keepFeita } from './respondida.ts'

const HIDDEN = { schema: { hide: true } } as const

/** Answers that are kept: to see one again, or to take its files, asks nobody and costs nothing. */
export async function openConsultas(scope: FastifyInstance, sala: Sala): Promise<void> {
  const { room, moldura, logadoDe } = sala
  const { prefixo } = moldura
  const chamador = openChamador(scope, room)
  const paginas = openPaginas(scope, sala, openPapeis(room.secret, `${enderecoDe(prefixo)}papel`))

  const umaVez = openUmaVez<Repetida>(room, 'repetir')

  const donaDe = (request: FastifyRequest): { conta_id: string; request_id: string } => {
    const request_id = readPedido(String(Object(request.params).pedido))
    if (request_id === undefined) throw naoHa
    return { conta_id: logadoDe(request).conta.id, request_id }
  }

  scope.get('/', { ...HIDDEN, prefixTrailingSlash: 'slash' }, async (_request, reply) =>
    reply.redirect(enderecoDe(prefixo), 303),
  )

  scope.get('/:pedido/', HIDDEN, async (request, reply) => {
    const dona = donaDe(request)
    const found = await findFeita(room, dona)
    if (found) return paginas.drawFeita({ request, reply }, found.feita, { ate: found.ate })
    const known = await findPedido(room, dona.conta_id, dona.request_id)
    if (!known) throw naoHa
    const { endpoint } = known.uso
    const pergunta = perguntas.find((one) => one.endpoint === endpoint)
    reply.code(410)
    return sala.draw(request, reply, {
      titulo: 'Não está mais guardada',
      descricao: 'A resposta não está mais guardada; o registro diz o que foi dela.',
      atual: 'consultar',
      conteudo: html`<section class="erro"><p class="suave">${nomeDoEndpoint(endpoint)}</p><h1>Esta resposta não está mais guardada</h1><p>Ela fica só pelo tempo que a conta escolhe em <a href="${url(`${prefixo}/painel/configuracoes/#guarda`)}">Configurações</a>. O <a href="${url(`${prefixo}/painel/registro/${dona.request_id}/`)}">registro</a> diz o que foi pedido, o que deu e quanto custou.</p><p><a class="botao" href="${url(enderecoDaPergunta(prefixo, endpoint) ?? enderecoDe(prefixo))}">Perguntar de novo${pergunta && ` · ${precoDe(pergunta, logadoDe(request).conta)}`}</a></p></section>`,
    })
  })

  scope.get('/:pedido/:arquivo', HIDDEN, async (request, reply) => {
    const dona = donaDe(request)
    const asked = readArquivo(String(Object(request.params).arquivo))
    const found = asked && (await findFeita(room, dona))
    const arquivo = found && (await findArquivo(dona, found.feita, asked))
    if (!arquivo) throw naoHa
    return sendArquivo(reply, arquivo)
  })

  async function findArquivo(
    dona: { conta_id: string; request_id: string },
    feita: Feita,
    { tipo, parte }: NonNullable<ReturnType<typeof readArquivo>>,
  ): Promise<ArquivoDaResposta | undefined> {
    const dita = apresentar(feita, room.now())
    const dono = parte === '' ? dita : dita.porEstado?.find(({ uf }) => uf === parte)
    const { papel, validade } = dono ?? {}
    if (tipo === 'csv') return parte === '' ? estadosEmCsv(dita, feita) : undefined
    if (tipo === 'ics')
      return (
        validade && {
          tipo,
          nome: `vence-${validade.dia}.ics`,
          conteudo: writeAgenda(validade, {
            uid: uidDe(feita, parte),
            agora: room.now(),
            pagina: respostaEm(baseDe(scope, moldura), dona.request_id),
          }),
        }
      )
    if (papel?.tipo !== tipo) return undefined
    if (tipo === 'xml') return { tipo, nome: papel.nome, conteudo: Buffer.from(papel.base64, 'base64') }
    const kept = await room.guardadas.find(dona, parte || 'certidao')
    return kept && { tipo, nome: papel.nome, conteudo: kept.conteudo }
  }

  scope.post('/:pedido/repetir', HIDDEN, async (request, reply) => {
    const dona = donaDe(request)
    const quem = { request, reply, logado: logadoDe(request) }
    const find = async () => {
      const found = await findFeita(room, dona)
      if (!found) throw naoHa
      return found
    }
    // One who comes later repeats what failed again.
    const vez = (await find()).feita.refeitas.length
    const { solta } = await umaVez.run(quem, [dona.request_id, String(vez)], async (antes, note) => {
      const { feita, ate } = await find()
      const done = { valor: { pagas: [] }, lembrar: { pagas: [] } }
      if (feita.refeitas.length !== vez || falhasDe(feita).length === 0) return done
      const refeita = await askFalhas(quem, feita, {
        chamador,
        room,
        antes: antes?.pagas ?? [],
        note: (pagas) => note({ pagas }),
      })
      if (await keepFeita(room, dona.conta_id, refeita, ate)) return done
      return { valor: { pagas: [], solta: refeita }, lembrar: undefined }
    })
    if (solta) return paginas.drawFeita(quem, solta, { grande: true })
    return reply.redirect(respostaEm(prefixo, dona.request_id), 303)
  })
}

/** `solta`: the answer with what was asked again, where it could not be kept. */
type Repetida = { pagas: readonly Paga[]; solta?: Feita }

const naoHa = new ApiError(
  'ROTA_NAO_ENCONTRADA',
  'Nenhuma resposta guardada desta conta tem este número. O registro diz o que foi de cada chamada.',
)
