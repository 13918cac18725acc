import { type Static, Type } from 'typebox'
import { ESPERA_S, findNota, findOrcamento, type Nota, simulate } from '../consultas/nota/nota.ts'
import { chooseInteressado, openCertificado } from '../consultas/nota/pedido.ts'
import {
  deOutraKey,
  doTitular,
  type ResultadoDaNota,
  ResultadoNfe,
  resultadoInvalido,
  resultadoOf,
  semNota,
} from '../consultas/nota/resultado.ts'
import type { A1, Interessado } from '../domain/certificado.ts'
import { limparChave, maskChave, parseChave } from '../domain/documento/chave.ts'
import { maskDocumento } from '../domain/documento/documento.ts'
import { ApiError } from '../domain/errors.ts'
import { trusted } from '../domain/trusted.ts'
import { QueueFull } from '../sources/threads/queue.ts'
import { ClientLeft } from './pipeline/client-left.ts'
import { answerHeld, type Call, deliver, type Exchange } from './pipeline/exchange.ts'
import { answerOnce, type Registro } from './pipeline/idempotency.ts'
import { postLookup } from './pipeline/lookup-post.ts'
import { BodySwitch, CertificadoParam, ChaveParam, Cnpj, EMPTY_COUNTS, isOn } from './pipeline/validation.ts'

const corpo = Type.Object({
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
})

const cabecalhos = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'De 1 a 255 caracteres ASCII imprimíveis, como um UUID: por 24 horas, a mesma Idempotency-Key com o mesmo corpo recebe a mesma resposta, qualquer que seja o status, cobrada uma só vez; para consultar de novo, envie outra',
    }),
  ),
})

const resposta = Type.Object({
  request_id: Type.String({ format: 'uuid' }),
  total: Type.Integer({ description: 'Sempre 1' }),
  com_dado: Type.Integer({ description: '1 quando a nota veio, 0 quando não' }),
  creditos_cobrados: Type.Integer({ description: '3 quando a nota veio (1 em contas com preço negociado)' }),
  resultados: Type.Array(ResultadoNfe, { description: 'Sempre um item' }),
})

/** An A1 file has 3 to 12 KiB, with a long chain 20; base64 makes a third more of it. */
const CORPO_MAX = 96 * 1024

type Corpo = Static<typeof corpo>
type Resposta = Static<typeof resposta>

/** POST /api/consultar-nfe-xml: the signed XML of a note, by its key and a participant's certificate. Specification, "Endpoints". */
export const consultarNfeXml = postLookup({
  url: '/api/consultar-nfe-xml',
  summary: 'XML da NF-e por chave de acesso',
  description:
    'O nfeProc assinado de uma NF-e, pedido ao Ambiente Nacional com o certificado A1 de um participante da nota, que vai no corpo, serve só a ' +
    'esta consulta e nunca é guardado. Quando a SEFAZ só entrega o resumo, a manifestação do destinatário é registrada com o certificado ' +
    '(manifestar = false não a registra; simular = true só diz qual seria). O que houve vem em resultados[0].status, sempre com HTTP 200. ' +
    'Cobra 3 créditos quando o XML vem, e nada quando não vem. A SEFAZ aceita 20 consultas por hora de cada CNPJ ou CPF, somadas as de outros ' +
    'programas: os cabeçalhos X-Sefaz-Consultas-Limite, -Restantes e -Renova (segundos) dizem o que resta. Com o cabeçalho Idempotency-Key, a ' +
    'requisição pode ser repetida por 24 horas, sem outro evento nem outra cobrança: envie-o sempre, porque a resposta que se perde com a ' +
    'conexão, e o que ela diz de um evento, só volta assim.',
  body: corpo,
  bodyLimit: CORPO_MAX,
  requestHeaders: cabecalhos,
  response: resposta,
  headers: {
    'X-Sefaz-Consultas-Limite':
      'Consultas por chave que a SEFAZ aceita por hora do CNPJ ou CPF em nome de quem se consulta',
    'X-Sefaz-Consultas-Restantes':
      'Quantas ainda restam, pelo que este serviço consultou e pelo que a SEFAZ recusou',
    'X-Sefaz-Consultas-Renova': 'Segundos até haver mais uma',
    'Retry-After': 'Segundos até valer a pena repetir a consulta; ausente quando repetir não adianta',
    'Idempotency-Replayed':
      'true quando a resposta é a de uma requisição anterior com a mesma Idempotency-Key',
  },
  codes: { rate: 'RATE_LIMIT', credits: 'LIMITE_PLANO' },
  errors: [
    'PARAMETRO_AUSENTE',
    'PARAMETRO_INVALIDO',
    'CHAVE_INVALIDA',
    'CERTIFICADO_INVALIDO',
    'DOCUMENTO_INVALIDO',
    'CORPO_INVALIDO',
    'CORPO_MUITO_GRANDE',
    'TIPO_NAO_SUPORTADO',
    'IDEMPOTENCIA_CONFLITANTE',
    'IDEMPOTENCIA_EM_ANDAMENTO',
  ],
  respond: (body, exchange) => {
    const { NFE_SECONDS: seconds } = exchange.ctx.config
    // Proven by the record: `answer` alone writes one under this endpoint's key.
    const parse = (text: string) => trusted<Resposta>(JSON.parse(text))
    const corpo = () => JSON.stringify(body)
    const unpaid = (found: Resposta, error: unknown) => tellEvent(found, error, exchange)
    return answerOnce({ corpo, seconds, parse, unpaid }, exchange, (registro) =>
      answer(body, exchange, registro),
    )
  },
})

