import type { ErrorCode } from '../platform/errors.ts'
import type { Explained } from './explained.ts'

/** The codes of what was looked for and of whoever was asked: the request was good. */
export const ofServices = {
  CNPJ_NAO_ENCONTRADO: {
    meaning:
      'O CNPJ pode existir, mas a base consultada não o tem. A base mensal da Receita Federal se atrasa até um mês: uma empresa nova ainda não está nela.',
    action:
      'Confira o número. Se a empresa é recente, consulte ao vivo, com `force_fresh=true`, onde houver.',
  },
  REJEICAO_NAO_ENCONTRADA: {
    meaning: 'O catálogo não tem rejeição da NF-e com este código.',
    action: 'Confira o código na mensagem da SEFAZ, ou procure-o na lista pelo texto do motivo.',
  },
  SITE_INDISPONIVEL: {
    meaning:
      'O órgão não pôde ser consultado: está fora do ar, não respondeu a tempo, recusou a conexão ou está fora do horário. Também vem quando a consulta não é atendida por este caminho, como a de um CPF em um estado que só aceita CNPJ.',
    action:
      '`detail` diz o que houve e com quem. Deixe a consulta em uma fila e repita-a; `GET /api/v1/fontes` mostra como cada órgão vem respondendo. Não conclua nada sobre o contribuinte.',
    repeat:
      'Exceção: quando `retryable` é false, repetir não adianta, porque o órgão não atende este tipo de documento, pede um captcha que ninguém resolve aqui, ou ainda não está ligado neste serviço.',
  },
  PROCESSAMENTO_FALHOU: {
    meaning:
      'O órgão respondeu algo que não se pôde entender: a página mudou, o documento é de outro contribuinte, ou a mensagem é desconhecida. É melhor nenhuma resposta do que uma errada.',
    action:
      'Consulte no site do órgão, se houver pressa, e informe o `request_id` ao operador: em geral é o programa que precisa acompanhar a mudança.',
    repeat: 'Exceção: quando `retryable` é true, a falha pode passar sozinha.',
  },
  RF_LIVE_ERROR: {
    meaning: 'A consulta ao vivo à Receita Federal falhou desta vez (`force_fresh=true`).',
    action: 'Repita em instantes ou, se o dado do mês serve, consulte sem `force_fresh`.',
  },
  TODAS_FONTES_FALHARAM: {
    meaning:
      'Nenhuma das fontes do perfil respondeu. Não quer dizer que o produtor não tem cadastro: quer dizer que não se sabe.',
    action: 'Repita mais tarde, ou consulte cada parte por si: inscrição estadual, certidão e CNPJ.',
    repeat: 'Exceção: quando `retryable` é false, nenhuma das falhas passa sozinha.',
  },
  MONITOR_INDISPONIVEL: {
    meaning: 'Não há leitura recente da situação das SEFAZ.',
    action: 'Repita depois da próxima leitura. Até lá, não tome a SEFAZ por parada nem por normal.',
  },
  REJEICOES_INDISPONIVEL: {
    meaning: 'O catálogo de rejeições não pode ser consultado agora.',
    action: 'Repita em instantes; se persistir, informe o `request_id` ao operador.',
  },
  BANCO_INDISPONIVEL: {
    meaning:
      'O banco de dados deste serviço não respondeu, ou não aceita gravações: uma parada, que passa sozinha ou com o operador. Nada foi cobrado.',
    action:
      'Repita com a mesma requisição; no XML da NF-e, com a mesma `Idempotency-Key`. Não conclua nada sobre o contribuinte.',
  },
  ERRO_INTERNO: {
    meaning: 'Algo inesperado aconteceu neste serviço, e não no que foi enviado.',
    action: 'Repita uma vez; se persistir, informe o `request_id` ao operador, que o acha no registro.',
  },
} satisfies Partial<Record<ErrorCode, Explained>>
