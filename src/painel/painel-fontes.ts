import type { FastifyInstance } from 'fastify'
import { listarFontes } from '../fontes/lookup.ts'
import { escolhida } from '../platform/pages/forms.ts'
import { opcoesDeLugar, opcoesDeServico, paginaDasFontes } from './fontes.ts'
import type { Sala } from './painel.ts'

/** The sources for people: what /api/v1/fontes says. */
export function abrirFontes(scope: FastifyInstance, { ctx, moldura, escrever }: Sala): void {
  scope.get('/', async (request, reply) => {
    const all = await listarFontes(ctx)
    const uf = escolhida(request.query, 'uf', opcoesDeLugar)
    const servico = escolhida(request.query, 'servico', opcoesDeServico)
    const fontes = all.filter(
      (fonte) =>
        (uf === undefined || fonte.uf === uf) && (servico === undefined || fonte.servico === servico),
    )
    return escrever(request, reply, {
      titulo: 'Fontes',
      descricao: 'Quem responde a cada consulta, e como respondeu na última hora.',
      atual: 'fontes',
      conteudo: paginaDasFontes({
        agora: ctx.now().getTime(),
        fontes,
        total: all.length,
        uf,
        servico,
        prefixo: moldura.prefixo,
      }),
    })
  })
}
