import { type Static, Type } from 'typebox'
import { cleanChave, maskChave, parseChave } from '../documento/chave.ts'
import { maskDocumento } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import { type Caller, countHeader, type Exchange, retryAfter } from '../platform/http/exchange.ts'
import { lookup } from '../platform/http/lookup.ts'
import {
  BodySwitch,
  CertificadoParam,
  ChaveParam,
  Cnpj,
  EMPTY_COUNTS,
  isOn,
} from '../platform/http/parameters.ts'
import {
  INSTANTE,
  OneOf,
  OneOfNumbers,
  OneOfOrNull,
  ouVazio,
  PlainOrNull,
  RequestId,
} from '../platform/http/schemas.ts'
import { informesDe } from '../platform/informes.ts'
import { creditosPorXml } from '../platform/ledger/rules.ts'
import { trusted } from '../platform/trusted.ts'
import type { A1, Interessado } from '../platform/wire/certificado.ts'
import { QueueFull } from '../platform/wire/threads.ts'
import {
  chooseInteressado,
  ESPERA_S,
  findNota,
  findOrcamento,
  type Nota,
  openCertificado,
  simulate,
} from './lookup.ts'
import type { NfeRoom } from './nfe.ts'
import { manifestacoes, statusNfe, tiposDeEvento } from './rules.ts'
import type { EventoFeito } from './rules-manifestacao.ts'
import {
  deOutraKey,
  doTitular,
  type ResultadoDaNota,
  resultadoInvalido,
  resultadoOf,
  semNota,
} from './rules-resultado.ts'

const corpo = Type.Object(
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

const resposta = Type.Object(
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
      default: [],
      description:
        'O que convém saber da nota, em português, com a norma e a data; vazia quando a nota não foi achada',
    }),
    resultados: Type.Array(ResultadoNfe, { minItems: 1, maxItems: 1, description: 'Sempre um item' }),
  },
  { title: 'RespostaConsultarNfeXml' },
)

type CorpoNfe = Static<typeof corpo>
export type RespostaNfe = Static<typeof resposta>

/** An A1 file has 3 to 12 KiB, with a long chain 20; base64 makes a third more of it. */
const CORPO_MAX = 96 * 1024

/** `ends` is of performance.now(). */
type Quem = { certificado: A1; interessado: Interessado; ends: number }

const readEventos = (noted: readonly unknown[]): readonly EventoFeito[] =>
  // Proven by the record: under the scope of this endpoint only `findNota` writes steps down.
  trusted<readonly EventoFeito[]>(noted)

