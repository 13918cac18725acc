import type { Feito, RespostaDaDistribuicao } from './nfe.ts'
import { relatoDe } from './relato.ts'
import {
  type Andamento,
  codigoDe,
  eventosOf,
  isLiberado,
  isRefeita,
  mayStand,
  respostaDaConsulta,
} from './rules.ts'
import type { DesfechoDaNota } from './rules-manifestacao.ts'
import { conselhoDe } from './rules-mensagem.ts'

/** SEFAZ's "documento localizado", with the note or with its summary. */
const LOCALIZADO = '138'

/**
 * SEFAZ's "consumo indevido". It is the answer for a certificate that is known to be limited and so is not
 * asked about.
 */
const LIMITADO = '656'

const SEM_RSA = 'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1.'

/**
 * Writes the `mensagem` of a result: the outcome of each step, in the authority's own words if it refused,
 * always a registered event, and what to do next. `limitadaAte` is the end of a known limit of the holder's
 * queries.
 */
export function mensagemDe(andamento: Andamento, desfecho: DesfechoDaNota, limitadaAte?: Date): string {
  const relatos = andamento.feitos
    .filter((feito, i) => isTold(andamento.feitos, feito, i, desfecho))
    .map((feito) => relatoDe(feito, limitadaAte))
  // Tells the note first, then what was done for it.
  if (desfecho.motivo === 'xml') relatos.unshift(...relatos.splice(-1))
  return [...relatos, ...ressalvas(andamento, desfecho), conselhoDe(andamento, desfecho, limitadaAte)]
    .filter(Boolean)
    .join(' ')
}

/**
 * Leaves out what a later step repeats or replaces: a second summary, an event before its repetition, a 640
 * before the query in the issuer's name. If the note came, the summary and a refusing portal are left out
 * too.
 */
function isTold(feitos: readonly Feito[], feito: Feito, at: number, { motivo }: DesfechoDaNota): boolean {
  if (motivo === 'xml' && at === feitos.length - 1) return true
  if (feito.passo === 'portal') return motivo !== 'xml'
  if (feito.passo !== 'consulta') return !feitos.slice(at + 1).some(({ passo }) => passo === feito.passo)
  const { resposta } = feito
  if (isRefeita(feitos, at)) return false
  if (resposta.tipo === 'resumo' && resposta.situacao !== 'autorizada') return true
  const isFirst = feitos.findIndex((other) => isAlike(other, resposta)) === at
  return resposta.tipo === 'resumo' || resposta.tipo === 'nao-encontrada' ? motivo !== 'xml' && isFirst : true
}

const isAlike = (feito: Feito, { tipo }: RespostaDaDistribuicao): boolean =>
  feito.passo === 'consulta' && feito.resposta.tipo === tipo

/**
 * Tells what no step tells: that the certificate cannot sign, and that nothing was registered although an
 * event was possible.
 */
function ressalvas(andamento: Andamento, { motivo, manifestacao }: DesfechoDaNota): string[] {
  const isAsked = manifestacao !== null || motivo === 'sem-manifestar' || motivo.startsWith('portal')
  return [
    manifestacao?.endsWith('_nao_suportada') ? SEM_RSA : '',
    isAsked && !eventosOf(andamento).some(mayStand) ? 'Nenhum evento foi registrado nesta consulta.' : '',
  ]
}

/**
 * The `cstat` of a result ("Status code returned by SEFAZ"): of the refused event that decided it, else of
 * the last query (138 with the note or its summary; 656 also if it was known and not asked). Empty if no code
 * came.
 */
export function cstatDe(andamento: Andamento, { motivo }: DesfechoDaNota): string {
  if (motivo === 'falha' || motivo === 'evento-falhou') return ''
  const evento = codigoDe(eventosOf(andamento).at(-1))
  if (motivo === 'evento-rejeitado') return evento
  const isRefusal = evento !== '' && !isLiberado(evento)
  const isAfter = andamento.feitos.at(-1)?.passo !== 'consulta'
  if (isRefusal && isAfter) return evento
  const consulta = respostaDaConsulta(andamento)
  return consulta ? codigoDaConsulta(consulta) : ''
}

function codigoDaConsulta(resposta: RespostaDaDistribuicao): string {
  switch (resposta.tipo) {
    case 'xml':
    case 'resumo':
      return LOCALIZADO
    case 'limitada':
      return resposta.cStat || LIMITADO
    case 'falha':
      return ''
    default:
      return resposta.cStat
  }
}
