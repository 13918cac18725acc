import { type Static, Type } from 'typebox'
import { BodySwitch, CertificadoParam, ChaveParam, Cnpj, EMPTY_COUNTS } from '../platform/http/parameters.ts'
import {
  INSTANTE,
  OneOf,
  OneOfNumbers,
  OneOfOrNull,
  ouVazio,
  PlainOrNull,
  RequestId,
} from '../platform/http/schemas.ts'
import { manifestacoes, statusNfe, tiposDeEvento } from './nfe.ts'

/** Body of a request for a note (specification, "POST /api/consultar-nfe-xml"). */
export const corpo = Type.Object(
  {
    chave: ChaveParam(
      'Chave de acesso da NF-e: 44 dígitos, que nas posições 7 a 18 (CNPJ alfanumérico) podem ser letras maiúsculas; espaços e pontos são ignorados',
    ),
    certificado: CertificadoParam('O arquivo .pfx ou .p12 do certificado A1 (e-CNPJ ou e-CPF), em base64'),
    senha: CertificadoParam('A senha do certificado', { [EMPTY_COUNTS]: true }),
    cnpj: Type.Optional(
      Cnpj(
        'O estabelecimento em nome de quem a nota é consultada e o evento é assinado: da mesma empresa do certificado (os 8 primeiros caracteres ' +
          'iguais). A SEFAZ compara o CNPJ inteiro: com o certificado da matriz, é assim que se consulta a nota de uma filial. Sem ele, vale o CNPJ ou ' +
          'CPF do certificado e, se este não participa da nota, o do emitente que a chave traz, quando é da mesma empresa',
      ),
    ),
    manifestar: Type.Optional(
      BodySwitch(
        'Registrar a manifestação do destinatário quando a SEFAZ só entrega o resumo: autoriza a Ciência da Operação e, se ela não couber mais, ' +
          'a Confirmação da Operação, que não podem ser desfeitas. false não registra evento algum',
        true,
      ),
    ),
    simular: Type.Optional(
      BodySwitch(
        'Ensaio: consulta a chave, não registra evento, não entrega o XML e não cobra; diz em simulacao qual evento seria enviado',
        false,
      ),
    ),
  },
  { title: 'PedidoDeNfe', description: 'A nota que se quer, e com que certificado' },
)

/** What a dry run says, in the place of doing it. */
const Simulacao = Type.Object(
  {
    evento: OneOfOrNull(
      tiposDeEvento,
      'O evento que uma chamada de verdade enviaria primeiro: 210210 (ciência), 210200 (confirmação), ou null quando nenhum',
    ),
    descricao: Type.String({ description: 'O nome do evento; vazio quando nenhum seria enviado' }),
    prazo: ouVazio(
      `${INSTANTE.slice(0, -1)}-03:00`,
      'Até quando a SEFAZ o aceita, ISO 8601 no horário de Brasília; vazio quando não se sabe',
    ),
    no_prazo: PlainOrNull('boolean', 'Se ainda está no prazo; null quando não se sabe'),
    irreversivel: Type.Boolean({ description: 'true: o evento não pode ser desfeito' }),
  },
  { title: 'SimulacaoDaNota', description: 'Só com simular = true' },
)

/** One item of `resultados` (specification, "NF-e XML result"). */
const ResultadoNfe = Type.Object(
  {
    chave: Type.String({
      pattern: '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$',
      description: 'A chave, sem espaços nem pontos',
    }),
    status: OneOf(statusNfe, 'O que houve com a chave; só ok traz o XML'),
    cstat: Type.String({
      description:
        'O código que a SEFAZ deu e que explica o status (138, 632...); vazio quando ela não deu nenhum, como o de uma chave recusada aqui',
    }),
    mensagem: Type.String({ description: 'O que houve e o que fazer, em português' }),
    from_cache: Type.Boolean({ description: 'true quando o XML veio do cache, de até 24 horas' }),
    manifestacao: OneOfOrNull(
      manifestacoes,
      'O que houve com o evento desta chamada: ciencia_ ou confirmacao_ e registrada, ja_registrada, rejeitada, erro ou nao_suportada; ' +
        'ou ciencia_fora_prazo. null quando nenhum foi enviado',
    ),
    xml: PlainOrNull('string', 'O nfeProc assinado, inteiro, quando o status é ok'),
    simulacao: Type.Optional(Simulacao),
    retryable: Type.Optional(
      Type.Boolean({
        description:
          'Se repetir a mesma consulta mais tarde pode trazer outro resultado; ausente com simular = true',
      }),
    ),
  },
  { title: 'ResultadoNfe', description: 'O que houve com uma chave' },
)

/** Body of an answer with a note. */
export const resposta = Type.Object(
  {
    request_id: RequestId,
    total: Type.Unsafe<number>({ type: 'integer', const: 1, description: 'Sempre 1' }),
    com_dado: OneOfNumbers([0, 1], '1 quando a nota veio, 0 quando não'),
    creditos_cobrados: OneOfNumbers([0, 1, 3], '3 quando a nota veio (1 em contas com preço negociado)'),
    consultado_em: Type.String({
      // Answers that an earlier version wrote down for an Idempotency-Key have none.
      default: '',
      pattern: `^(${INSTANTE})?$`,
      description:
        'Quando a SEFAZ respondeu (ISO 8601, UTC); com from_cache, quando a nota veio dela; vazio quando ela não respondeu',
    }),
    avisos: Type.Array(Type.String(), {
      // Answers that an earlier version wrote down for an Idempotency-Key have none.
      default: [],
      description:
        'O que convém saber da nota, em português, com a norma e a data; vazia quando a nota não foi achada',
    }),
    resultados: Type.Array(ResultadoNfe, { minItems: 1, maxItems: 1, description: 'Sempre um item' }),
  },
  { title: 'RespostaConsultarNfeXml' },
)

export type CorpoNfe = Static<typeof corpo>
export type RespostaNfe = Static<typeof resposta>
