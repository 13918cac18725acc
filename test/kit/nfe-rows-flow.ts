import { NAO, type Row } from './nfe-row.ts'
import { evento, falha, indisponivel, limitada, nega, resumo, xml } from './nfe-steps.ts'

/** The specification's "NF-e retrieval flow with automatic manifestation", step by step. */
export const flowRows: Record<string, Row> = {
  // The specification's flow, step by step.
  '1. only the summary: the Ciência, then the query again brings the note': {
    dias: 3,
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  '1. a Ciência that is registered and not linked (136) counts as well': {
    dias: 3,
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('136')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  '1. a Ciência that was there before (573) brings the note, too': {
    dias: 3,
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('573')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_ja_registrada', 'xml', '138'],
  },
  '1. a release that takes a moment is looked for once more, after a pause': {
    dias: 3,
    respostas: { consulta: [resumo(3), resumo(3), xml], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar, pausa e consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  '1. a release that takes longer is left to another call': {
    dias: 3,
    respostas: { consulta: [resumo(3), resumo(3), resumo(3)], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar, pausa e consultar',
    fim: ['somente_resumo', 'ciencia_registrada', 'nao-liberada-ainda', '138', 'again'],
  },
  '1. who needs no manifestation gets the note at once': {
    dias: 3,
    respostas: { consulta: [xml] },
    passos: 'consultar',
    fim: ['ok', null, 'xml', '138'],
  },
  '2. refused for its window (596): the portal releases it, and no event is registered': {
    dias: 15,
    respostas: { consulta: [resumo(15)], ciencia: [evento('596')], portal: [xml] },
    passos: 'consultar, ciencia, portal',
    fim: ['ok', 'ciencia_fora_prazo', 'xml', '596'],
  },
  '2. refused for its window and the portal is away: no event, and a retry': {
    dias: 15,
    respostas: { consulta: [resumo(15)], ciencia: [evento('596')], portal: [indisponivel] },
    passos: 'consultar, ciencia, portal',
    fim: ['somente_resumo', 'ciencia_fora_prazo', 'portal-indisponivel', '596', 'again'],
  },
  '3. the portal does not release either: the Confirmação, then the query again': {
    dias: 15,
    respostas: {
      consulta: [resumo(15), xml],
      ciencia: [evento('596')],
      portal: [nega],
      confirmacao: [evento('135')],
    },
    passos: 'consultar, ciencia, portal, confirmacao, consultar',
    fim: ['ok', 'confirmacao_registrada', 'xml', '138'],
  },
  '3. over two months old: no Ciência, the portal first': {
    dias: 75,
    respostas: { consulta: [resumo(75)], portal: [xml] },
    passos: 'consultar, portal',
    fim: ['ok', null, 'xml', '138'],
  },
  '3. over two months old and the portal is away: no event, and a retry': {
    dias: 75,
    respostas: { consulta: [resumo(75)], portal: [indisponivel] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', null, 'portal-indisponivel', '138', 'again'],
  },
  '3. over two months old and the portal does not release: the Confirmação': {
    dias: 75,
    respostas: { consulta: [resumo(75), xml], portal: [nega], confirmacao: [evento('573')] },
    passos: 'consultar, portal, confirmacao, consultar',
    fim: ['ok', 'confirmacao_ja_registrada', 'xml', '138'],
  },
  '3. the Confirmação is refused': {
    dias: 100,
    respostas: { consulta: [resumo(100)], portal: [nega], confirmacao: [evento('596')] },
    passos: 'consultar, portal, confirmacao',
    fim: ['somente_resumo', 'confirmacao_rejeitada', 'evento-rejeitado', '596'],
  },
  '3. the Confirmação gets no answer': {
    dias: 15,
    respostas: {
      consulta: [resumo(15)],
      ciencia: [evento('596')],
      portal: [nega],
      confirmacao: [falha],
    },
    passos: 'consultar, ciencia, portal, confirmacao',
    fim: ['erro', 'confirmacao_erro', 'evento-falhou', '', 'again'],
  },
  '4. more than 180 days: no event': {
    dias: 181,
    respostas: { consulta: [resumo(181)] },
    passos: 'consultar',
    fim: ['somente_resumo', null, 'passou-do-prazo', '138'],
  },
  '5. limited (656): the Ciência is registered all the same, and the portal brings the note': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('135')], portal: [xml] },
    passos: 'consultar, ciencia, portal',
    fim: ['ok', 'ciencia_registrada', 'xml', '656'],
  },
  '5. limited, registered, and the portal does not release yet': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('135')], portal: [nega] },
    passos: 'consultar, ciencia, portal',
    fim: ['somente_resumo', 'ciencia_registrada', 'nao-liberada-ainda', '656', 'again'],
  },
  '5. limited, registered, and the portal is away': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('135')], portal: [indisponivel] },
    passos: 'consultar, ciencia, portal',
    fim: ['somente_resumo', 'ciencia_registrada', 'portal-indisponivel', '656', 'again'],
  },
  '6. manifestar = false and only the summary: no event': {
    dias: 3,
    start: NAO,
    respostas: { consulta: [resumo(3)] },
    passos: 'consultar',
    fim: ['somente_resumo', null, 'sem-manifestar', '138'],
  },
  'the Confirmação never follows another refusal of the Ciência': {
    dias: 3,
    respostas: { consulta: [resumo(3)], ciencia: [evento('575')] },
    passos: 'consultar, ciencia',
    fim: ['somente_resumo', 'ciencia_rejeitada', 'evento-rejeitado', '575'],
  },
  'a refusal that passes (108) asks for a retry': {
    dias: 3,
    respostas: { consulta: [resumo(3)], ciencia: [evento('108')] },
    passos: 'consultar, ciencia',
    fim: ['somente_resumo', 'ciencia_rejeitada', 'evento-rejeitado', '108', 'again'],
  },
  'a Ciência without an answer ends the call, which can be asked again': {
    dias: 3,
    respostas: { consulta: [resumo(3)], ciencia: [falha] },
    passos: 'consultar, ciencia',
    fim: ['erro', 'ciencia_erro', 'evento-falhou', '', 'again'],
  },
  'a Ciência after a conclusive event (655) is looked for once': {
    dias: 3,
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('655')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_rejeitada', 'xml', '138'],
  },
  'the conclusive event was a Desconhecimento, which releases nothing': {
    dias: 3,
    respostas: { consulta: [resumo(3), resumo(3)], ciencia: [evento('655')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['somente_resumo', 'ciencia_rejeitada', 'evento-rejeitado', '655'],
  },
}
