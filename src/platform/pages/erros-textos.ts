import { type ErrorCode, errorCodes, type SourceCode, sourceCodes } from '../errors.ts'
import type { RetryS } from '../wire/fonte.ts'
import { type Html, html } from './html.ts'

type Explained = {
  meaning: string
  action: string
  repeat?: string
  /** Set for a refusal that comes before any endpoint is reached, whatever the address. */
  anyAddress?: true
}

const ofRequests = {
  PARAMETRO_AUSENTE: {
    meaning:
      'Falta um parâmetro obrigatório, ou não veio nenhum dos documentos aceitos. Um parâmetro vazio (`cpf=`) conta como não enviado.',
    action:
      '`errors` diz o nome do que falta. Em geral é um campo que está em branco no cadastro: preencha-o antes de consultar.',
  },
  PARAMETRO_CONFLITANTE: {
    meaning: 'Vieram juntos parâmetros que se excluem, como `cpf` e `cnpj`.',
    action: 'Envie só um deles: o do contribuinte que se quer consultar.',
  },
  PARAMETRO_INVALIDO: {
    meaning: 'Um parâmetro tem um valor que a consulta não aceita, ou veio mais de uma vez.',
    action:
      '`errors` diz qual parâmetro e por quê. Sim e não se escrevem `true`, `false`, `1` ou `0`; parâmetros que a consulta não conhece são ignorados na URL.',
  },
  DOCUMENTO_INVALIDO: {
    meaning:
      'O CPF, o CNPJ ou a inscrição estadual não pode existir: o tamanho, o formato ou o dígito verificador está errado. Também vem quando a própria secretaria da fazenda diz que o número é inválido.',
    action:
      '`detail` diz o motivo. Se o dígito verificador não confere, o número foi copiado errado: confira-o com o cliente. Se é o formato, o número vai sem máscara (o CNPJ alfanumérico leva também letras maiúsculas), e “ISENTO” não é inscrição.',
  },
  IE_NAO_SUPORTADO: {
    meaning: 'A consulta a todos os estados não aceita `ie`: uma inscrição estadual é de um estado só.',
    action: 'Consulte a inscrição no estado dela, com `uf` e `ie`, ou envie aqui o CPF ou o CNPJ.',
  },
  UF_NAO_SUPORTADA: {
    meaning: 'O parâmetro `uf` não é a sigla de um dos 26 estados nem do Distrito Federal.',
    action: 'Envie a sigla de duas letras, como `SP`, em maiúsculas ou minúsculas.',
  },
  CHAVE_INVALIDA: {
    meaning: 'A chave de acesso não tem 44 caracteres, descontados espaços e pontos.',
    action:
      'Copie a chave inteira do DANFE ou do XML. Se ela tem 44 caracteres e o dígito verificador está errado, o erro é outro: HTTP 200 com `status` = `chave_invalida`.',
  },
  CERTIFICADO_INVALIDO: {
    meaning:
      'O certificado A1 não serve a esta consulta: não veio, não é um arquivo `.pfx` ou `.p12` em base64, a senha não o abre, está fora da validade, ou não é da empresa do `cnpj` enviado.',
    action:
      '`detail` diz qual dos motivos. Envie o arquivo inteiro em base64 e a senha tal como foi criada. Se venceu, peça outro à certificadora. O certificado e a senha servem a uma consulta só e nunca são guardados.',
  },
  CORPO_INVALIDO: {
    meaning: 'O corpo da requisição não é um objeto JSON que se possa ler, ou não está em UTF-8.',
    action:
      'Monte o corpo com a biblioteca de JSON da sua linguagem, e não juntando textos; codifique-o em UTF-8.',
  },
  CORPO_MUITO_GRANDE: {
    meaning: 'O corpo da requisição passa do tamanho que a consulta aceita; `detail` diz qual é.',
    action:
      'Envie só os campos da consulta. Um certificado A1 tem poucos KiB: se o seu é maior, confira se o arquivo é ele mesmo.',
  },
  TIPO_NAO_SUPORTADO: {
    meaning: 'O corpo da requisição não veio como JSON, ou veio comprimido.',
    action: 'Envie `Content-Type: application/json`, sem `Content-Encoding`.',
  },
  IDEMPOTENCIA_CONFLITANTE: {
    meaning: 'Esta `Idempotency-Key` já foi usada, nas últimas 24 horas, com outro corpo.',
    action:
      'Uma chave é de uma requisição só: para repetir, mande o mesmo corpo; para outra consulta, gere outra chave (um UUID serve).',
  },
  IDEMPOTENCIA_EM_ANDAMENTO: {
    meaning: 'A requisição anterior com esta `Idempotency-Key` ainda não terminou.',
    action:
      'Espere e repita com a mesma chave e o mesmo corpo: a resposta que ficar pronta é entregue uma vez e cobrada uma vez.',
  },
  REQUISICAO_INVALIDA: {
    meaning:
      'O que chegou não é uma requisição HTTP que se possa ler: `%` solto na URL, cabeçalho `Host` ausente ou repetido, bytes que não são HTTP.',
    action: 'Codifique a URL com a função da sua linguagem e confira o proxy que houver no caminho.',
    anyAddress: true,
  },
  ROTA_NAO_ENCONTRADA: {
    meaning: 'Não há nada neste endereço.',
    action:
      '`detail` diz o endereço mais parecido. Confira-o na documentação: barras, maiúsculas e o `/v1` contam.',
    anyAddress: true,
  },
  METODO_NAO_PERMITIDO: {
    meaning: 'O endereço existe, mas não com este método HTTP.',
    action:
      'O cabeçalho `Allow` diz qual vale. Quase todas as consultas são GET; o XML da NF-e e o diagnóstico de nota são POST.',
    anyAddress: true,
  },
  TEMPO_ESGOTADO: {
    meaning: 'A requisição não chegou inteira a tempo: a conexão é lenta ou parou no meio.',
    action: 'Repita. Se persistir, confira a rede, o proxy e se `Content-Length` diz o tamanho certo.',
    anyAddress: true,
  },
  CABECALHOS_MUITO_GRANDES: {
    meaning: 'A URL e os cabeçalhos somam mais do que o servidor aceita; `detail` diz quanto.',
    action: 'Tire os cabeçalhos e cookies que não são desta API.',
    anyAddress: true,
  },
} satisfies Partial<Record<ErrorCode, Explained>>

