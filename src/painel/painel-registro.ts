import type { FastifyInstance } from 'fastify'
import { percorrer } from '../contas/percorrer.ts'
import { abrirPedido, folhear, OLHAR } from '../contas/registro.ts'
import { diaDe, periodoOf } from '../documento/dia.ts'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import { abrirDownloads, enviarCsv } from '../platform/pages/csv.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'
import { nomeDoEndpoint } from './consultas.ts'
import type { Sala } from './painel.ts'
import { type Detalhe, paginaDoPedido } from './registro.ts'
import { cabecalhoDoRegistro, linhaDoRegistro } from './registro-linhas.ts'
import { lerPedido, lerPergunta, type PerguntaAoRegistro } from './registro-pagina.ts'
import { enderecoDoRegistro, paginaDoRegistro } from './registro-pagina-2.ts'

const LINHAS = 50

/** Searches of the log are made one at a time, and turns go round the accounts. */
const FILA = { places: 1, waiting: 64, perOwner: 8 }

/** The log of an account, and the detail of each of its calls. */
export function abrirRegistro(scope: FastifyInstance, sala: Sala): void {
  const { ctx, moldura, logadoDe, escrever } = sala
  const { prefixo } = moldura
  const baixar = abrirDownloads()
  const emSuaVez = createQueue(FILA)
  const hojeEm = (): string => diaDe(ctx.now().getTime())

  scope.get('/', async (request, reply) => {
    const hoje = hojeEm()
    const pergunta = lerPergunta(request.query, hoje)
    const { id } = logadoDe(request).conta
    const pedido = lerPedido(pergunta.pedido ?? '')
    if (pedido !== undefined && (await abrirPedido(ctx, id, pedido)))
      return reply.redirect(`${enderecoDoRegistro(prefixo)}${pedido}/`, 303)
    const { marco, sentido } = pergunta
    const achados =
      pergunta.pedido === undefined
        ? await emSuaVez({ owner: id, signal: signalOfLeaving(reply.raw) }, () =>
            folhear(ctx, id, buscaDe(pergunta), { marco, sentido, linhas: LINHAS }),
          ).catch(recusarCheia)
        : { usos: [], segue: undefined, parou: undefined }
    return escrever(request, reply, {
      titulo: 'Registro',
      descricao: 'Cada chamada da conta: documento mascarado, resultado, tempo e créditos.',
      atual: 'registro',
      conteudo: paginaDoRegistro({ pergunta, hoje, ...achados, olhar: OLHAR, prefixo }),
    })
  })

  scope.get('/registro.csv', (request, reply) => {
    const { id } = logadoDe(request).conta
    const hoje = hojeEm()
    const pergunta = lerPergunta(request.query, hoje)
    return enviarCsv(reply, {
      arquivo: `registro-${pergunta.dia ?? hoje}.csv`,
      cabecalho: cabecalhoDoRegistro,
      lotes: baixar(id, linhasDe(percorrer(ctx, id, buscaDe(pergunta)))),
    })
  })

  scope.get('/:pedido/', async (request, reply) => {
    const { pedido: given } = Object(request.params)
    const pedido = lerPedido(String(given))
    const found = pedido && (await abrirPedido(ctx, logadoDe(request).conta.id, pedido))
    if (!found)
      throw new ApiError(
        'ROTA_NAO_ENCONTRADA',
        'Nenhuma chamada desta conta tem este número nos últimos 90 dias.',
      )
    const lancamentos = found.lancamentos.map((one): Detalhe['lancamentos'][number] => ({
      ...one,
      mes: periodoOf(new Date(one.criado_em)),
    }))
    return escrever(request, reply, {
      titulo: `${nomeDoEndpoint(found.uso.endpoint)}, ${pedido}`,
      descricao: 'Uma chamada da conta, o que ela foi e o que custou.',
      atual: 'registro',
      conteudo: paginaDoPedido({ uso: found.uso, lancamentos, prefixo }),
    })
  })
}

function recusarCheia(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error
  const detail = 'Há buscas demais no registro agora. Espere a resposta das suas e procure de novo.'
  throw new ApiError('RATE_LIMIT_EXCEEDED', detail, { retryS: 5 })
}

const buscaDe = ({ endpoint, desfecho, uf, dia }: PerguntaAoRegistro) => ({ endpoint, desfecho, uf, dia })

async function* linhasDe(fatias: ReturnType<typeof percorrer>) {
  for await (const usos of fatias) yield usos.map(linhaDoRegistro)
}
