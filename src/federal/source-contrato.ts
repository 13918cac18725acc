import { fold } from '../platform/texto.ts'
import { OUTAGE_S, SourceError } from '../platform/wire/fonte.ts'
import { type Reply, retryAfterOf } from '../platform/wire/http.ts'
import type { Anotacao } from '../platform/wire/leituras.ts'
import { failureOf } from '../portal/desfecho.ts'
import { parseJson } from '../portal/pagina.ts'
import { type EspecieFederal, namesOther, type RecusaFederal, recusaOf } from './rules.ts'
import {
  type AndamentoFederal,
  broken,
  type Entregue,
  fontesDaCertidao,
  isDesde,
  type MeiosFederais,
  openTempo,
  type PerguntaFederal,
  type RespostaFederal,
  type RotaFederal,
  readEntregue,
  type Tempo,
} from './source.ts'
import type { LeituraFederal } from './source-certidao.ts'
import type { Contrato } from './source-serpro.ts'

type RespostaCnd = { status: number; mensagem: string; chave: string; certidao: Entregue | undefined }

/** The product's members are some fifteen. More are not read. */
const MOST_MEMBERS = 100
const LONGEST_CHAVE = 500

/** Names without accents and capitals: clients met `TipoCertidão` and `Messagem`. */
function readResposta(json: unknown): RespostaCnd | undefined {
  const membros = membersOf(json)
  if (!membros) return undefined
  const certidao = membersOf(membros.get('certidao'))
  return {
    status: wholeOf(membros.get('status')) ?? Number.NaN,
    mensagem: textOf(membros.get('mensagem')) || textOf(membros.get('messagem')),
    chave: textOf(membros.get('chave')).slice(0, LONGEST_CHAVE + 1),
    certidao: certidao && {
      pdf: certidao.get('documentopdf'),
      especie: especieOf(certidao.get('tipocertidao')),
      contribuinte: certidao.get('contribuintecertidao'),
      codigo: certidao.get('codigocontrole'),
      emissao: certidao.get('dataemissao'),
      validade: certidao.get('datavalidade'),
    },
  }
}

const isChave = (chave: string): boolean => chave !== '' && chave.length <= LONGEST_CHAVE

/** `TipoCertidao`. The contract names 1 and 2; one client lists 3 too. */
const especies: Readonly<Record<number, EspecieFederal>> = {
  1: 'negativa',
  2: 'positiva_com_efeitos_de_negativa',
  3: 'positiva',
}

function especieOf(value: unknown): Entregue['especie'] {
  if (value === undefined || value === null || value === '') return undefined
  return especies[wholeOf(value) ?? 0] ?? 'outra'
}

/** The members of an object by their plain names. One that is said twice, differently, fits nothing. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const membros = new Map<string, unknown>()
  for (const [name, said] of Object.entries(value).slice(0, MOST_MEMBERS)) {
    const plain = fold(name.slice(0, MOST_MEMBERS)).toLowerCase()
    membros.set(plain, membros.has(plain) && membros.get(plain) !== said ? {} : said)
  }
  return membros
}

function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,3}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The product's documentation, "tipos retornados", as six open clients quote it in 2026. */
type SentidoCnd =
  | { tipo: 'certidao'; emitida: boolean }
  | { tipo: 'recusa'; status: RecusaFederal['status'] }
  | { tipo: 'processando' }
  | { tipo: 'recomecar' }
  | { tipo: 'falha'; why: string; unavailable: boolean; voidsChave: boolean }

const recusa = (status: RecusaFederal['status']): SentidoCnd => ({ tipo: 'recusa', status })

/** A parameter that the product did not take. The operator reads its words in `status_raw`. */
const parametro = recusa('erro')

const sentidos: Readonly<Record<number, SentidoCnd>> = {
  1: { tipo: 'certidao', emitida: false },
  2: { tipo: 'certidao', emitida: true },
  3: recusa('positiva'),
  4: recusa('positiva'),
  5: {
    tipo: 'falha',
    why: 'mudou de dados durante a análise, e pede que se pergunte de novo',
    unavailable: false,
    voidsChave: true,
  },
  6: { tipo: 'falha', why: 'está com a base de apoio fora do ar', unavailable: true, voidsChave: false },
  7: { tipo: 'processando' },
  8: recusa('nao_contribuinte'),
  9: parametro,
  10: parametro,
  11: parametro,
  12: parametro,
  13: parametro,
  14: { tipo: 'recomecar' },
  15: parametro,
  99: {
    tipo: 'falha',
    why: 'respondeu com erro do servidor (Status 99)',
    unavailable: true,
    voidsChave: false,
  },
}

/** Whether HTTP says otherwise: 201 is in processing, 202 asks to try again, 400 and 404 refuse. */
function isContrary({ tipo }: SentidoCnd, http: number): boolean {
  if (tipo === 'certidao') return http !== 200
  if (tipo === 'recusa') return http === 201 || http === 202
  return tipo === 'processando' && http >= 400
}

