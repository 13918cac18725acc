/* Gerado do OpenAPI por gerar.ts: npm run gerar -w clients/typescript. */
export const operacoes = {
  /**
   * Inscrição estadual (IE) em um estado. **Custo.** 1 crédito, também quando o
   * estado responde que não há nenhuma.
   */
  consultar: {"id":"consultar","verbo":"GET","caminho":"/api/consultar"},
  /**
   * Inscrição estadual (IE) em todos os estados. **Custo.** 1 crédito por estado
   * que respondeu, também quando ele diz que não há inscrição; 27 são reservados
   * durante a consulta.
   */
  consultarIeTodos: {"id":"consultar-ie-todos","verbo":"GET","caminho":"/api/consultar-ie-todos","eventos":"EventosConsultarIeTodos","parte":"uf"},
  /**
   * Certidão (CND) em um estado. **Custo.** 1 crédito, também quando a
   * secretaria responde que não há certidão ou inscrição.
   */
  consultarCnd: {"id":"consultar-cnd","verbo":"GET","caminho":"/api/consultar-cnd"},
  /**
   * Certidão (CND) em todos os estados. **Custo.** 1 crédito por estado que
   * respondeu; 27 são reservados durante a consulta.
   */
  consultarCndTodos: {"id":"consultar-cnd-todos","verbo":"GET","caminho":"/api/consultar-cnd-todos","eventos":"EventosConsultarCndTodos","parte":"uf"},
  /**
   * Certidão federal (RFB e PGFN). **Custo.** 1 crédito por certidão entregue,
   * guardada ou nova. `positiva` sem PDF, `nao_contribuinte` e `erro` não custam
   * nada, e valem por 1 hora, também com `emitir_nova=true`.
   */
  consultarCndFederal: {"id":"consultar-cnd-federal","verbo":"GET","caminho":"/api/consultar-cnd-federal"},
  /**
   * Cadastro de empresa (CNPJ). **Custo.** 1 crédito; 3 ao vivo. Só o que é
   * entregue é cobrado.
   */
  consultarCnpj: {"id":"consultar-cnpj","verbo":"GET","caminho":"/api/consultar-cnpj"},
  /**
   * Imóveis rurais (CNIR/CAFIR). **Custo.** 1 crédito, também quando não há
   * nenhum imóvel. Falhas vêm com HTTP 200, em `source_status`, e não custam
   * nada.
   */
  consultarCnir: {"id":"consultar-cnir","verbo":"GET","caminho":"/api/consultar-cnir"},
  /**
   * Perfil consolidado do produtor rural. **Custo.** A soma das seções; uma
   * seção null não custa nada. `receita_federal` custa 1 crédito, e cada uma das
   * outras 1 por estado que respondeu. São reservados 55 durante a consulta (54
   * por CPF).
   */
  perfilProdutor: {"id":"perfil-produtor","verbo":"GET","caminho":"/api/perfil-produtor","eventos":"EventosPerfilProdutor","parte":"secao"},
  /**
   * Parcelas georreferenciadas (SIGEF). **Custo.** 1 crédito, também quando o
   * SIGEF responde que não há nenhuma. Falhas não custam nada.
   */
  consultarSigef: {"id":"consultar-sigef","verbo":"GET","caminho":"/api/consultar-sigef"},
  /**
   * XML da NF-e por chave de acesso. **Custo.** 3 créditos quando o XML vem (1
   * na conta de preço negociado), e nada quando não vem.
   */
  consultarNfeXml: {"id":"consultar-nfe-xml","verbo":"POST","caminho":"/api/consultar-nfe-xml","idempotente":true},
  /**
   * Versão da base CNPJ em uso. Não custa créditos.
   */
  baseCnpj: {"id":"base-cnpj","verbo":"GET","caminho":"/api/v1/base-cnpj"},
  /**
   * Fontes: como cada estado é consultado. Não custa créditos.
   */
  fontes: {"id":"fontes","verbo":"GET","caminho":"/api/v1/fontes"},
  /**
   * Conta: plano, limites, créditos e uso do mês. Não custa créditos.
   */
  conta: {"id":"conta","verbo":"GET","caminho":"/api/v1/conta"},
  /**
   * Cadastro: cria uma conta. Não custa créditos.
   */
  authRegistrar: {"id":"registrar","verbo":"POST","caminho":"/api/v1/auth/registrar","publica":true},
  /**
   * Login: e-mail e senha por um token. Não custa créditos.
   */
  authLogin: {"id":"login","verbo":"POST","caminho":"/api/v1/auth/login","publica":true},
  /**
   * Encerra o login. Não custa créditos.
   */
  authSair: {"id":"sair","verbo":"POST","caminho":"/api/v1/auth/sair"},
  /**
   * Situação das SEFAZ agora. Não custa créditos.
   */
  sefazStatus: {"id":"status","verbo":"GET","caminho":"/api/v1/sefaz/status","eventos":"EventosSefazStatus"},
  /**
   * Histórico das SEFAZ. Não custa créditos.
   */
  sefazHistorico: {"id":"historico","verbo":"GET","caminho":"/api/v1/sefaz/historico"},
  /**
   * Ambiente nacional, pelo que encontramos. Não custa créditos.
   */
  sefazAmbienteNacional: {"id":"ambiente-nacional","verbo":"GET","caminho":"/api/v1/sefaz/ambiente-nacional"},
  /**
   * Catálogo de rejeições da NF-e. Não custa créditos.
   */
  rejeicoes: {"id":"rejeicoes","verbo":"GET","caminho":"/api/v1/rejeicoes"},
  /**
   * Uma rejeição: causas, solução, verificações. Não custa créditos.
   */
  rejeicao: {"id":"rejeicao","verbo":"GET","caminho":"/api/v1/rejeicoes/{codigo}"},
  /**
   * Catálogo de rejeições, sem chave. Não custa créditos.
   */
  rejeicoesPublicas: {"id":"rejeicoes-publicas","verbo":"GET","caminho":"/api/v1/public/rejeicoes","publica":true},
  /**
   * Diagnóstico de uma nota recusada. **Custo.** Com `cadastros`, 1 crédito por
   * consulta respondida, até 4: de cada um, uma pelo documento e, só se a IE não
   * estiver entre as dele, outra pela IE. A base CNPJ não custa nada. Se os dois
   * são o mesmo contribuinte, nenhuma é feita duas vezes. O máximo é reservado
   * durante o diagnóstico; `maximo_creditos` o limita.
   */
  diagnosticar: {"id":"diagnosticar","verbo":"POST","caminho":"/api/v1/rejeicoes/diagnosticar","xml":"xml"},
} as const
