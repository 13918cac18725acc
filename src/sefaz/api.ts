import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../platform/errors.ts'
import type { Admit } from '../platform/http/exchange.ts'
import type { Check } from '../platform/http/health.ts'
import { lookup } from '../platform/http/lookup.ts'
import { type Prepared, type PreparedAnswer, prepare } from '../platform/http/ready.ts'
import {
  count,
  Falha,
  instanteOuVazio,
  OneOf,
  OrNull,
  PlainOrNull,
  RequestId,
  text,
  UfItem,
} from '../platform/http/schemas.ts'
import { type Broadcast, eventText, openBroadcast } from '../platform/http/stream.ts'
import { DocItem } from './api-historico.ts'
import {
  changesBetween,
  currentQuadro,
  findAmbienteNacional,
  openPrimeiraRodada,
  type PrimeiraRodada,
  type SituacaoSefaz,
  situacaoOfDoc,
  situacoesDoAmbiente,
} from './lookup.ts'
import { validCertificado } from './rodada.ts'
import { classes, type Doc, docs } from './rules.ts'
import { isVazio } from './rules-quadro.ts'
import type { Quadro } from './rules-rodada.ts'
import type { SefazRoom } from './sefaz.ts'

const SituacaoDoEstado = Type.Object(
  {
    uf: UfItem,
    status_code: Type.Integer({
      minimum: 0,
      maximum: 5,
      description:
        '0: sem leitura; 1: responde em menos de 2 segundos; 2: de 2 a 6; 3: de 6 a 30; 4: respondeu com erro; 5: não respondeu em 30 segundos',
    }),
    status: OneOf(classes, { title: 'SituacaoSefaz', description: 'O mesmo por extenso' }),
    status_avg: Type.Number({
      minimum: 0,
      description:
        'Tempo médio de resposta das últimas 3 rodadas, em segundos, com duas casas; 0 onde não há tempo medido',
    }),
  },
  { title: 'SituacaoDoEstado', description: 'Como a SEFAZ de um estado está para o documento' },
)

const SituacaoDosEstados = Type.Object(
  {
    doc: DocItem,
    timestamp: Type.String({
      format: 'date-time',
      description:
        'Fim da rodada de que é esta situação, ISO 8601 UTC: a última em que algum serviço respondeu',
    }),
    fonte: OneOf(['servicos', 'paginas'], {
      title: 'FonteDaSituacao',
      description:
        'De onde vem: servicos, dos serviços de status das SEFAZ, com o certificado do operador; paginas, das páginas públicas de disponibilidade, que não dizem tempo (status_avg é 0)',
    }),
    avisos: Type.Array(Type.String(), {
      description:
        'O que mais convém saber desta situação, como por que a última leitura de um estado ainda vale; quase sempre vazio',
    }),
    states: Type.Array(SituacaoDoEstado, {
      minItems: 27,
      maxItems: 27,
      description: 'Sempre os 27 estados, em ordem alfabética da sigla',
    }),
  },
  { title: 'RespostaSefazStatus' },
)

const MudancaDeEstado = Type.Object(
  {
    doc: DocItem,
    timestamp: Type.String({ format: 'date-time', description: 'Fim da rodada que viu a mudança' }),
    ...SituacaoDoEstado.properties,
    antes: Type.Integer({ minimum: 0, maximum: 5, description: 'O status_code que o estado tinha' }),
  },
  { title: 'MudancaDeEstado', description: 'Um estado que mudou de classe' },
)

const EventosSefazStatus = Type.Object(
  {
    estado: SituacaoDosEstados,
    mudanca: MudancaDeEstado,
    erro: Type.Object(
      {
        error_code: Type.Literal('MONITOR_INDISPONIVEL', { description: 'O código da falha' }),
        error_message: Type.String({ description: 'O que houve, em português' }),
        retryable: Type.Boolean({ description: 'Sempre true: espere pelo próximo evento' }),
      },
      { description: 'O monitor parou: o que veio antes não vale mais' },
    ),
  },
  {
    title: 'EventosSefazStatus',
    description: 'O que vem em data de cada evento, pelo nome do evento, com "Accept: text/event-stream"',
  },
)