/** Throws SourceError `parse` for an unknown `Status`, code `contradicao` if HTTP says otherwise. */
function sentidoOf(http: number, { status }: RespostaCnd, leitura: LeituraFederal): SentidoCnd {
  const sentido = sentidos[status]
  const { source, elapsedMs } = leitura
  if (!sentido) throw broken(leitura, `respondeu com um Status que não se conhece (HTTP ${http})`)
  if (!isContrary(sentido, http)) return sentido
  throw new SourceError('parse', `${source.nome} se contradiz: HTTP ${http} com Status ${status}.`, {
    source: source.id,
    elapsedMs,
    status: http,
    codigo: 'contradicao',
  })
}

/** A sentence of the portal's own decides; words about another CNPJ alone make it `erro`. */
function recusaDoStatus(
  status: RecusaFederal['status'],
  mensagem: string,
  { cnpj, source, elapsedMs }: LeituraFederal,
): RecusaFederal {
  const dita = recusaOf(mensagem, cnpj)
  if (dita === 'em-processamento' || dita === 'falha')
    throw failureOf('indisponivel', { source, elapsedMs, tipo: 'cnpj', frase: mensagem })
  if (dita) return dita
  const found = namesOther(mensagem, cnpj) ? 'erro' : status
  const words = mensagem.trim().slice(0, LONGEST_RAW)
  const isTold = found !== 'erro' || (words !== '' && !TITULO.test(fold(words)))
  return { status: found, dizeres: isTold ? words : `${source.nome} recusou o pedido sem dizer por quê.` }
}

/** A title in the place of a message: whoever reads it takes the refusal for a certificate. */
const TITULO = /^CERTIDAO (?:NEGATIVA|POSITIVA)/

const LONGEST_RAW = 500

/** The versions of the product. Only one open client has v2, with the same answers. */
const versoes = {
  v1: { path: '/consulta-cnd/v1/certidao', codigo: '9001' },
  v2: { path: '/consulta-cnd/v2/certidao', codigo: '9201' },
} as const

export type VersaoCnd = keyof typeof versoes

const { source } = fontesDaCertidao.contrato

/** Consulta CND gives the valid certificate, or issues one. It never issues beside a valid one. */
export const rotaContrato = (contrato: Contrato, versao: VersaoCnd): RotaFederal => ({
  id: 'contrato',
  source,
  issuesNova: false,
  ask: (pergunta, meios) => {
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
  const noteStep = async (chave?: string, waitS?: number): Promise<void> => {
    const esperarAte = waitS && new Date(meios.now().getTime() + waitS * 1000).toISOString()
    await meios.noteAndamento({
      rota: 'contrato',
      desde,
      ...(chave && { chave }),
      ...(esperarAte && { esperarAte }),
    })
  }
  let chave = earlier?.rota === 'contrato' ? earlier.chave : undefined
  // Since when an issuance of ours may have made what is found.
  let nossaDesde = earlier?.desde ?? ''
  if (!earlier) await noteStep()
  // The earlier attempt may have asked a moment ago.
  if (chave !== undefined) await tempo.pause(waitOf(earlier, meios.now()))
  for (let restarts = 0; ; ) {
    const reply = await ask(send, chave, tempo)
    const leitura = { cnpj, source, elapsedMs: tempo.elapsedMs(), now: meios.now() }
    const { resposta, sentido } = readReply(reply, leitura)
    if (sentido.tipo === 'certidao') return deliver(sentido, resposta, leitura, nossaDesde)
    if (sentido.tipo === 'recusa') {
      note({ vazia: sentido.status === 'positiva' })
      return { tipo: 'recusa', recusa: recusaDoStatus(sentido.status, resposta.mensagem, leitura) }
    }
    if (sentido.tipo === 'processando') {
      nossaDesde = desde
      const next = chaveOf(resposta, chave, leitura)
      const waitS = retryAfterOf(reply)
      if (next !== chave || waitS !== undefined) await noteStep(next, waitS)
      chave = next
      await tempo.pause(waitS)
    } else {
      const voids = sentido.tipo === 'recomecar' || sentido.voidsChave
      if (voids && chave !== undefined) await noteStep()
      if (sentido.tipo === 'falha') throw failureOfSentido(sentido, reply, leitura)
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

async function deliver(
  { emitida }: SentidoCnd & { tipo: 'certidao' },
  { certidao: entregue }: RespostaCnd,
  leitura: LeituraFederal,
  desde: string,
): Promise<RespostaFederal> {
  if (!entregue) throw broken(leitura, 'diz que há uma certidão, e não a enviou')
  const certidao = await readEntregue(entregue, leitura)
  return { tipo: 'certidao', certidao, emitida: emitida || isDesde(certidao.emissao, desde) }
}

function chaveOf({ chave }: RespostaCnd, before: string | undefined, leitura: LeituraFederal): string {
  const next = chave || before || ''
  if (isChave(next)) return next
  throw broken(leitura, 'ainda emite a certidão, e não deu a Chave para perguntar de novo')
}

function failureOfSentido(
  { why, unavailable }: SentidoCnd & { tipo: 'falha' },
  { status }: Reply,
  { elapsedMs }: LeituraFederal,
): SourceError {
  const message = `${source.nome} ${why}.`
  const details = { source: source.id, elapsedMs, status, unavailable, retryS: OUTAGE_S }
  return new SourceError('http', message, details)
}
