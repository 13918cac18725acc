/* Gerado do OpenAPI por gerar.ts: npm run gerar -w clients/typescript. */
export const operacoes = {
  /**
   * Inscrição estadual. **Custo.** 1 crédito, também quando o estado responde
   * que não há nenhuma.
   */
  consultar: {"id":"consultar","nome":"Inscrição estadual","verbo":"GET","caminho":"/api/consultar"},
  /**
   * Inscrição em todos os estados. **Custo.** 1 crédito por estado que
   * respondeu, também quando ele diz que não há inscrição; 27 são reservados
   * durante a consulta.
   */
  consultarIeTodos: {"id":"consultar-ie-todos","nome":"Inscrição em todos os estados","verbo":"GET","caminho":"/api/consultar-ie-todos","eventos":"EventosConsultarIeTodos","parte":"uf"},
  /**
   * Certidão estadual. **Custo.** 1 crédito, também quando a secretaria responde
   * que não há certidão ou inscrição.
   */
  consultarCnd: {"id":"consultar-cnd","nome":"Certidão estadual","verbo":"GET","caminho":"/api/consultar-cnd"},
  /**
   * Certidão em todos os estados. **Custo.** 1 crédito por estado que respondeu;
   * 27 são reservados durante a consulta.
   */
  consultarCndTodos: {"id":"consultar-cnd-todos","nome":"Certidão em todos os estados","verbo":"GET","caminho":"/api/consultar-cnd-todos","eventos":"EventosConsultarCndTodos","parte":"uf"},
  /**
   * Certidão federal. **Custo.** 1 crédito por certidão entregue, guardada ou
   * nova. `positiva` sem PDF, `nao_contribuinte` e `erro` não custam nada, e
   * valem por 1 hora, também com `emitir_nova=true`.
   */
  consultarCndFederal: {"id":"consultar-cnd-federal","nome":"Certidão federal","verbo":"GET","caminho":"/api/consultar-cnd-federal"},
  /**
   * Empresa (CNPJ). **Custo.** 1 crédito; 3 ao vivo. Um CNPJ que não é
   * encontrado não custa nada.
   */
  consultarCnpj: {"id":"consultar-cnpj","nome":"Empresa (CNPJ)","verbo":"GET","caminho":"/api/consultar-cnpj"},
  /**
   * Imóveis rurais (CNIR). **Custo.** 1 crédito, também quando não há nenhum
   * imóvel. Falhas vêm com HTTP 200, em `source_status`, e não custam nada.
   */
  consultarCnir: {"id":"consultar-cnir","nome":"Imóveis rurais (CNIR)","verbo":"GET","caminho":"/api/consultar-cnir"},
  /**
   * Produtor rural. **Custo.** A soma das seções; uma seção `null` não custa
   * nada, como a das inscrições de quem não tem nenhuma. `receita_federal` custa
   * 1 crédito, e cada uma das outras 1 por estado que respondeu. São reservados
   * 55 durante a consulta (54 por CPF).
   */
  perfilProdutor: {"id":"perfil-produtor","nome":"Produtor rural","verbo":"GET","caminho":"/api/perfil-produtor","eventos":"EventosPerfilProdutor","parte":"secao"},
  /**
   * Parcelas (SIGEF). **Custo.** 1 crédito, também quando o SIGEF responde que
   * não há nenhuma. Falhas não custam nada.
   */
  consultarSigef: {"id":"consultar-sigef","nome":"Parcelas (SIGEF)","verbo":"GET","caminho":"/api/consultar-sigef"},
  /**
   * XML da NF-e. **Custo.** 3 créditos quando o XML vem (1 na conta de preço
   * negociado), e nada quando não vem.
   */
  consultarNfeXml: {"id":"consultar-nfe-xml","nome":"XML da NF-e","verbo":"POST","caminho":"/api/consultar-nfe-xml","idempotente":true},
  /**
   * Base do CNPJ. Não custa créditos.
   */
  baseCnpj: {"id":"base-cnpj","nome":"Base do CNPJ","verbo":"GET","caminho":"/api/v1/base-cnpj"},
  /**
   * Fontes. Não custa créditos.
   */
  fontes: {"id":"fontes","nome":"Fontes","verbo":"GET","caminho":"/api/v1/fontes"},
  /**
   * Conta. Não custa créditos.
   */
  conta: {"id":"conta","nome":"Conta","verbo":"GET","caminho":"/api/v1/conta"},
  /**
   * Cadastro. Não custa créditos.
   */
  authRegistrar: {"id":"registrar","nome":"Cadastro","verbo":"POST","caminho":"/api/v1/auth/registrar","publica":true},
  /**
   * Login. Não custa créditos.
   */
  authLogin: {"id":"login","nome":"Login","verbo":"POST","caminho":"/api/v1/auth/login","publica":true},
  /**
   * Sair. Não custa créditos.
   */
  authSair: {"id":"sair","nome":"Sair","verbo":"POST","caminho":"/api/v1/auth/sair"},
  /**
   * Situação das SEFAZ. Não custa créditos.
   */
  sefazStatus: {"id":"status","nome":"Situação das SEFAZ","verbo":"GET","caminho":"/api/v1/sefaz/status","eventos":"EventosSefazStatus"},
  /**
   * Histórico das SEFAZ. Não custa créditos.
   */
  sefazHistorico: {"id":"historico","nome":"Histórico das SEFAZ","verbo":"GET","caminho":"/api/v1/sefaz/historico"},
  /**
   * Ambiente Nacional. Não custa créditos.
   */
  sefazAmbienteNacional: {"id":"ambiente-nacional","nome":"Ambiente Nacional","verbo":"GET","caminho":"/api/v1/sefaz/ambiente-nacional"},
  /**
   * Rejeições da NF-e. Não custa créditos.
   */
  rejeicoes: {"id":"rejeicoes","nome":"Rejeições da NF-e","verbo":"GET","caminho":"/api/v1/rejeicoes"},
  /**
   * Rejeição por código. Não custa créditos.
   */
  rejeicao: {"id":"rejeicao","nome":"Rejeição por código","verbo":"GET","caminho":"/api/v1/rejeicoes/{codigo}"},
  /**
   * Rejeições da NF-e, sem chave. Não custa créditos.
   */
  rejeicoesPublicas: {"id":"rejeicoes-publicas","nome":"Rejeições da NF-e, sem chave","verbo":"GET","caminho":"/api/v1/public/rejeicoes","publica":true},
  /**
   * Diagnóstico de nota. **Custo.** Com `cadastros`, 1 crédito por consulta que
   * o estado respondeu, 4 no máximo: emitente e destinatário, cada um pelo
   * documento e, se a IE da nota não aparecer, também pela IE. Sem ele, nada. O
   * máximo é reservado; `maximo_creditos` o diminui.
   */
  diagnosticar: {"id":"diagnosticar","nome":"Diagnóstico de nota","verbo":"POST","caminho":"/api/v1/rejeicoes/diagnosticar","xml":"xml"},
} as const