type AoVivo = SefazRoom & { ouvintes: Broadcast; primeira: PrimeiraRodada }

/** How many may listen on this node, and of one account. */
const TODOS = 1_000
const DE_UMA_CONTA = 20

const PARADO =
  'O monitor não tem leitura recente: nenhuma rodada de perguntas às SEFAZ terminou nos últimos 10 minutos. Não tome a SEFAZ por parada nem por normal, e tente de novo em 2 minutos.'

function registerStatus(app: FastifyInstance, room: SefazRoom, admit: Admit): void {
  const ouvintes = openBroadcast({ most: TODOS, mostEach: DE_UMA_CONTA })
  const primeira = openPrimeiraRodada(room)
  const stop = tellMudancas(room, ouvintes)
  app.addHook('preClose', async () => {
    stop()
    primeira.close()
    ouvintes.close()
  })
  status(app, { ...room, ouvintes, primeira }, admit)
}

const status = lookup({
  url: '/api/v1/sefaz/status',
  words: {
    nome: 'Situação das SEFAZ',
    tag: 'SEFAZ',
    description: `Se a SEFAZ de cada estado autoriza o documento agora, e em quanto tempo responde, pela última rodada de perguntas deste serviço. Não custa créditos.

Uma SEFAZ fora do ar aparece com status_code 4 ou 5; 0 quer dizer que não há leitura recente dela, e não que está parada. A resposta muda a cada rodada: guarde-a por \`max-age\` segundos, ou mande o \`ETag\` de volta em \`If-None-Match\` e receba 304 enquanto nada mudar.

**Ao começar.** Nos primeiros segundos do serviço, a resposta espera pela primeira rodada, por até 10 segundos.

**Ao vivo.** Com \`Accept: text/event-stream\`: \`estado\`, com o corpo inteiro da resposta, ao conectar e a cada rodada; e \`mudanca\`, antes dele, com cada estado que mudou de classe e a classe de \`antes\`. Se o monitor parar, vem \`erro\`. Quem reconecta com \`Last-Event-ID\` só recebe \`estado\` se algo mudou. Um fluxo dura 10 minutos, e o navegador reconecta sozinho; uma conta pode ter ${DE_UMA_CONTA} abertos.

\`\`\`
event: mudanca
data: {"doc":"nfe","timestamp":"2026-11-20T15:00:00.000Z","uf":"SP","status_code":5,"status":"Timeout","status_avg":0,"antes":1}
\`\`\``,
  },
  query: Type.Object({
    doc: Type.Optional(
      Type.Enum([...docs], { description: 'O documento: nfe, nfce ou cte', default: 'nfe' }),
    ),
  }),
  example: { doc: 'nfe' },
  response: SituacaoDosEstados,
  headers: {
    ETag: 'Muda quando o conteúdo muda; mande-o de volta em If-None-Match',
    'Cache-Control': 'private, max-age=segundos até a próxima rodada',
  },
  errors: { http: ['PARAMETRO_INVALIDO', 'MONITOR_INDISPONIVEL'] },
  price: 'free',
  prepared: true,
  stream: EventosSefazStatus,
  ask: ({ doc = 'nfe' }, call, room: AoVivo) => {
    const listen = (reply: FastifyReply): boolean => {
      const quadro = currentQuadro(room)
      if (!quadro) throw parado()
      const vista = viewOf(quadro, doc)
      const isKnown = reply.request.headers['last-event-id'] === idOf(vista)
      const first = isKnown ? ': nada mudou\n\n' : writeEstado(vista)
      return room.ouvintes.listen(reply, { who: call.conta.id, topic: doc, first })
    }
    const show = (quadro: Quadro | undefined): PreparedAnswer => {
      if (!quadro) throw parado()
      call.header('cache-control', `private, max-age=${secondsLeft(quadro, room)}`)
      return { text: viewOf(quadro, doc).prepared, listen }
    }
    const { primeira } = room
    return primeira.isAwaited() ? primeira.wait(call.leaving()).then(show) : show(currentQuadro(room))
  },
})

