import type { ErrorCode } from '../../domain/errors.ts'
import type { Explained } from './explained.ts'

/** The codes of who asks: the key, the plan and its credits. */
export const ofAccounts = {
  NAO_AUTENTICADO: {
    meaning:
      'Não veio a chave de API, ou ela não vale: está incompleta, foi revogada ou não existe. Uma chave na URL também é recusada.',
    action:
      'Envie a chave da conta no cabeçalho `X-API-Key`, e em nenhum outro lugar. Se a chave foi trocada, atualize-a em todos os programas que a usam.',
  },
  CONTA_BLOQUEADA: {
    meaning: 'O operador do serviço bloqueou a conta; `detail` diz o motivo. Nada foi consultado.',
    action: 'Fale com o operador. Desfeito o bloqueio, a mesma chave volta a valer em segundos.',
  },
  LIMITE_ATINGIDO: {
    meaning:
      'Os créditos que restam, da cota do mês e extras, não pagam a consulta. `required` diz quanto ela pode custar e `remaining` quanto a conta tem.',
    action: 'Compre créditos extras, mude de plano, ou espere a cota do mês.',
    repeat: '`resets_at` diz quando a cota do mês renova; com mais créditos, a mesma requisição vale logo.',
  },
  LIMITE_PLANO: {
    meaning:
      'Os créditos que restam, da cota do mês e extras, não pagam o XML da nota. `required` diz quanto ele pode custar e `remaining` quanto a conta tem.',
    action:
      'Compre créditos extras, mude de plano, ou espere a cota do mês. Nenhum evento foi registrado na SEFAZ.',
    repeat: '`resets_at` diz quando a cota do mês renova; com mais créditos, a mesma requisição vale logo.',
  },
  RATE_LIMIT: {
    meaning:
      'Vieram mais requisições em um minuto do que o plano permite, ou certificados demais da mesma conta ao mesmo tempo, ou chaves de API erradas demais de um mesmo endereço.',
    action:
      'Espere os segundos de `Retry-After` e espalhe as consultas: os cabeçalhos `RateLimit` dizem, em cada resposta, quantas ainda cabem.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'Vieram mais requisições em um minuto do que o plano permite, ou chaves de API erradas demais de um mesmo endereço.',
    action:
      'Espere os segundos de `Retry-After` e espalhe as consultas: os cabeçalhos `RateLimit` dizem, em cada resposta, quantas ainda cabem.',
  },
} satisfies Partial<Record<ErrorCode, Explained>>
