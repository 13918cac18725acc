import {
  flag,
  integer,
  oneOf,
  optional,
  optionalInteger,
  optionalOneOf,
  publicAddress,
  type Setting,
  serviceAddress,
  text,
  trustedProxies,
  ufList,
} from './setting.ts'

const essencial = {
  AUTHORITIES: oneOf(['simulator', 'live'], 'simulator', {
    meaning: 'Quem responde: o simulador desta máquina (simulator) ou os órgãos de verdade (live)',
  }),
  A1_FILE: optional({
    secret: false,
    meaning:
      'Arquivo .pfx ou .p12 do certificado A1 com que o serviço consulta as SEFAZ no modo live; confira com "fiscal certificados operador"',
  }),
  A1_PASSWORD: optional({
    secret: true,
    meaning: 'Senha do certificado A1; sem ela, a senha é vazia. Entre aspas simples se tiver # ou espaços',
  }),
  DATA_DIR: text('dados', { meaning: 'Pasta dos dados: banco embutido, base CNPJ, segredo do servidor' }),
  SERVER_SECRET: optional({
    secret: true,
    pattern: /^.{32,}$/,
    expected: 'pelo menos 32 caracteres',
    meaning:
      'Segredo que cifra as chaves de API guardadas; sem ele, um é criado na pasta de dados. Com vários nós, o mesmo em todos',
  }),
  CADASTRO: optionalOneOf(['aberto', 'convite', 'fechado'], {
    standard: 'aberto no modo simulator e fechado no modo live',
    meaning:
      'Quem pode criar uma conta pela página ou pela API: qualquer pessoa (aberto), quem tem um código de "fiscal contas convidar" (convite) ou ninguém (fechado)',
  }),
} as const satisfies Record<string, Setting<unknown>>

const endereco = {
  PUBLIC_URL: publicAddress({
    meaning:
      'Endereço em que os clientes alcançam o serviço, com o prefixo do caminho se um proxy acrescenta um; nunca é tirado do cabeçalho Host',
    without: 'a documentação se refere ao endereço em que for aberta',
  }),
  TRUST_PROXY: trustedProxies({
    meaning:
      'Em que proxies acreditar quanto ao endereço do cliente (X-Forwarded-For): quantos há entre o cliente e o serviço, ou os endereços deles; 0 não acredita em nenhum. Com um número, só os proxies podem alcançar a porta do serviço',
  }),
  HOST: text('127.0.0.1', { meaning: 'Endereço em que o serviço escuta; 0.0.0.0 aceita conexões de fora' }),
  PORT: integer(8080, { min: 0, max: 65535, meaning: 'Porta em que o serviço escuta; 0 escolhe uma livre' }),
  SMTP_URL: optional({
    secret: true,
    pattern: /^smtps?:\/\/\S+$/,
    expected: 'um endereço como smtps://usuario:senha@smtp.exemplo.com.br:465',
    meaning:
      'Servidor por onde saem as cartas (confirmação de e-mail, troca de senha); sem ele, a senha é trocada com "fiscal contas senha". O modo live com CADASTRO=aberto não inicia sem ele, nem sem PUBLIC_URL',
  }),
  SMTP_FROM: text('Consulta Fiscal <nao-responda@localhost>', {
    pattern: /^(?:[^<>\r\n"]* )?<?[^\s<>@]+@[^\s<>@]+>?$/,
    expected: 'um e-mail, ou Nome <e-mail>',
    meaning: 'Remetente das cartas',
  }),
  CONTATO: optional({
    secret: false,
    pattern: /^\S.{2,98}\S$/,
    expected: 'de 4 a 100 letras, como suporte@exemplo.com.br ou (51) 3333-0000',
    meaning:
      'Como um cliente fala com quem opera o serviço; aparece no rodapé das páginas e ao recuperar a senha',
  }),
  METRICS_PORT: optionalInteger({
    min: 0,
    max: 65535,
    meaning:
      'Porta em que os números do serviço são lidos por um Prometheus (docs/operations/metrics.md); 0 escolhe uma livre',
    without: 'eles não são contados',
  }),
  METRICS_HOST: text('127.0.0.1', {
    meaning:
      'Endereço em que os números do serviço são lidos, sem chave: 0.0.0.0 os mostra a quem alcança a porta',
  }),
} as const satisfies Record<string, Setting<unknown>>

const dados = {
  DATABASE_URL: optional({
    secret: true,
    pattern: /^postgres(ql)?:\/\/.+/,
    expected: 'postgres://usuario:senha@servidor:5432/banco',
    meaning:
      'PostgreSQL a usar no lugar do banco embutido (SQLite na pasta de dados); com vários servidores (a:5432,b:5432), o que aceita gravações',
  }),
  DATABASE_CONNECTIONS: integer(11, {
    min: 3,
    max: 500,
    meaning:
      'Quantas conexões este nó abre no PostgreSQL, com a do livro de créditos; a soma dos nós tem de caber em max_connections',
  }),
  BOOTSTRAP_API_KEY: optional({
    secret: true,
    pattern: /^[A-Za-z0-9_-]{16,200}$/,
    expected:
      'de 16 a 200 letras sem acento, dígitos, _ ou -; de preferência uma chave feita por "fiscal contas chave-nova"',
    meaning: 'Chave de API da conta inicial; sem ela, no modo simulator, uma é sorteada',
  }),
  CNPJ_MASK_CPF: flag(true, {
    meaning: 'Mascarar, na base CNPJ, o CPF que faz parte da razão social de empresários individuais',
  }),
  CNPJ_WEBDAV_URL: text('https://arquivos.receitafederal.gov.br/public.php/webdav/', {
    pattern: /^https?:\/\/.+/,
    expected: 'um endereço http(s)',
    meaning: 'De onde "fiscal cnpj baixar" baixa os arquivos da Receita Federal',
  }),
  CNPJ_WEBDAV_TOKEN: text('YggdBLfdninEJX9', {
    meaning:
      'Identificador do compartilhamento público da Receita Federal (já mudou em 2026; pode mudar de novo)',
  }),
  ICP_BRASIL_CA_FILE: optional({
    secret: false,
    meaning:
      'Arquivo PEM com as autoridades da ICP-Brasil, gravado por "fiscal certificados cadeia"; sem ele, icp-brasil.pem na pasta de dados, se existir',
  }),
  REJEICOES_FILE: optional({
    secret: false,
    meaning:
      'Arquivo JSON do catálogo de rejeições, no lugar do que vem com o serviço (data/rejeicoes.json); é lido de novo quando muda',
  }),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug'], 'info', {
    meaning: 'O que vai para o registro (log): uma linha JSON por requisição em info',
  }),
} as const satisfies Record<string, Setting<unknown>>