/** GET /api/v1/sefaz/status: how the SEFAZ of the 27 states stand for a document. It is free. */
export const sefazStatus = Object.assign(registerStatus, { declared: status.declared })

const parado = (): ApiError => new ApiError('MONITOR_INDISPONIVEL', PARADO)

type VistaDoDoc = { situacao: SituacaoSefaz; prepared: Prepared<string> }

const vistas = new WeakMap<Quadro, Map<Doc, VistaDoDoc>>()

/** The answer of a document, made once a board. */
function viewOf(quadro: Quadro, doc: Doc): VistaDoDoc {
  const known = vistas.get(quadro) ?? new Map<Doc, VistaDoDoc>()
  vistas.set(quadro, known)
  const found = known.get(doc)
  if (found) return found
  const situacao = situacaoOfDoc(doc, quadro)
  const made = { situacao, prepared: prepare(JSON.stringify(situacao)) }
  known.set(doc, made)
  return made
}

const idOf = ({ prepared }: VistaDoDoc): string => prepared.etag.slice(1, -1)

const writeEstado = (vista: VistaDoDoc): string => eventText('estado', vista.prepared.body, idOf(vista))

function tellMudancas({ monitor }: SefazRoom, ouvintes: Broadcast): () => void {
  const last = new Map<Doc, VistaDoDoc>()

  function tellDoc(doc: Doc, quadro: Quadro): void {
    const before = last.get(doc)
    const vista = viewOf(quadro, doc)
    last.set(doc, vista)
    const { timestamp } = vista.situacao
    const changes = before ? changesBetween(before.situacao, vista.situacao) : []
    const events = changes.map((change) =>
      eventText('mudanca', JSON.stringify({ doc, timestamp, ...change })),
    )
    if (!before || idOf(before) !== idOf(vista)) ouvintes.send(doc, events.join('') + writeEstado(vista))
  }

  return monitor.onQuadro((quadro) => {
    for (const doc of docs) {
      if (!quadro.parado) tellDoc(doc, quadro)
      else if (last.delete(doc)) ouvintes.send(doc, ERRO)
    }
  })
}

const ERRO = eventText(
  'erro',
  JSON.stringify({ error_code: 'MONITOR_INDISPONIVEL', error_message: PARADO, retryable: true }),
)

/** Whole seconds until the next round begins, or time alone makes the answer another one. */
function secondsLeft({ rodada, valeAte }: Quadro, { config, now }: SefazRoom): number {
  const everyMs = config.SEFAZ_SECONDS * 1000
  const left = Math.min(rodada.em + everyMs, valeAte) - now().getTime()
  return Math.floor(Math.min(everyMs, Math.max(0, left)) / 1000)
}

const Servico = Type.Object(
  {
    servico: OneOf(['distribuicao', 'eventos'], {
      title: 'ServicoNacional',
      description: 'distribuicao (NFeDistribuicaoDFe) ou eventos (NFeRecepcaoEvento4)',
    }),
    fonte: text('Identificador da fonte, igual ao de /api/v1/fontes'),
    situacao: OneOf(situacoesDoAmbiente, {
      title: 'SituacaoNacional',
      description:
        'Pelas nossas chamadas dos últimos 60 minutos: respondendo, todas foram respondidas; instavel, parte delas; falhando, nenhuma; sem_leitura, ninguém chamou, e nada se sabe',
    }),
    chamadas: count('Quantas chamadas nossas houve nos últimos 60 minutos, somados todos os nós'),
    falhas: count(
      'Quantas delas falharam; entre elas pode haver recusas por causa do certificado de um cliente',
    ),
    mediana_ms: PlainOrNull('integer', 'Tempo mediano das respondidas, em milissegundos; null sem nenhuma', {
      minimum: 0,
    }),
    ultima_resposta: instanteOuVazio(
      'Quando respondeu pela última vez nos últimos 60 minutos, ISO 8601 UTC, ao menos o minuto; vazio quando não respondeu',
    ),
    ultima_falha: OrNull(Falha, 'A última falha dos últimos 60 minutos; null quando não houve'),
    respostas_dias_anteriores: count('Quantas chamadas nossas ele respondeu nos 7 dias anteriores'),
  },
  { title: 'ServicoDoAmbienteNacional', description: 'Um serviço do ambiente nacional' },
)

