import type { FastifyInstance } from 'fastify'
import { usoPorDia } from '../contas/chamadas/por-dia.ts'
import { precoXmlOf } from '../contas/resumo.ts'
import { diaDe } from '../domain/sefaz/dia.ts'
import { somarDesfechos } from '../store/usos/dias.ts'
import { enviarCsv } from './csv.ts'
import type { Sala } from './painel.ts'
import { paginaDoUso } from './uso/pagina.ts'
import { lerPeriodo } from './uso/periodo.ts'
import { cabecalhoDoUso, linhasDoUso } from './uso/tabelas.ts'

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
