import type { ErrorCode } from '../platform/errors.ts'
import type { Explained } from './explained.ts'

/** The codes of what was sent: the client mends the request. */
export const ofRequests = {
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
      '`detail` diz qual dos três. Se o dígito verificador não confere, o número foi copiado errado: confira-o com o cliente. Se é o formato, o número vai sem máscara (o CNPJ alfanumérico leva também letras maiúsculas), e “ISENTO” não é inscrição.',
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
    action: 'O cabeçalho `Allow` diz qual vale. Só o XML da NF-e é pedido por POST.',
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