const NOTA =
  'O ambiente nacional não tem serviço de status e este serviço nunca o sonda: a situação vem só do que as chamadas dos clientes encontraram.'

/** GET /api/v1/sefaz/ambiente-nacional: how the national environment stands, by our own calls. It is free. */
export const sefazAmbienteNacional = lookup({
  url: '/api/v1/sefaz/ambiente-nacional',
  words: {
    nome: 'Ambiente Nacional',
    tag: 'SEFAZ',
    description: `Como estão a distribuição e a recepção de eventos do Ambiente Nacional da NF-e, pelas chamadas que este serviço fez para seus clientes. ${NOTA} Não custa créditos.`,
  },
  query: Type.Object({}),
  example: {},
  response: Type.Object(
    {
      request_id: RequestId,
      nota: text('De onde vem a resposta, e o que ela não sabe'),
      servicos: Type.Array(Servico, { description: 'A distribuição e a recepção de eventos' }),
    },
    { title: 'RespostaSefazAmbienteNacional' },
  ),
  errors: { http: [] },
  price: 'free',
  ask: (_query, { request_id }, room: SefazRoom) => ({
    run: async () => ({
      request_id,
      nota: NOTA,
      servicos: (await findAmbienteNacional(room)).map(({ servico, fonte, situacao, hora }) => ({
        servico,
        fonte,
        situacao,
        chamadas: hora.consultas,
        falhas: hora.consultas - hora.sucessos,
        mediana_ms: hora.mediana_ms ?? null,
        ultima_resposta: hora.resposta?.toISOString() ?? '',
        ultima_falha: hora.falha ? { ...hora.falha, em: hora.falha.em.toISOString() } : null,
        respostas_dias_anteriores: hora.antes.respostas,
      })),
    }),
  }),
})

type MonitorDito = { monitor: string; fonte: string | null; ultima_rodada: Date | null; aviso: string }

/** The monitor of the SEFAZ: whom it asks, and when its last round ended, on whichever node. */
export const checkMonitor = (room: SefazRoom): Check => ({ name: 'sefaz', look: () => monitorOf(room) })

function monitorOf(room: SefazRoom): MonitorDito {
  const { SEFAZ_MONITOR: monitor } = room.config
  if (monitor === 'desligado') return { monitor, fonte: null, ultima_rodada: null, aviso: '' }
  const fonte = validCertificado(room) ? 'servicos' : 'paginas'
  const quadro = room.monitor.quadro()
  const ultima_rodada = quadro ? new Date(quadro.rodada.fim) : null
  const told = (aviso: string): MonitorDito => ({ monitor, fonte, ultima_rodada, aviso })
  if (!quadro) return told('nenhuma rodada terminou ainda')
  if (quadro.parado) return told('nenhuma rodada terminou nos últimos 10 minutos')
  if (quadro.rodada.semRede)
    return told(
      'nenhuma SEFAZ respondeu na última rodada: confira a rede desta máquina e o certificado do operador',
    )
  if (fonte === 'servicos') return told('')
  const why = 'sem certificado do operador em vigor (A1_FILE)'
  return told(
    quadro.rodada.fonte === 'paginas' && isVazio(quadro)
      ? `${why}, e as páginas públicas não puderam ser lidas: o monitor nada sabe das SEFAZ`
      : `${why}: o monitor lê só as páginas públicas, sem tempos e sem NFC-e`,
  )
}
