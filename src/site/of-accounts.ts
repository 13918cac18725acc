import type { ErrorCode } from '../platform/errors.ts'
import type { Explained } from './explained.ts'

/** The codes of who asks: the key, the plan and its credits. */
export const ofAccounts = {
  NAO_AUTENTICADO: {
    meaning:
      'Não veio a chave de API nem o token de um login, ou o que veio não vale: está incompleto, venceu, foi revogado ou encerrado, ou não existe. Na URL, os dois são recusados, e a chave também em `Authorization`. `detail` diz qual foi o caso.',
    action:
      'Envie a chave da conta no cabeçalho `X-API-Key`, ou o token em `Authorization: Bearer`, e em nenhum outro lugar. Se a chave foi trocada, atualize-a em todos os programas que a usam; se o token venceu, entre de novo.',
  },
  CREDENCIAIS_INVALIDAS: {
    meaning: 'Não há conta com esse e-mail e essa senha. A resposta é a mesma quando o e-mail não existe.',
    action: 'Confira o e-mail e a senha. Se esqueceu a senha, troque-a em `/recuperar-senha/`.',
  },
  SENHA_FRACA: {
    meaning: 'A senha escolhida tem menos de 10 caracteres, ou é uma das mais usadas.',
    action: 'Escolha outra: algumas palavras juntas são fáceis de lembrar e difíceis de adivinhar.',
  },
  CADASTRO_FECHADO: {
    meaning: 'O operador deste serviço não abriu o cadastro, ou o código do convite não vale mais.',
    action: 'Peça ao operador uma conta ou um convite.',
  },
  EMAIL_JA_CADASTRADO: {
    meaning: 'Já existe uma conta com esse e-mail.',
    action: 'Entre com ela. Se esqueceu a senha, troque-a em `/recuperar-senha/`.',
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
      'Vieram mais requisições em um minuto do que o plano permite, chaves de API e tokens errados demais de um mesmo endereço, ou tentativas demais de entrar, de se cadastrar ou de receber e-mails.',
    action:
      'Espere os segundos de `Retry-After` e espalhe as consultas: os cabeçalhos `RateLimit` dizem, em cada resposta, quantas ainda cabem.',
  },
} satisfies Partial<Record<ErrorCode, Explained>>
