import {
  type Andamento,
  autorizacaoOf,
  codigoDe,
  codigoOf,
  consultaOf,
  type EventoFeito,
  eventosOf,
  isLiberado,
  isRegistrado,
} from './andamento.ts'
import type { Desfecho, Motivo } from './manifestacao.ts'
import { type Evento, eventos, type Feito, type RespostaDaDistribuicao } from './nfe.ts'
import { relatoDe } from './nfe-relato.ts'
import { fimDoPrazo, formatPrazo, noPrazo } from './prazo.ts'

/** SEFAZ's "documento localizado", with the note or with its summary. */
const LOCALIZADO = '138'

/** SEFAZ's "consumo indevido": what it would answer where a certificate is known to be limited and is not asked about. */
const LIMITADO = '656'

const SEM_RSA = 'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1.'

const MINUTOS = 'Repita a consulta em alguns minutos'

/**
 * The `mensagem` of a result: what came of each step, in the authority's own words where it refused, and what to do next.
 * An event that was registered is always told. `limitadaAte` is when a known limit of the holder's queries ends.
 */
export function mensagemDe(andamento: Andamento, desfecho: Desfecho, limitadaAte?: Date): string {
  const relatos = andamento.feitos
    .filter((feito, i) => isTold(andamento.feitos, feito, i, desfecho))
    .map((feito) => relatoDe(feito, limitadaAte))
  // The note first, then what was done for it.
  if (desfecho.motivo === 'xml') relatos.unshift(...relatos.splice(-1))
  return [...relatos, ...ressalvas(andamento, desfecho), conselho(andamento, desfecho, limitadaAte)]
    .filter(Boolean)
    .join(' ')
}

/** Of several summaries the first is told; where the note came, nothing of the summary and of a portal that refused before. */
function isTold(feitos: readonly Feito[], feito: Feito, at: number, { motivo }: Desfecho): boolean {
  if (motivo === 'xml' && at === feitos.length - 1) return true
  if (feito.passo === 'portal') return motivo !== 'xml'
  if (feito.passo !== 'consulta' || feito.resposta.tipo !== 'resumo') return true
  if (feito.resposta.situacao !== 'autorizada') return true
  return motivo !== 'xml' && feitos.findIndex(({ passo }) => passo === 'consulta') === at
}

/** What no step tells: that the certificate cannot sign, and that nothing was registered where an event might have been. */
function ressalvas(andamento: Andamento, { motivo, manifestacao }: Desfecho): string[] {
  const mayStand = (evento: EventoFeito): boolean => evento.desfecho.tipo === 'falha' || isRegistrado(evento)
  const isAsked = manifestacao !== null || motivo === 'sem-manifestar' || motivo.startsWith('portal')
  return [
    manifestacao?.endsWith('_nao_suportada') ? SEM_RSA : '',
    isAsked && !eventosOf(andamento).some(mayStand) ? 'Nenhum evento foi registrado nesta consulta.' : '',
  ]
}

const conselhos: Record<Motivo, string> = {
  xml: '',
  'sem-manifestar': '',
  'passou-do-prazo': 'Nenhum evento foi enviado. Peça o XML a quem emitiu a nota.',
  'nao-liberada-ainda': `O XML ainda não foi liberado. ${MINUTOS}: nenhum evento será registrado de novo.`,
  'evento-rejeitado': 'O XML não foi liberado; peça-o a quem emitiu a nota.',
  'evento-falhou': `${MINUTOS}: um evento já registrado não será registrado de novo.`,
  'evento-nao-suportado': 'Envie um certificado do mesmo titular com chave RSA.',
  'portal-indisponivel': `${MINUTOS}.`,
  'portal-negou': 'Peça o XML a quem emitiu a nota.',
  cancelada: 'Nota cancelada ou denegada não recebe evento; peça o XML a quem a emitiu.',
  'nao-encontrada':
    'Confira a chave no DANFE; uma nota autorizada há pouco pode levar alguns minutos para aparecer.',
  'sem-permissao':
    'Use o certificado do emitente, do destinatário, do transportador ou de quem a nota autoriza.',
  'chave-invalida': 'Confira a chave no DANFE ou no XML da nota.',
  recusada: 'A recusa é da SEFAZ, e repetir agora não muda a resposta.',
  falha: `${MINUTOS}.`,
}

