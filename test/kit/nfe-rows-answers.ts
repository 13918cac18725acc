import { DELE, EC, NAO, type Row } from './nfe-row.ts'
import {
  doEmitente,
  evento,
  falha,
  foraDoPrazo,
  indisponivel,
  limitada,
  nega,
  resumo,
  semSaida,
  xml,
} from './nfe-steps.ts'

const naoAchada = { tipo: 'nao-encontrada', cStat: '137', xMotivo: 'Nenhum documento localizado' } as const

const semPermissao = { tipo: 'sem-permissao', cStat: '640', xMotivo: 'Rejeicao: sem permissao' } as const

/** The other answers of the national environment, and holders that cannot or may not sign. */
export const answerRows: Record<string, Row> = {
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