const fontes = {
  SEFAZ_AMBIENTE: oneOf(['producao', 'homologacao'], 'producao', {
    meaning: 'Ambiente das SEFAZ a consultar: o de produção ou o de homologação (testes)',
  }),
  SEFAZ_MONITOR: oneOf(['ligado', 'desligado'], 'ligado', {
    meaning:
      'Se este serviço pergunta às SEFAZ, de tempos em tempos, se estão no ar: ligado ou desligado (então /api/v1/sefaz/status responde MONITOR_INDISPONIVEL)',
  }),
  SERPRO_KEY: optional({
    secret: true,
    pattern: /^[\x21-\x39\x3b-\x7e]+$/,
    expected: 'o Consumer Key do contrato, sem espaços nem dois-pontos',
    meaning:
      'Consumer Key do contrato de APIs do SERPRO (Consulta CND e Consulta CNPJ); sem ele, no modo live, o contrato não é usado',
  }),
  SERPRO_SECRET: optional({
    secret: true,
    pattern: /^[\x21-\x7e]+$/,
    expected: 'o Consumer Secret do contrato, sem espaços',
    meaning: 'Consumer Secret do contrato de APIs do SERPRO',
  }),
  SERPRO_TAG: optional({
    secret: false,
    pattern: /^[A-Za-z0-9_.-]{1,32}$/,
    expected: 'de 1 a 32 letras sem acento, dígitos, ponto, _ ou -',
    meaning: 'Etiqueta que o SERPRO mostra na fatura de cada consulta (X-Request-Tag)',
  }),
  CND_FEDERAL_ROTAS: oneOf(['contrato,portal', 'portal,contrato', 'contrato', 'portal'], 'contrato,portal', {
    meaning:
      'Por onde a certidão federal é pedida, na ordem de preferência: o contrato de API do SERPRO (contrato) e a página pública da Receita Federal (portal), a única que renova e emite outra',
  }),
  CND_FEDERAL_VERSAO: oneOf(['v1', 'v2'], 'v1', { meaning: 'Versão da API Consulta CND do contrato' }),
  CAPTCHA_WEBHOOK_URL: serviceAddress({
    meaning:
      'Serviço do operador que resolve os captchas das páginas consultadas (docs/operations/captchas.md); sem ele, no modo live, ninguém os resolve',
  }),
  CAPTCHA_WEBHOOK_TOKEN: optional({
    secret: true,
    pattern: /^[\x21-\x7e]+$/,
    expected: 'letras sem acento, dígitos e sinais, sem espaços',
    meaning: 'O que vai no cabeçalho Authorization: Bearer do serviço de captcha',
  }),
  CAPTCHA_UFS: ufList({
    meaning:
      'Onde o serviço de captcha pode ser usado: siglas de estados e BR (o portal nacional da NF-e, que só vale se nomeado), separadas por vírgulas; todas são os 27 estados, sem BR: todas,BR inclui os dois. Leia antes os termos de uso de cada página',
  }),
  CCC: optionalOneOf(['nenhum', 'descoberta'], {
    standard: 'nenhum no modo live e descoberta no modo simulator',
    meaning:
      'Se o cadastro nacional (CCC, na página da SEFAZ-BA) é perguntado pelas inscrições de um CNPJ quando um estado não pode ser consultado (descoberta) ou nunca (nenhum); confira antes com "fiscal fontes verificar BR"',
  }),
  SIGEF: oneOf(['ligado', 'desligado'], 'ligado', { meaning: 'Se a consulta ao SIGEF existe neste serviço' }),
  SIGEF_WFS: flag(true, {
    meaning:
      'Perguntar ao acervo fundiário aberto do INCRA (WFS) a data de certificação de cada parcela achada; sem ele, o campo fica vazio',
  }),
  CNIR_URL: serviceAddress({
    meaning:
      'Conector do operador que responde pelos imóveis rurais do CNIR (docs/cnir-connector.md); sem ele, no modo live, a consulta responde SITE_INDISPONIVEL',
  }),
  CNIR_SECRET: optional({
    secret: true,
    pattern: /^.{32,}$/,
    expected: 'pelo menos 32 caracteres',
    meaning: 'Segredo com que cada pergunta ao conector do CNIR é assinada (HMAC-SHA256)',
  }),
  NFE_CIENCIA_DIAS: integer(10, {
    min: 1,
    max: 365,
    meaning: 'Dias, desde a autorização da nota, em que a SEFAZ aceita a Ciência da Operação',
  }),
  NFE_CONFIRMACAO_DIAS: integer(180, {
    min: 1,
    max: 365,
    meaning:
      'Dias, desde a autorização da nota, em que ainda se registra a Confirmação da Operação (a SEFAZ aceita 90 desde 01/06/2026; a recusa dela é tratada qualquer que seja o valor)',
  }),
  SIMULATOR_URL: optional({
    secret: false,
    pattern: /^http:\/\/.+/,
    expected: 'um endereço como http://127.0.0.1:7000',
    meaning: 'Simulador já em execução a usar no modo simulator; sem ele, o serviço inicia o seu',
  }),
} as const satisfies Record<string, Setting<unknown>>

