import type { FastifyInstance } from 'fastify'
import { somarDesfechos } from '../contas/dias.ts'
import { precoXmlOf } from '../contas/resumo.ts'
import { usoPorDia } from '../contas/uso.ts'
import { diaDe } from '../documento/dia.ts'
import { enviarCsv } from '../platform/pages/csv.ts'
import type { Sala } from './painel.ts'
import { cabecalhoDoUso, linhasDoUso } from './tabelas.ts'
import { paginaDoUso } from './uso.ts'
import { lerPeriodo } from './uso-tabelas.ts'

/** The use of an account by day and endpoint, as a page and as a file. */
export function abrirUso(scope: FastifyInstance, { ctx, moldura, logadoDe, escrever }: Sala): void {
  const { prefixo } = moldura
  scope.get('/', async (request, reply) => {
    const hoje = diaDe(ctx.now().getTime())
    const pergunta = lerPeriodo(request.query, hoje)
    const { conta } = logadoDe(request)
    const dias = await usoPorDia(ctx, conta.id, pergunta)
    const desfechos = await somarDesfechos(ctx.store.db, conta.id, pergunta)
    return escrever(request, reply, {
      titulo: 'Uso',
      descricao: 'Chamadas e créditos da conta por dia e consulta.',
      atual: 'uso',
      conteudo: paginaDoUso({ pergunta, hoje, dias, desfechos, preco: precoXmlOf(conta), prefixo }),
    })
  })

  scope.get('/uso.csv', async (request, reply) => {
    const pergunta = lerPeriodo(request.query, diaDe(ctx.now().getTime()))
    const dias = await usoPorDia(ctx, logadoDe(request).conta.id, pergunta)
    return enviarCsv(reply, {
      arquivo: `uso-${pergunta.de}-${pergunta.ate}.csv`,
      cabecalho: cabecalhoDoUso,
      lotes: (async function* () {
        yield dias.flatMap(linhasDoUso)
      })(),
    })
  })
}