function conselho(andamento: Andamento, desfecho: Desfecho, limitadaAte: Date | undefined): string {
  const { motivo, tentarDeNovo } = desfecho
  if (motivo === 'sem-manifestar') return conselhoDeManifestar(andamento)
  if (motivo === 'passou-do-prazo') return `${prazoVencido(andamento)} ${conselhos[motivo]}`
  if (motivo === 'evento-rejeitado' && codigoOf(andamento, 'ciencia') === '655')
    return 'Se a conclusiva for o Desconhecimento da Operação, o XML não é liberado; peça-o a quem emitiu a nota.'
  if (motivo === 'portal-negou' && andamento.emitente) return 'O XML está no sistema que emitiu a nota.'
  const isLimited = consultaOf(andamento)?.tipo === 'limitada'
  if (isLimited && tentarDeNovo && (motivo === 'portal-negou' || motivo === 'nao-liberada-ainda'))
    return conselhoDoLimite(andamento, limitadaAte)
  const isPassing = tentarDeNovo && (motivo === 'recusada' || motivo === 'evento-rejeitado')
  return isPassing ? `${MINUTOS}.` : conselhos[motivo]
}

function conselhoDoLimite(andamento: Andamento, limitadaAte: Date | undefined): string {
  const quando = limitadaAte ? `depois de ${formatPrazo(limitadaAte)}` : 'daqui a uma hora'
  const evento = eventosOf(andamento).some(isRegistrado) ? ': nenhum evento será registrado de novo' : ''
  return `Repita a consulta ${quando}${evento}.`
}

/** Which event a call with `manifestar` would send, and until when. */
function conselhoDeManifestar(andamento: Andamento): string {
  const aberto = (['ciencia', 'confirmacao'] as const).find((evento) => isAberto(andamento, evento))
  if (!aberto) return `${prazoVencido(andamento)} Peça o XML a quem emitiu a nota.`
  const fim = fimDe(andamento, aberto)
  return `Para liberar o XML, repita a consulta com manifestar = true: a ${eventos[aberto].nome} é aceita até ${fim}.`
}

function isAberto(andamento: Andamento, evento: Evento): boolean {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao !== undefined && noPrazo(autorizacao, andamento.prazos[evento], andamento.agora)
}

function fimDe(andamento: Andamento, evento: Evento): string {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao ? formatPrazo(fimDoPrazo(autorizacao, andamento.prazos[evento])) : ''
}

const prazoVencido = (andamento: Andamento): string =>
  `Nenhuma manifestação é aceita depois de ${andamento.prazos.confirmacao} dias da autorização, prazo que terminou em ${fimDe(andamento, 'confirmacao')}.`

/**
 * The `cstat` of a result, "Status code returned by SEFAZ": that of the refused event that decided it, else that of the last
 * query (138 with the note or its summary; 656 also where it was known and not asked). Empty where no code came.
 */
export function cstatDe(andamento: Andamento, { motivo }: Desfecho): string {
  if (motivo === 'falha' || motivo === 'evento-falhou') return ''
  const evento = codigoDe(eventosOf(andamento).at(-1))
  if (motivo === 'evento-rejeitado') return evento
  const isRefusal = evento !== '' && !isLiberado(evento)
  const isAfter = andamento.feitos.at(-1)?.passo !== 'consulta'
  return isRefusal && isAfter ? evento : codigoDaConsulta(consultaOf(andamento))
}

function codigoDaConsulta(resposta: RespostaDaDistribuicao | undefined): string {
  switch (resposta?.tipo) {
    case 'xml':
    case 'resumo':
      return LOCALIZADO
    case 'limitada':
      return resposta.cStat || LIMITADO
    case 'falha':
    case undefined:
      return ''
    default:
      return resposta?.cStat ?? ''
  }
}