/** Specification, "Endpoints". */
export const consultarNfeXml = lookup({
  url: '/api/consultar-nfe-xml',
  words: {
    nome: 'XML da NF-e',
    tag: 'NF-e',
    custo: '3 créditos quando o XML vem (1 na conta de preço negociado), e nada quando não vem.',
    description: `O XML assinado (nfeProc) de uma NF-e, pela chave de acesso. É pedido ao Ambiente Nacional com o certificado A1 de um participante da nota, que vai no corpo, serve só a esta consulta e nunca é guardado. O que houve vem em \`resultados[0].status\`, sempre com HTTP 200.

**Manifestação.** Quando a SEFAZ só entrega o resumo, a manifestação do destinatário é registrada com o certificado: \`manifestar\` = false não a registra; \`simular\` = true só diz qual seria.

**Custo.** {custo}

**Limite da SEFAZ.** Ela aceita 20 consultas por hora de cada CNPJ ou CPF, somadas as de outros programas: os cabeçalhos \`X-Sefaz-Consultas-Limite\`, \`-Restantes\` e \`-Renova\` (segundos) dizem o que resta.

**Repetir sem risco.** Com o cabeçalho \`Idempotency-Key\`, a requisição pode ser repetida por 24 horas, sem outro evento nem outra cobrança: envie-o sempre, porque a resposta que se perde com a conexão, e o que ela diz de um evento, só volta assim.`,
  },
  body: { schema: corpo, limit: CORPO_MAX },
  // With the simulator it is a note and a file of its own (/exemplos.json).
  example: {
    chave: '35261198763001000192550010000000021191112343',
    certificado: 'O arquivo .pfx do certificado A1, em base64',
    senha: 'A senha do certificado',
    manifestar: false,
    simular: false,
  },
  response: resposta,
  headers: {
    'X-Sefaz-Consultas-Limite': countHeader(
      'Consultas por chave que a SEFAZ aceita por hora do CNPJ ou CPF em nome de quem se consulta',
    ),
    'X-Sefaz-Consultas-Restantes': countHeader(
      'Quantas ainda restam, pelo que este serviço consultou e pelo que a SEFAZ recusou',
    ),
    'X-Sefaz-Consultas-Renova': countHeader('Segundos até haver mais uma'),
    'Retry-After': retryAfter,
  },
  errors: {
    http: [
      'PARAMETRO_AUSENTE',
      'PARAMETRO_INVALIDO',
      'CHAVE_INVALIDA',
      'CERTIFICADO_INVALIDO',
      'DOCUMENTO_INVALIDO',
    ],
    rate: 'RATE_LIMIT',
    credits: 'LIMITE_PLANO',
  },
  price: { hold: creditosPorXml(false), nota: true },
  once: {
    // Its keys were written down before keys had a scope.
    scope: '',
    seconds: ({ NFE_SECONDS }) => NFE_SECONDS,
    unpaid: tellEvent,
  },
  log: {
    document: ({ chave }) => maskChave(chave),
    cached: ({ resultados }) => resultados.some(({ from_cache }) => from_cache),
  },
  ask: async (corpo, call, room: NfeRoom) => {
    const quem = await openQuem(corpo, call, room)
    if (!quem) return { price: 'free', kept: false, run: () => answerBusy(corpo, call) }
    return {
      price: isOn(corpo.simular) ? 'free' : { hold: priceOf(call) },
      charged: ({ creditos_cobrados }) => creditos_cobrados,
      run: () => answerNota(corpo, quem, call, room),
      close: () => quem.certificado.key.fill(0),
    }
  },
})

/** Undefined if the certificate could not be opened in time. */
async function openQuem(corpo: CorpoNfe, call: Caller, { config, now }: NfeRoom): Promise<Quem | undefined> {
  const ends = performance.now() + config.NFE_SECONDS * 1000
  const certificado = await certificadoOf(corpo, ends, call, now)
  if (!certificado) return undefined
  try {
    return { certificado, interessado: chooseInteressado(certificado.titular, corpo.cnpj), ends }
  } catch (error) {
    certificado.key.fill(0)
    throw error
  }
}

/** Seconds for `Retry-After`. By then the queue of certificate files has moved on. */
const FILA_S = 10

/** Undefined where the queue of all accounts is full. Throws RATE_LIMIT where the account's share is. */
async function certificadoOf(
  corpo: CorpoNfe,
  ends: number,
  call: Caller,
  now: () => Date,
): Promise<A1 | undefined> {
  const turn = { owner: call.conta.id, waitMs: ends - performance.now(), signal: call.leaving() }
  try {
    return await openCertificado(corpo, turn, now)
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    call.header('retry-after', String(FILA_S))
    if (error.part === 'all') return undefined
    throw new ApiError(
      'RATE_LIMIT',
      'Já há certificados demais desta conta à espera de serem abertos. Envie menos requisições ao mesmo tempo e repita esta em instantes. Nada foi cobrado.',
    )
  }
}

function answerBusy({ chave }: CorpoNfe, call: Caller): RespostaNfe {
  const mensagem =
    'O serviço está com certificados demais à espera de serem abertos. Repita a consulta em instantes. Nada foi cobrado.'
  const ocupado = { status: 'erro', cstat: '', mensagem, retryable: true } as const
  const resultado = resultadoOf(cleanChave(chave), ocupado)
  return respostaOf({ resultado, consultado_em: '' }, { creditos: 0, avisos: [] }, call)
}

const respostaOf = (
  { resultado, consultado_em }: Omit<Nota, 'esperaS'>,
  { creditos, avisos }: { creditos: number; avisos: string[] },
  { request_id }: Caller,
): RespostaNfe => ({
  request_id,
  total: 1,
  com_dado: resultado.xml === null ? 0 : 1,
  creditos_cobrados: creditos,
  consultado_em,
  avisos,
  resultados: [resultado],
})