const ofAccounts = {
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
    action: 'Peça a quem opera o serviço créditos extras ou outro plano, ou espere a cota do mês.',
    repeat: '`resets_at` diz quando a cota do mês renova; com mais créditos, a mesma requisição vale logo.',
  },
  LIMITE_PLANO: {
    meaning:
      'Os créditos que restam, da cota do mês e extras, não pagam o XML da nota. `required` diz quanto ele pode custar e `remaining` quanto a conta tem.',
    action:
      'Peça a quem opera o serviço créditos extras ou outro plano, ou espere a cota do mês. Nenhum evento foi registrado na SEFAZ.',
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

const ofServices = {
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
      '`detail` diz o que houve e com quem. Quando `retryable` é true, deixe a consulta em uma fila e repita-a; `GET /api/v1/fontes` mostra como cada órgão vem respondendo. Não conclua nada sobre o contribuinte.',
    repeat:
      'Quando `retryable` é false, repetir não adianta, porque o órgão não atende este tipo de documento, pede um captcha que ninguém resolve aqui, ou não está ligado neste serviço. Consulte na página do órgão, que `detail` dá onde há uma, ou peça ao operador que o ligue.',
  },
  PROCESSAMENTO_FALHOU: {
    meaning:
      'O órgão respondeu algo que não se pôde entender: a página mudou, o documento é de outro contribuinte, ou a mensagem é desconhecida. É melhor nenhuma resposta do que uma errada.',
    action:
      'Consulte no site do órgão, se houver pressa, e informe o `request_id` ao operador: em geral é o programa que precisa acompanhar a mudança.',
    repeat: 'Quando `retryable` é true, a falha pode passar sozinha.',
  },
  RF_LIVE_ERROR: {
    meaning: 'A consulta ao vivo à Receita Federal falhou desta vez (`force_fresh=true`).',
    action: 'Repita em instantes ou, se o dado do mês serve, consulte sem `force_fresh`.',
  },
  TODAS_FONTES_FALHARAM: {
    meaning:
      'Nenhuma das fontes do perfil respondeu. Não quer dizer que o produtor não tem cadastro: quer dizer que não se sabe.',
    action: 'Repita mais tarde, ou consulte cada parte por si: inscrição estadual, certidão e CNPJ.',
    repeat: 'Quando `retryable` é false, nenhuma das falhas passa sozinha.',
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
      'O banco de dados deste serviço não respondeu, ou não aceita gravações: uma parada, que passa sozinha ou com o operador. Nada foi cobrado; se a cobrança já estava gravada, o crédito volta sozinho.',
    action:
      'Repita com a mesma requisição; no XML da NF-e, com a mesma `Idempotency-Key`. Não conclua nada sobre o contribuinte.',
  },
  ERRO_INTERNO: {
    meaning: 'Algo inesperado aconteceu neste serviço, e não no que foi enviado.',
    action: 'Repita uma vez; se persistir, informe o `request_id` ao operador, que o acha no registro.',
  },
} satisfies Partial<Record<ErrorCode, Explained>>