/** Seconds for `Retry-After`. By then the queue of certificate files has moved on. */
const FILA_S = 10

/**
 * The certificate of the body; undefined where the queue of all accounts is full. Throws RATE_LIMIT where the
 * account's own share of it is full.
 */
async function certificadoOf(body: Corpo, ends: number, { ctx, call }: Exchange): Promise<A1 | undefined> {
  const turn = { owner: call.conta.id, waitMs: ends - performance.now(), signal: call.leaving() }
  try {
    return await openCertificado(body, turn, ctx.now)
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

/** Opens the certificate, finds the note, writes the answer down and settles it; the key is wiped whatever happens. */
async function answer(body: Corpo, exchange: Exchange, registro: Registro): Promise<Resposta> {
  const ends = performance.now() + exchange.ctx.config.NFE_SECONDS * 1000
  const certificado = await certificadoOf(body, ends, exchange)
  if (certificado === undefined) return deliverBusy(body, exchange)
  let found: Resposta | undefined
  try {
    const interessado = chooseInteressado(certificado.titular, body.cnpj)
    const run = async () => {
      found = await runOnce(body, { certificado, interessado, ends }, exchange, registro)
      await registro.finish({ resposta: JSON.stringify(found), creditos: found.creditos_cobrados })
      return found
    }
    if (isOn(body.simular))
      return deliver(await run(), 0, await exchange.ctx.store.ledger.saldo(exchange.call.conta), exchange)
    const bill = {
      creditos: priceOf(exchange),
      charged: ({ creditos_cobrados }: Resposta) => creditos_cobrados,
    }
    return await answerHeld(bill, run, exchange)
  } catch (error) {
    return tellEvent(found, error, exchange)
  } finally {
    certificado.key.fill(0)
  }
}

/** The answer of a call whose certificate could not be opened in time. */
async function deliverBusy(body: Corpo, exchange: Exchange): Promise<Resposta> {
  const { ctx, call } = exchange
  const mensagem =
    'O serviço está com certificados demais à espera de serem abertos. Repita a consulta em instantes. Nada foi cobrado.'
  const ocupado = { status: 'erro', cstat: '', mensagem, retryable: true } as const
  const resultado = resultadoOf(limparChave(body.chave), ocupado)
  return deliver(respostaOf(resultado, 0, call), 0, await ctx.store.ledger.saldo(call.conta), exchange)
}

const respostaOf = (
  resultado: ResultadoDaNota,
  creditos_cobrados: number,
  { request_id }: Call,
): Resposta => ({
  request_id,
  total: 1,
  com_dado: resultado.xml === null ? 0 : 1,
  creditos_cobrados,
  resultados: [resultado],
})

/**
 * What fails after an event was sent must not hide it: the answer goes out, without the note that could not be paid. Throws
 * the failure where there was no event, or nobody is there to be told.
 */
function tellEvent(found: Resposta | undefined, err: unknown, { ctx, call }: Exchange): Resposta {
  const [resultado] = found?.resultados ?? []
  if (!found || !resultado || !wasSent(resultado) || err instanceof ClientLeft) throw err
  const { request_id } = call
  ctx.log.error({ err, request_id }, 'a call with an event could not be settled')
  call.header('x-credits-charged', '0')
  if (resultado.xml === null) return { ...found, request_id }
  call.header('retry-after', String(ESPERA_S))
  const porque = err instanceof ApiError ? err.message : 'A cobrança falhou no serviço.'
  const resultados = [semNota(resultado, porque)]
  return { ...found, request_id, com_dado: 0, creditos_cobrados: 0, resultados }
}

/** Whether an event was sent, whatever came of it. */
const wasSent = ({ manifestacao }: Resposta['resultados'][number]): boolean =>
  manifestacao !== null && !manifestacao.endsWith('_nao_suportada')

/** 3 credits a note; 1 where the account has negotiated prices (specification, "Limits"). */
const priceOf = ({ call }: Exchange): number => (call.conta.preco_exclusivo ? 1 : 3)

/** The certificate that is presented, in whose name, and until when (performance.now()). */
type Quem = { certificado: A1; interessado: Interessado; ends: number }

async function runOnce(body: Corpo, quem: Quem, exchange: Exchange, registro: Registro): Promise<Resposta> {
  const { ctx, call } = exchange
  const { resultado: found, esperaS } = await find(body, quem, exchange, registro)
  const { titular, maisTitulares } = quem.certificado
  const resultado = maisTitulares ? doTitular(found, titular) : found
  const { documento } = quem.interessado
  await setBudgetHeaders({ documento, request_id: call.request_id }, exchange)
  const again = esperaS !== undefined
  if (again) call.header('retry-after', String(esperaS))
  const creditos = resultado.xml === null ? 0 : priceOf(exchange)
  const { chave, status, cstat, manifestacao, from_cache } = resultado
  const outcome = { status, cstat, manifestacao, from_cache, simular: isOn(body.simular) || undefined }
  const who = {
    chave: maskChave(chave),
    titular: maskDocumento(titular.documento),
    cnpj: body.cnpj && maskDocumento(documento),
  }
  ctx.log.info({ request_id: call.request_id, ...who, ...outcome }, 'nfe-xml')
  const told = isOn(body.simular) ? resultado : { ...resultado, retryable: again }
  return respostaOf(again && registro.aberto ? deOutraKey(told) : told, creditos, call)
}

async function find(body: Corpo, quem: Quem, { ctx, call }: Exchange, registro: Registro): Promise<Nota> {
  const parsed = parseChave(body.chave, ctx.now())
  if (!parsed.ok) return { resultado: resultadoInvalido(limparChave(body.chave), parsed), esperaS: undefined }
  const manifestar = isOn(body.manifestar ?? true)
  const { request_id } = call
  const escolhido = body.cnpj !== undefined
  const pergunta = { chave: parsed.chave, ...quem, escolhido, manifestar, request_id }
  return isOn(body.simular) ? simulate(pergunta, ctx) : findNota(pergunta, registro, ctx)
}

/**
 * The queries that the authority still allows the CNPJ or CPF that is asked about, as far as this service
 * knows.
 */
async function setBudgetHeaders(
  of: Parameters<typeof findOrcamento>[0],
  { ctx, call }: Exchange,
): Promise<void> {
  const orcamento = await findOrcamento(of, ctx)
  if (!orcamento) return
  const { limite, restantes, renova } = orcamento
  const seconds = Math.max(0, Math.ceil((renova.getTime() - ctx.now().getTime()) / 1000))
  call.header('x-sefaz-consultas-limite', String(limite))
  call.header('x-sefaz-consultas-restantes', String(restantes))
  call.header('x-sefaz-consultas-renova', String(seconds))
}