const prazos = {
  IE_SECONDS: integer(20, {
    min: 1,
    max: 120,
    meaning: 'Quanto esperar pela resposta de um estado na consulta de inscrição estadual',
  }),
  CND_SECONDS: integer(45, {
    min: 1,
    max: 300,
    meaning: 'Quanto esperar pela resposta de um estado na consulta de certidão (CND)',
  }),
  IE_TODOS_SECONDS: integer(25, {
    min: 1,
    max: 300,
    meaning: 'Quanto pode durar a consulta de inscrição estadual em todos os estados',
  }),
  CND_TODOS_SECONDS: integer(60, {
    min: 1,
    max: 600,
    meaning: 'Quanto pode durar a consulta de certidão (CND) em todos os estados',
  }),
  CND_FEDERAL_SECONDS: integer(60, {
    min: 5,
    max: 300,
    meaning:
      'Quanto uma consulta espera pela certidão federal; depois disso a emissão continua e a resposta é EM_PROCESSAMENTO',
  }),
  CNPJ_SECONDS: integer(30, {
    min: 1,
    max: 120,
    meaning: 'Quanto esperar pela consulta de CNPJ ao vivo (force_fresh)',
  }),
  CNIR_SECONDS: integer(30, { min: 1, max: 120, meaning: 'Quanto esperar pelo conector do CNIR' }),
  SIGEF_SECONDS: integer(120, {
    min: 5,
    max: 600,
    meaning:
      'Quanto uma consulta espera pelo SIGEF; depois disso a busca continua, e a próxima consulta a encontra',
  }),
  NFE_SECONDS: integer(60, {
    min: 5,
    max: 600,
    meaning:
      'Quanto pode durar a consulta do XML de uma NF-e, com a manifestação e o download no portal nacional',
  }),
  SEFAZ_SECONDS: integer(120, {
    min: 30,
    max: 3600,
    meaning:
      'De quanto em quanto tempo cada autorizador é perguntado. O padrão é o da especificação; as SEFAZ pedem 3 minutos (180) ou mais entre consultas automáticas de um mesmo cliente, "sob pena de bloqueio", e um bloqueio alonga o intervalo sozinho',
  }),
  // NFE_SECONDS and the 15 that an answer may take after it. A call that is cut may have registered an event
  // and tell nobody.
  SHUTDOWN_SECONDS: integer(75, {
    min: 1,
    max: 900,
    meaning:
      'Quanto esperar, ao encerrar, pelas requisições em andamento; menos de NFE_SECONDS mais 15 pode cortar uma consulta depois de um evento registrado',
  }),
  DRAIN_SECONDS: integer(0, {
    min: 0,
    max: 60,
    meaning:
      'Quanto continuar, ao encerrar, a atender chamadas novas enquanto /ready já responde 503: o tempo de um proxy que pergunta /ready passar a outro nó. Soma-se a SHUTDOWN_SECONDS',
  }),
} as const satisfies Record<string, Setting<unknown>>

