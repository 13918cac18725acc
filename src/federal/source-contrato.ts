import { OUTAGE_S, SourceError } from '../platform/wire/fonte.ts'
import type { Reply } from '../platform/wire/http.ts'
import { retryAfterOf } from '../platform/wire/http.ts'
import type { Anotacao } from '../platform/wire/leitura.ts'
import { parseJson } from '../portal/pagina.ts'
import type { Contrato } from './contrato.ts'
import { fontesDaCertidao } from './fontes.ts'
import { openTempo, type Tempo } from './pausa.ts'
import { isChave, type RespostaCnd, readResposta } from './resposta.ts'
import type {
  AndamentoFederal,
  MeiosFederais,
  PerguntaFederal,
  RespostaFederal,
  RotaFederal,
} from './rota-federal.ts'
import { broken, isDesde, lerEntregue } from './source.ts'
import type { LeituraFederal } from './source-certidao.ts'
import { recusaDoStatus, type SentidoCnd, sentidoOf } from './status.ts'

/** The versions of the product. Only one open client has v2, with the same answers. */
const versoes = {
  v1: { path: '/consulta-cnd/v1/certidao', codigo: '9001' },
  v2: { path: '/consulta-cnd/v2/certidao', codigo: '9201' },
} as const

export type VersaoCnd = keyof typeof versoes

const { source } = fontesDaCertidao.contrato

/**
 * The route over the SERPRO's product Consulta CND: it gives the valid certificate, and issues one if there
 * is none. It never issues beside a valid one.
 */
export const rotaContrato = (contrato: Contrato, versao: VersaoCnd): RotaFederal => ({
  id: 'contrato',
  source,
  emiteNova: false,
  consultar: (pergunta, meios) => {
    const { guard, deadlineMs, request_id } = meios
    return guard({ source, deadlineMs, request_id }, (leftMs, note) => {
      const tempo = openTempo({ ...meios, source, deadlineMs: leftMs })
      return converse(pergunta, {
        meios,
        tempo,
        note,
        send: sender(contrato, versao, pergunta, meios, tempo),
      })
    })
  },
})

type Conversa = {
  meios: MeiosFederais
  tempo: Tempo
  note: (anotacao: Anotacao) => void
  /** Asks once, with the key of a request that it still works on. */
  send: (chave: string | undefined) => Promise<Reply>
}

const sender =
  (
    contrato: Contrato,
    versao: VersaoCnd,
    { cnpj }: PerguntaFederal,
    { signal }: MeiosFederais,
    tempo: Tempo,
  ): Conversa['send'] =>
  (Chave) => {
    const { path, codigo } = versoes[versao]
    const body = {
      TipoContribuinte: 1,
      ContribuinteConsulta: cnpj,
      CodigoIdentificacao: codigo,
      GerarCertidaoPdf: true,
      ...(Chave !== undefined && { Chave }),
    }
    return contrato.send({ source, method: 'POST', path, body, deadlineMs: tempo.leftMs(), signal })
  }

/** Asks until the product has done. Each question is billed, also the polls (HTTP 200 and 201). */
async function converse({ cnpj }: PerguntaFederal, conversa: Conversa): Promise<RespostaFederal> {
  const { meios, tempo, note, send } = conversa
  const earlier = meios.andamento
  const desde = earlier?.desde ?? meios.now().toISOString()
  const anotar = async (chave?: string, waitS?: number): Promise<void> => {
    const esperarAte = waitS && new Date(meios.now().getTime() + waitS * 1000).toISOString()
    await meios.anotar({
      rota: 'contrato',
      desde,
      ...(chave && { chave }),
      ...(esperarAte && { esperarAte }),
    })
  }
  let chave = earlier?.rota === 'contrato' ? earlier.chave : undefined
  // Since when an issuance of ours may have made what is found.
  let nossaDesde = earlier?.desde ?? ''
  if (!earlier) await anotar()
  // The earlier attempt may have asked a moment ago.
  if (chave !== undefined) await tempo.pause(waitOf(earlier, meios.now()))
  for (let restarts = 0; ; ) {
    const reply = await ask(send, chave, tempo)
    const leitura = { cnpj, source, elapsedMs: tempo.elapsedMs(), now: meios.now() }
    const { resposta, sentido } = readReply(reply, leitura)
    if (sentido.tipo === 'certidao') return entregar(sentido, resposta, leitura, nossaDesde)
    if (sentido.tipo === 'recusa') {
      note({ vazia: sentido.status === 'positiva' })
      return { tipo: 'recusa', recusa: recusaDoStatus(sentido.status, resposta.mensagem, leitura) }
    }
    if (sentido.tipo === 'processando') {
      nossaDesde = desde
      const next = chaveOf(resposta, chave, leitura)
      const waitS = retryAfterOf(reply)
      if (next !== chave || waitS !== undefined) await anotar(next, waitS)
      chave = next
      await tempo.pause(waitS)
    } else {
      const anula = sentido.tipo === 'recomecar' || sentido.anulaChave
      if (anula && chave !== undefined) await anotar()
      if (sentido.tipo === 'falha') throw failureOf(sentido, reply, leitura)
      if (chave === undefined || restarts++ > 0) throw broken(leitura, 'não reconhece a própria Chave')
      chave = undefined
    }
  }
}

/** Seconds that the product still wants to wait, by what an earlier attempt noted: an hour at most. */
const waitOf = (earlier: AndamentoFederal | undefined, now: Date): number =>
  Math.max(0, Math.min(HOUR_S, (Date.parse(earlier?.esperarAte ?? now.toISOString()) - now.getTime()) / 1000))

const HOUR_S = 60 * 60

/** Asks once. A poll that its deadline ends is no outage: the product still works. */
async function ask(send: Conversa['send'], chave: string | undefined, tempo: Tempo): Promise<Reply> {
  try {
    return await send(chave)
  } catch (error) {
    const isLate = chave !== undefined && error instanceof SourceError && error.kind === 'timeout'
    throw isLate ? tempo.processando() : error
  }
}

function readReply(reply: Reply, leitura: LeituraFederal): { resposta: RespostaCnd; sentido: SentidoCnd } {
  const resposta = readResposta(parseJson(reply))
  if (!resposta) throw broken(leitura, `respondeu o que não se entende (HTTP ${reply.status})`)
  return { resposta, sentido: sentidoOf(reply.status, resposta, leitura) }
}

async function entregar(
  { emitida }: SentidoCnd & { tipo: 'certidao' },
  { certidao: entregue }: RespostaCnd,
  leitura: LeituraFederal,
  desde: string,
): Promise<RespostaFederal> {
  if (!entregue) throw broken(leitura, 'diz que há uma certidão, e não a enviou')
  const certidao = await lerEntregue(entregue, leitura)
  return { tipo: 'certidao', certidao, emitida: emitida || isDesde(certidao.emissao, desde) }
}

/** The key to ask again with: the new one if it names one. */
function chaveOf({ chave }: RespostaCnd, before: string | undefined, leitura: LeituraFederal): string {
  const next = chave || before || ''
  if (isChave(next)) return next
  throw broken(leitura, 'ainda emite a certidão, e não deu a Chave para perguntar de novo')
}

function failureOf(
  { why, unavailable }: SentidoCnd & { tipo: 'falha' },
  { status }: Reply,
  { elapsedMs }: LeituraFederal,
): SourceError {
  const message = `${source.nome} ${why}.`
  const details = { source: source.id, elapsedMs, status, unavailable, retryS: OUTAGE_S }
  return new SourceError('http', message, details)
}
