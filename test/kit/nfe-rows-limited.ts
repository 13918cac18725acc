import { ciencia, interrompida, NAO, type Row } from './nfe-row.ts'
import { evento, falha, indisponivel, limitada, nega, resumo, xml } from './nfe-steps.ts'

/** 656 at each point of a call, and calls that were interrupted. */
export const limitedRows: Record<string, Row> = {
  // 656 at each point.
  'limited with manifestar = false: only the portal': {
    dias: 3,
    start: NAO,
    respostas: { consulta: [limitada], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['erro', null, 'portal-negou', '656', 'again'],
  },
  'known to be limited and not asked': {
    dias: 3,
    start: NAO,
    respostas: { consulta: [{ tipo: 'limitada', cStat: '', xMotivo: '' }], portal: [indisponivel] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', null, 'portal-indisponivel', '656', 'again'],
  },
  'limited after the Ciência': {
    dias: 3,
    respostas: { consulta: [resumo(3), limitada], ciencia: [evento('135')], portal: [xml] },
    passos: 'consultar, ciencia, consultar, portal',
    fim: ['ok', 'ciencia_registrada', 'xml', '656'],
  },
  'limited after the Confirmação': {
    dias: 75,
    respostas: {
      consulta: [resumo(75), resumo(75), limitada],
      portal: [nega, nega],
      confirmacao: [evento('135')],
    },
    passos: 'consultar, portal, confirmacao, consultar, pausa e consultar, portal',
    fim: ['somente_resumo', 'confirmacao_registrada', 'nao-liberada-ainda', '656', 'again'],
  },
  'limited, and the Ciência is refused for its window: the portal, the Confirmação, the portal': {
    dias: 35,
    respostas: {
      consulta: [limitada],
      ciencia: [evento('596')],
      portal: [nega, xml],
      confirmacao: [evento('135')],
    },
    passos: 'consultar, ciencia, portal, confirmacao, portal',
    fim: ['ok', 'confirmacao_registrada', 'xml', '656'],
  },
  'limited and old by the key: the portal, the Confirmação, the portal': {
    dias: 150,
    respostas: { consulta: [limitada], portal: [nega, xml], confirmacao: [evento('135')] },
    passos: 'consultar, portal, confirmacao, portal',
    fim: ['ok', 'confirmacao_registrada', 'xml', '656'],
  },
  'limited, and neither the events nor the portal know the holder': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('575')], portal: [nega] },
    passos: 'consultar, ciencia, portal',
    fim: ['nao_autorizado', 'ciencia_rejeitada', 'portal-negou', '575'],
  },
  'limited, and a carrier: no recipient for the events, and the portal serves it': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('575')], portal: [xml] },
    passos: 'consultar, ciencia, portal',
    fim: ['ok', 'ciencia_rejeitada', 'xml', '575'],
  },
  'limited, and the Ciência gets no answer: the portal may still serve it': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [falha], portal: [xml] },
    passos: 'consultar, ciencia, portal',
    fim: ['ok', 'ciencia_erro', 'xml', '656'],
  },
  'limited, the Ciência gets no answer, and the portal does not release': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [falha], portal: [nega] },
    passos: 'consultar, ciencia, portal',
    fim: ['erro', 'ciencia_erro', 'evento-falhou', '', 'again'],
  },
  'limited after a conclusive event (655): the portal': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('655')], portal: [xml] },
    passos: 'consultar, ciencia, portal',
    fim: ['ok', 'ciencia_rejeitada', 'xml', '656'],
  },

  // A call that was interrupted, and whose events are known.
  'what was registered before the interruption is not sent again': {
    dias: 3,
    start: interrompida(ciencia('135')),
    respostas: { consulta: [resumo(3), xml] },
    passos: 'consultar, pausa e consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  'what was refused for its window before the interruption goes on with the portal': {
    dias: 15,
    start: interrompida(ciencia('596')),
    respostas: { consulta: [resumo(15)], portal: [xml] },
    passos: 'consultar, portal',
    fim: ['ok', 'ciencia_fora_prazo', 'xml', '596'],
  },
  'what was refused otherwise before the interruption stays refused': {
    dias: 3,
    start: interrompida(ciencia('575')),
    respostas: { consulta: [resumo(3)] },
    passos: 'consultar',
    fim: ['somente_resumo', 'ciencia_rejeitada', 'evento-rejeitado', '575'],
  },
  'what got no answer before the interruption is sent again: 573 tells if it stood': {
    dias: 3,
    start: interrompida({ passo: 'ciencia', desfecho: falha }),
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('573')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_ja_registrada', 'xml', '138'],
  },
  'interrupted after the Confirmação, with the certificate limited by now': {
    dias: 15,
    start: interrompida(ciencia('596'), { passo: 'confirmacao', desfecho: evento('135') }),
    respostas: { consulta: [limitada], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', 'confirmacao_registrada', 'nao-liberada-ainda', '656', 'again'],
  },
}