/** The codes that come in `source_status` alone, with HTTP 200 (specification, the second table). */
const ofSources: Record<SourceCode, Explained> = {
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

export type CodeEntry = Explained & { code: string; status: number | null; title: string; retryS: RetryS }

type Group = { id: string; heading: string; about: string; entries: readonly CodeEntry[] }

/** A code without its explanation does not compile. */
const explained: Record<ErrorCode, Explained> = { ...ofRequests, ...ofAccounts, ...ofServices }

const isHttp = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)
const isOfSource = (code: string): code is SourceCode => Object.hasOwn(sourceCodes, code)

const httpEntries = (group: object): CodeEntry[] =>
  Object.keys(group)
    .filter(isHttp)
    .map((code) => ({ code, ...errorCodes[code], ...explained[code] }))

const sourceEntries: readonly CodeEntry[] = Object.keys(sourceCodes)
  .filter(isOfSource)
  .map((code) => ({ code, status: null, ...sourceCodes[code], ...ofSources[code] }))

export const groups: readonly Group[] = [
  {
    id: 'requisicao',
    heading: 'O que foi enviado',
    about:
      'A requisição precisa de conserto: salvo onde se diz que vale repetir, a mesma requisição dá o mesmo erro.',
    entries: httpEntries(ofRequests),
  },
  {
    id: 'conta',
    heading: 'A conta de quem pergunta',
    about: 'A chave, o plano e os créditos.',
    entries: httpEntries(ofAccounts),
  },
  {
    id: 'servicos',
    heading: 'O que se procurou e quem foi consultado',
    about: 'A requisição estava certa.',
    entries: httpEntries(ofServices),
  },
  {
    id: 'fontes',
    heading: 'Só em source_status, com HTTP 200',
    about:
      'Algumas consultas respondem HTTP 200 também quando o órgão falha: `source_status.status` é então `error`, `source_status.error_code` traz um destes códigos, ou um dos de cima, e o resultado vem vazio, null ou com `status` = `erro`. Confira `source_status` antes de ler o resultado.',
    entries: sourceEntries,
  },
]

export const findEntry = (code: string): CodeEntry | undefined =>
  groups.flatMap(({ entries }) => entries).find((entry) => entry.code === code)

/** A text in which what stands between backticks is code. It takes no other markup. */
export const markup = (text: string): readonly (string | Html)[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
