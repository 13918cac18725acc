import type { SourceCode } from '../platform/errors.ts'
import type { Explained } from './explained.ts'

/** The codes that come in `source_status` alone, with HTTP 200 (specification, the second table). */
export const ofSources: Record<SourceCode, Explained> = {
  EM_PROCESSAMENTO: {
    meaning: 'A certidão federal ainda está sendo emitida, e a emissão continua depois desta resposta.',
    action:
      'Consulte de novo depois dos segundos de `Retry-After`: a certidão que ficar pronta é entregue, sem que outra seja emitida.',
  },
  PROVIDER_ERROR: {
    meaning: 'A Receita Federal não concluiu a emissão da certidão agora.',
    action:
      'Repita em alguns minutos. Se a mensagem diz até quando vale a certidão que existe, ela ainda serve: consulte sem `emitir_nova`.',
  },
  CNPJ_INVALIDO: {
    meaning: 'O CNPJ não pode existir: o tamanho ou o dígito verificador está errado.',
    action:
      'Confira o número: `error_message` diz se é o dígito verificador que não confere, ou o formato. São 14 caracteres, sem máscara.',
  },
  CPF_INVALIDO: {
    meaning: 'O CPF não pode existir: o tamanho ou o dígito verificador está errado.',
    action: 'Confira o número. A certidão federal, porém, só é consultada por CNPJ.',
  },
  SIGEF_DISABLED: {
    meaning: 'O operador deste serviço desligou a consulta ao SIGEF.',
    action: 'Peça ao operador que a ligue, ou consulte no site do INCRA.',
  },
  SIGEF_NO_SESSION: {
    meaning: 'Este serviço ainda não tem sessão aberta no SIGEF.',
    action: 'Repita em instantes; se persistir, informe o operador.',
  },
  SIGEF_HTTP_ERROR: {
    meaning: 'O SIGEF respondeu com um erro HTTP, em geral porque a sessão deixou de valer.',
    action: 'Repita em instantes; se persistir, o SIGEF está com problemas.',
  },
  SIGEF_NETWORK_ERROR: {
    meaning: 'Não se conseguiu conexão com o SIGEF.',
    action: 'Repita em instantes; se persistir, o SIGEF está fora do ar.',
  },
  SIGEF_PARSE_FAILED: {
    meaning: 'A página do SIGEF não pôde ser entendida: em geral, porque mudou.',
    action: 'Informe o `request_id` ao operador: é o programa que precisa acompanhar a mudança.',
  },
}
