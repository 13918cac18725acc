import type { FastifyInstance } from 'fastify'
import { summarize } from '../contas/resumo.ts'
import { buscarUsos } from '../contas/store-dias.ts'
import { gastoEmReais, usoPorDia } from '../contas/uso.ts'
import { diaDe, diaDepois } from '../documento/dia.ts'
import { DIAS_DO_REGISTRO } from '../platform/http/outcome.ts'
import { quadroVigente } from '../sefaz/lookup.ts'
import { baseDe } from '../site/mapa-do-site.ts'
import type { Sala } from './painel.ts'
import { paginaDaVisao } from './visao-pagina.ts'
import { DIAS_DA_VISAO } from './visao-visao.ts'

/** How many calls the overview lists. */
const ULTIMAS = 10

/** The overview of an account, at the root of the dashboard. */
export function abrirVisao(scope: FastifyInstance, { ctx, moldura, logadoDe, escrever }: Sala): void {
  const { store, now } = ctx
  scope.get('/', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const agora = now().getTime()
    const hoje = diaDe(agora)
    const { resumo } = await summarize(store, id)
    const inicio = [diaDepois(hoje, 1 - DIAS_DA_VISAO), `${resumo.uso.mes}-01`].toSorted()[0] ?? hoje
    const dias = await usoPorDia(ctx, id, { de: inicio, ate: hoje })
    const { usos: ultimas } = await buscarUsos(
      store.db,
      id,
      { de: diaDepois(hoje, 1 - DIAS_DO_REGISTRO), ate: hoje },
      { sentido: 'antigas', marco: undefined, linhas: ULTIMAS, olhar: ULTIMAS },
    )
    const reais = await gastoEmReais(store.ledger, id, resumo.uso.mes)
    const origem = baseDe(scope, moldura)
    const quadro = quadroVigente({ store })
    const { prefixo } = moldura
    return escrever(request, reply, {
      titulo: 'Visão geral',
      descricao: 'Créditos, chamadas e falhas da conta, e a situação das SEFAZ agora.',
      atual: 'visao',
      creditos: 'Mapa: Victor Cazanave e MapSVG (CC BY 4.0), com os contornos simplificados.',
      conteudo: paginaDaVisao({ agora, resumo, reais, dias, ultimas, quadro, origem, prefixo }),
    })
  })
}
