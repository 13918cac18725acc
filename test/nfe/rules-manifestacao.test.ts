import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Feito, Manifestacao, StatusNfe } from '../../src/nfe/rules.ts'
import type { Andamento, Motivo } from '../../src/nfe/rules-manifestacao.ts'
import { cstatDe } from '../../src/nfe/rules-resultado.ts'
import {
  comeco,
  doEmitente,
  evento,
  falha,
  foraDoPrazo,
  indisponivel,
  limitada,
  nega,
  type Respostas,
  resumo,
  semSaida,
  walk,
  xml,
} from '../kit/nfe-steps.ts'

/** A whole call: who asks, what the authorities answer, the steps of the call, and its end. */
type Row = {
  /** Age of the note in days. */
  dias: number
  start?: Partial<Andamento>
  respostas: Respostas
  passos: string
  fim: [StatusNfe, Manifestacao | null, Motivo, cstat: string, 'again'?]
}

const EC = { canSign: false }
const NAO = { manifestar: false }
const DELE = { emitente: true }

/** A Ciência that was answered. */
const ciencia = (cStat: string): Feito => ({ passo: 'ciencia', desfecho: evento(cStat) })

/** The start of a call with the same Idempotency-Key as a call that was interrupted after these events. */
const interrompida = (...feitos: Feito[]): Partial<Andamento> => ({ feitos })