/** An event was sent, so it is told, without the note that could not be paid. Else throws the failure. */
function tellEvent(
  found: RespostaNfe,
  err: unknown,
  { call, platform }: Pick<Exchange, 'call' | 'platform'>,
): RespostaNfe {
  const [resultado] = found.resultados
  if (!resultado || !wasSent(resultado)) throw err
  const { request_id } = call
  platform.log.error({ err, request_id }, 'a call with an event could not be settled')
  call.header('x-credits-charged', '0')
  if (resultado.xml === null) return { ...found, request_id }
  call.header('retry-after', String(ESPERA_S))
  const porque = err instanceof ApiError ? err.message : 'A cobrança falhou no serviço.'
  const resultados = [semNota(resultado, porque)]
  return { ...found, request_id, com_dado: 0, creditos_cobrados: 0, resultados }
}

const wasSent = ({ manifestacao }: ResultadoDaNota): boolean =>
  manifestacao !== null && !manifestacao.endsWith('_nao_suportada')

/** 3 credits a note; 1 where the account has negotiated prices (specification, "Limits"). */
const priceOf = ({ conta }: Caller): number => creditosPorXml(conta.preco_exclusivo)

async function answerNota(corpo: CorpoNfe, quem: Quem, call: Caller, room: NfeRoom): Promise<RespostaNfe> {
  const { resultado: found, esperaS, consultado_em } = await find(corpo, quem, call, room)
  const { titular, maisTitulares } = quem.certificado
  const resultado = maisTitulares ? doTitular(found, titular) : found
  const { documento } = quem.interessado
  await setBudgetHeaders(documento, call, room)
  const again = esperaS !== undefined
  if (again) call.header('retry-after', String(esperaS))
  const creditos = resultado.xml === null ? 0 : priceOf(call)
  const simular = isOn(corpo.simular)
  const { chave, status, cstat, manifestacao, from_cache } = resultado
  const who = {
    chave: maskChave(chave),
    titular: maskDocumento(titular.documento),
    cnpj: corpo.cnpj && maskDocumento(documento),
  }
  const what = { status, cstat, manifestacao, from_cache, simular: simular || undefined }
  room.log.info({ request_id: call.request_id, ...who, ...what }, 'nfe-xml')
  const told = simular ? resultado : { ...resultado, retryable: again }
  const last = again && call.progress.kept ? deOutraKey(told) : told
  const isFound = status === 'ok' || status === 'somente_resumo'
  const avisos = informesDe(isFound ? ['nfe'] : [], room.now())
  return respostaOf({ resultado: last, consultado_em }, { creditos, avisos }, call)
}

async function find(corpo: CorpoNfe, quem: Quem, call: Caller, room: NfeRoom): Promise<Nota> {
  const parsed = parseChave(corpo.chave, room.now())
  if (!parsed.ok) {
    const resultado = resultadoInvalido(cleanChave(corpo.chave), parsed)
    return { resultado, esperaS: undefined, consultado_em: '' }
  }
  const manifestar = isOn(corpo.manifestar ?? true)
  const { request_id, progress } = call
  const escolhido = corpo.cnpj !== undefined
  const pergunta = { chave: parsed.chave, ...quem, escolhido, manifestar, request_id }
  if (isOn(corpo.simular)) return simulate(pergunta, room)
  return findNota(pergunta, { eventos: readEventos(progress.steps), note: progress.note }, room)
}

async function setBudgetHeaders(documento: string, call: Caller, room: NfeRoom): Promise<void> {
  const orcamento = await findOrcamento({ documento, request_id: call.request_id }, room)
  if (!orcamento) return
  const { limite, restantes, renewsAt } = orcamento
  const seconds = Math.max(0, Math.ceil((renewsAt.getTime() - room.now().getTime()) / 1000))
  call.header('x-sefaz-consultas-limite', String(limite))
  call.header('x-sefaz-consultas-restantes', String(restantes))
  call.header('x-sefaz-consultas-renova', String(seconds))
}