const cli = {
  FISCAL_ENDERECO: optional({
    secret: false,
    pattern: /^(?:https?:\/\/)?(?:\[[\da-f:]+\]|[^\s/?#@:]+)(?::\d+)?(?:\/\S*)?$/i,
    expected: 'um endereço como https://fiscal.exemplo.com.br',
    meaning:
      'Serviço que "fiscal mcp" e "fiscal consultar" perguntam, nesta máquina ou em outra; sem ele, o desta máquina, na porta PORT',
  }),
  FISCAL_CHAVE: optional({
    secret: true,
    // Quotes, spaces and a mask are told by whoever reads it.
    pattern: /^[\P{L}A-Za-z]+$/u,
    expected: 'a chave de API, como fk_ e 38 letras e dígitos',
    meaning: 'Chave de API com que "fiscal mcp" e "fiscal consultar" perguntam: a conta dela paga',
  }),
  FISCAL_CERTIFICADO: optional({
    secret: false,
    meaning:
      'Arquivo A1 (.pfx ou .p12) com que "fiscal mcp" e "fiscal consultar nfe-xml" consultam o XML de notas; sem ele, o primeiro não tem essa ferramenta, e o segundo pede --certificado. Nada tem com A1_FILE, que é do serviço',
  }),
  FISCAL_CERTIFICADO_SENHA: optional({
    secret: true,
    meaning: 'Senha do certificado; sem ela, "fiscal mcp" usa a vazia, e "fiscal consultar" a pergunta',
  }),
} as const satisfies Record<string, Setting<unknown>>

/** All settings, in the sections and the order in which an operator reads them. */
export const sections = [
  { title: 'Essencial', about: 'o que se decide antes de entrar em produção', settings: essencial },
  {
    title: 'Endereço',
    about: 'onde o serviço escuta, e como os clientes e as cartas o alcançam',
    settings: endereco,
  },
  { title: 'Dados', about: 'o que ele guarda, lê e registra', settings: dados },
  { title: 'Fontes', about: 'a quem ele pergunta, e por onde', settings: fontes },
  { title: 'Prazos', about: 'em segundos; quem não os muda tem os que servem', settings: prazos },
  {
    title: 'CLI',
    about: 'para "fiscal consultar" e "fiscal mcp", que perguntam como um cliente',
    settings: cli,
  },
] as const

export const settings = { ...essencial, ...endereco, ...dados, ...fontes, ...prazos, ...cli }

type Settings = typeof settings

export type Config = { [K in keyof Settings]: ReturnType<Settings[K]['parse']> }