/** The specification's "NF-e retrieval flow with automatic manifestation", step by step. */
const flowRows: Record<string, Row> = {
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

const naoAchada = { tipo: 'nao-encontrada', cStat: '137', xMotivo: 'Nenhum documento localizado' } as const

const semPermissao = { tipo: 'sem-permissao', cStat: '640', xMotivo: 'Rejeicao: sem permissao' } as const

/** The other answers of the national environment, and holders that cannot or may not sign. */
const answerRows: Record<string, Row> = {
  // EC keys cannot sign an event: only RSA-SHA1 signs one.
  'an EC key sends no Ciência': {
    dias: 3,
    start: EC,
    respostas: { consulta: [resumo(3)] },
    passos: 'consultar',
    fim: ['somente_resumo', 'ciencia_nao_suportada', 'evento-nao-suportado', '138'],
  },
  'an EC key sends no Confirmação, and the portal is asked before that': {
    dias: 75,
    start: EC,
    respostas: { consulta: [resumo(75)], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', 'confirmacao_nao_suportada', 'evento-nao-suportado', '138'],
  },
  'an EC key that is limited goes to the portal without the Ciência': {
    dias: 3,
    start: EC,
    respostas: { consulta: [limitada], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', 'ciencia_nao_suportada', 'portal-negou', '656', 'again'],
  },

  // Another establishment of the holder's company.
  'a note that the holder issued under another CNPJ is asked for in that name too, and then at the portal': {
    dias: 3,
    start: { outroEmitente: true },
    respostas: { consulta: [semPermissao, doEmitente], portal: [xml] },
    passos: 'consultar, consultar como emitente, portal',
    fim: ['ok', null, 'xml', '641'],
  },
  'in the name of the issuer no event is sent, whatever the portal and the age of the note': {
    dias: 75,
    start: { outroEmitente: true },
    respostas: { consulta: [semPermissao, foraDoPrazo], portal: [nega] },
    passos: 'consultar, consultar como emitente, portal',
    fim: ['fora_prazo', null, 'portal-negou', '632'],
  },
  'a limit of the issuer leaves the portal': {
    dias: 3,
    start: { outroEmitente: true },
    respostas: { consulta: [semPermissao, limitada], portal: [indisponivel] },
    passos: 'consultar, consultar como emitente, portal',
    fim: ['somente_resumo', null, 'portal-indisponivel', '656', 'again'],
  },
  'a second refusal (640) is the end': {
    dias: 3,
    start: { outroEmitente: true },
    respostas: { consulta: [semPermissao, semPermissao] },
    passos: 'consultar, consultar como emitente',
    fim: ['nao_autorizado', null, 'sem-permissao', '640'],
  },
  'a note of one establishment for another is manifested by the one that gets the summary': {
    dias: 3,
    start: { outroEmitente: true },
    respostas: { consulta: [resumo(3), xml], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  'a limit of the holder (656) is not gone around in the name of the issuer': {
    dias: 3,
    start: { outroEmitente: true, ...NAO },
    respostas: { consulta: [limitada], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['erro', null, 'portal-negou', '656', 'again'],
  },

  // Cancelled and denied notes.
  'a summary of a cancelled note gets no event': {
    dias: 3,
    respostas: { consulta: [resumo(3, 'cancelada')] },
    passos: 'consultar',
    fim: ['cancelada', null, 'cancelada', '138'],
  },
  'a summary of a denied note gets no event': {
    dias: 3,
    respostas: { consulta: [resumo(3, 'denegada')] },
    passos: 'consultar',
    fim: ['cancelada', null, 'cancelada', '138'],
  },
  'a note that was cancelled between the summary and the Ciência (650)': {
    dias: 3,
    respostas: { consulta: [resumo(3)], ciencia: [evento('650')] },
    passos: 'consultar, ciencia',
    fim: ['cancelada', 'ciencia_rejeitada', 'cancelada', '650'],
  },
  'a limited certificate learns by 650 that the note is cancelled': {
    dias: 3,
    respostas: { consulta: [limitada], ciencia: [evento('650')] },
    passos: 'consultar, ciencia',
    fim: ['cancelada', 'ciencia_rejeitada', 'cancelada', '650'],
  },
  'a note that was cancelled after the Ciência': {
    dias: 3,
    respostas: { consulta: [resumo(3), resumo(3, 'cancelada')], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['cancelada', 'ciencia_registrada', 'cancelada', '138'],
  },

  // 632: by its own rule the authority no longer serves a note by key after two months.
  '632: the portal brings the note': {
    dias: 120,
    respostas: { consulta: [foraDoPrazo], portal: [xml] },
    passos: 'consultar, portal',
    fim: ['ok', null, 'xml', '632'],
  },
  '632 and the portal is away': {
    dias: 120,
    respostas: { consulta: [foraDoPrazo], portal: [indisponivel] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', null, 'portal-indisponivel', '632', 'again'],
  },
  '632 and the portal never answers here: asking again does not help': {
    dias: 120,
    respostas: { consulta: [foraDoPrazo], portal: [semSaida] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', null, 'portal-indisponivel', '632'],
  },
  '656 and the portal never answers here: the limit passes': {
    dias: 120,
    start: NAO,
    respostas: { consulta: [limitada], portal: [semSaida] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', null, 'portal-indisponivel', '656', 'again'],
  },
  '632 with manifestar = false and the portal does not release': {
    dias: 120,
    start: NAO,
    respostas: { consulta: [foraDoPrazo], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', null, 'portal-negou', '632'],
  },
  '632 within 180 days and the portal does not release: the Confirmação, and the portal again': {
    dias: 91,
    respostas: { consulta: [foraDoPrazo], portal: [nega, xml], confirmacao: [evento('135')] },
    passos: 'consultar, portal, confirmacao, portal',
    fim: ['ok', 'confirmacao_registrada', 'xml', '632'],
  },
  '632, confirmed, and the portal does not release yet': {
    dias: 120,
    respostas: { consulta: [foraDoPrazo], portal: [nega, nega], confirmacao: [evento('135')] },
    passos: 'consultar, portal, confirmacao, portal',
    fim: ['fora_prazo', 'confirmacao_registrada', 'nao-liberada-ainda', '632', 'again'],
  },
  '632 and the Confirmação comes after its own window, which is 90 days today': {
    dias: 120,
    respostas: { consulta: [foraDoPrazo], portal: [nega], confirmacao: [evento('596')] },
    passos: 'consultar, portal, confirmacao',
    fim: ['fora_prazo', 'confirmacao_rejeitada', 'evento-rejeitado', '596'],
  },
  '632 and the key may be over 180 days old: no event': {
    dias: 190,
    respostas: { consulta: [foraDoPrazo], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', null, 'portal-negou', '632'],
  },
  '632 with an EC key': {
    dias: 120,
    start: EC,
    respostas: { consulta: [foraDoPrazo], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', 'confirmacao_nao_suportada', 'evento-nao-suportado', '632'],
  },

  // 641, and calls of the issuer.
  '641: the portal serves the issuer': {
    dias: 3,
    respostas: { consulta: [doEmitente], portal: [xml] },
    passos: 'consultar, portal',
    fim: ['ok', null, 'xml', '641'],
  },
  '641 and the portal is away': {
    dias: 3,
    respostas: { consulta: [doEmitente], portal: [indisponivel] },
    passos: 'consultar, portal',
    fim: ['somente_resumo', null, 'portal-indisponivel', '641', 'again'],
  },
  '641 and the portal does not release: never an event': {
    dias: 150,
    respostas: { consulta: [doEmitente], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['erro', null, 'portal-negou', '641'],
  },
  'a limited issuer is not manifested for': {
    dias: 3,
    start: DELE,
    respostas: { consulta: [limitada], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['erro', null, 'portal-negou', '656', 'again'],
  },
  'a summary for the issuer leads to the portal': {
    dias: 3,
    start: DELE,
    respostas: { consulta: [resumo(3)], portal: [xml] },
    passos: 'consultar, portal',
    fim: ['ok', null, 'xml', '138'],
  },
  '632 for the issuer: no Confirmação': {
    dias: 120,
    start: DELE,
    respostas: { consulta: [foraDoPrazo], portal: [nega] },
    passos: 'consultar, portal',
    fim: ['fora_prazo', null, 'portal-negou', '632'],
  },

  // The other answers of the national environment.
  'no note for this key (217), which may have been authorized just now': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'nao-encontrada', cStat: '217', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['nao_encontrado', null, 'nao-encontrada', '217', 'again'],
  },
  'no note for a key of a month whose notes are all authorized (217)': {
    dias: 70,
    respostas: { consulta: [{ tipo: 'nao-encontrada', cStat: '217', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['nao_encontrado', null, 'nao-encontrada', '217'],
  },
  'a query too soon after the event, which finds nothing (137)': {
    dias: 3,
    respostas: { consulta: [resumo(3), naoAchada, xml], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar, pausa e consultar',
    fim: ['ok', 'ciencia_registrada', 'xml', '138'],
  },
  'nothing found (137) for as long as a call waits: what was registered is known to be there': {
    dias: 3,
    respostas: { consulta: [resumo(3), naoAchada, naoAchada], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar, pausa e consultar',
    fim: ['somente_resumo', 'ciencia_registrada', 'nao-liberada-ainda', '137', 'again'],
  },
  'the holder is nobody on the note (640)': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'sem-permissao', cStat: '640', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['nao_autorizado', null, 'sem-permissao', '640'],
  },
  'the note is cancelled (653)': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'cancelada', cStat: '653', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['cancelada', null, 'cancelada', '653'],
  },
  'the key is not one for the authority (618)': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'chave-invalida', cStat: '618', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['chave_invalida', null, 'chave-invalida', '618'],
  },
  'any other code is an error': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'recusada', cStat: '593', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['erro', null, 'recusada', '593'],
  },
  'the service is paused (108), which passes': {
    dias: 3,
    respostas: { consulta: [{ tipo: 'recusada', cStat: '108', xMotivo: '' }] },
    passos: 'consultar',
    fim: ['erro', null, 'recusada', '108', 'again'],
  },
  'no answer': {
    dias: 3,
    respostas: { consulta: [falha] },
    passos: 'consultar',
    fim: ['erro', null, 'falha', '', 'again'],
  },
  'a registered Ciência is told even where all that follows fails': {
    dias: 3,
    respostas: { consulta: [resumo(3), falha], ciencia: [evento('135')] },
    passos: 'consultar, ciencia, consultar',
    fim: ['erro', 'ciencia_registrada', 'falha', '', 'again'],
  },
}

/** 656 at each point of a call, and calls that were interrupted. */
const limitedRows: Record<string, Row> = {
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

const rows = { ...flowRows, ...answerRows, ...limitedRows }

for (const [regra, { dias, start, respostas, passos, fim }] of Object.entries(rows))
  test(regra, () => {
    const { passos: taken, andamento, desfecho } = walk(comeco(dias, start), respostas)
    assert.equal(taken.join(', '), passos)
    const [status, manifestacao, motivo, cstat, again] = fim
    assert.deepEqual(
      { ...desfecho, cstat: cstatDe(andamento, desfecho) },
      { tipo: 'responder', status, manifestacao, motivo, mayRetry: again !== undefined, cstat },
    )
  })

test('the table reaches every status and every value of manifestacao', () => {
  const reached = new Set<string | null>(
    Object.values(rows).flatMap(({ fim: [status, valor] }) => [status, valor]),
  )
  const events = ['ciencia', 'confirmacao'].flatMap((e) =>
    ['registrada', 'ja_registrada', 'rejeitada', 'erro', 'nao_suportada'].map((s) => `${e}_${s}`),
  )
  const all =
    'ok somente_resumo nao_autorizado nao_encontrado fora_prazo chave_invalida erro cancelada'.split(' ')
  for (const valor of [...all, ...events, 'ciencia_fora_prazo', null])
    assert.ok(reached.has(valor), `${valor}`)
})
