import { type Evento, eventos } from './nfe.ts'
import { fimDoPrazo, formatPrazo, noPrazo } from './prazo.ts'
import {
  type Andamento,
  autorizacaoOf,
  codigoDe,
  codigoOf,
  eventosOf,
  isEmitente,
  isRegistrado,
  mayStand,
  respostaDaConsulta,
} from './rules.ts'
import type { DesfechoDaNota } from './rules-manifestacao.ts'

const CONFIRA = 'Confira a chave no DANFE ou no XML da nota.'
const PECA = 'Peça o XML a quem emitiu a nota.'

/**
 * Advises in Portuguese what to do next about a note. Empty if there is nothing to do; `limitadaAte` as in
 * `mensagemDe`.
 */
export function conselhoDe(andamento: Andamento, desfecho: DesfechoDaNota, limitadaAte?: Date): string {
  const { motivo, tentarDeNovo } = desfecho
  switch (motivo) {
    case 'xml':
      return ''
    case 'sem-manifestar':
      return manifeste(andamento)
    case 'passou-do-prazo':
      return `${prazoVencido(andamento)} Nenhum evento foi enviado. ${PECA}`
    case 'nao-liberada-ainda':
      return `O XML ainda não foi liberado. ${repita(andamento, limitadaAte)}`
    case 'evento-rejeitado':
      return tentarDeNovo ? repita(andamento, limitadaAte) : semEvento(andamento)
    case 'evento-falhou':
      return tentarDeNovo ? repita(andamento, limitadaAte) : ''
    case 'evento-nao-suportado':
      return 'Envie um certificado do mesmo titular com chave RSA.'
    case 'portal-indisponivel':
      return tentarDeNovo ? repita(andamento, limitadaAte) : semPortal(andamento, desfecho)
    case 'portal-negou':
      return semPortal(andamento, desfecho, limitadaAte)
    case 'cancelada':
      return 'Nota cancelada ou denegada não recebe evento; peça o XML a quem a emitiu.'
    case 'nao-encontrada':
      return tentarDeNovo ? `${CONFIRA} ${apareca(andamento, limitadaAte)}` : CONFIRA
    case 'sem-permissao':
      return semPermissao(andamento)
    case 'chave-invalida':
      return CONFIRA
    case 'recusada':
      return tentarDeNovo ? repita(andamento, limitadaAte) : recusada(andamento)
    case 'falha':
      return tentarDeNovo ? repita(andamento, limitadaAte) : ''
  }
}

/** Says that a note which was authorized a moment ago is still to come. */
const apareca = (andamento: Andamento, limitadaAte?: Date): string =>
  `Uma nota autorizada há pouco pode levar alguns minutos para aparecer. ${repita(andamento, limitadaAte)}`

/** Says when to ask again: as soon as the holder has a query left. The answer's Retry-After says the same. */
function repita(andamento: Andamento, limitadaAte?: Date): string {
  const quando = limitadaAte ? `depois de ${formatPrazo(limitadaAte)}` : 'em alguns minutos'
  return `Repita a consulta ${quando}${promessa(andamento)}.`
}

/** Promises what the repeated call will do with the events. */
function promessa(andamento: Andamento): string {
  const sent = eventosOf(andamento)
  if (sent.some(isRegistrado)) return ': nenhum evento será registrado de novo'
  return sent.some(mayStand) ? ': um evento já registrado não será registrado de novo' : ''
}

const PARTICIPANTE =
  'use o certificado do emitente, do destinatário, do transportador ou de quem a nota autoriza.'

/**
 * SEFAZ compares the whole CNPJ (640). The same certificate may ask for another establishment of its company.
 */
function semPermissao({ interessado: { tipo, documento } }: Andamento): string {
  if (tipo === 'cpf') return `A consulta foi feita em nome do CPF do certificado; ${PARTICIPANTE}`
  return (
    `A consulta foi feita em nome do CNPJ ${documento}, e a SEFAZ compara o número inteiro: se a nota é de outro estabelecimento ` +
    `da mesma empresa (matriz ou filial), repita a consulta com o mesmo certificado e o CNPJ dele no campo cnpj. ` +
    `Se é de outra empresa, ${PARTICIPANTE}`
  )
}

/**
 * The published layouts take only digits in the query and in the event's identifier (distDFeInt_v1.01.xsd,
 * leiauteConfRecebto_v1.00.xsd of PL_010 V1.30). An authority that follows them answers letters with 215 or
 * 225.
 */
const LETRAS =
  'A chave ou o CNPJ da consulta tem letras, e a SEFAZ parece ainda não aceitá-las aqui: os leiautes publicados da consulta por chave e do evento só têm dígitos. ' +
  'Repetir agora não muda a resposta; peça o XML a quem emitiu a nota.'

/** 215 and 225: the message, or the lot of events, does not fit the layout. */
const FORA_DO_LEIAUTE = ['215', '225']

function recusada(andamento: Andamento): string {
  const consulta = respostaDaConsulta(andamento)
  const cStat = consulta && 'cStat' in consulta ? consulta.cStat : ''
  return andamento.letras && FORA_DO_LEIAUTE.includes(cStat)
    ? LETRAS
    : 'A recusa é da SEFAZ, e repetir agora não muda a resposta.'
}

/**
 * 577 and 578: the event is before its note, or over 5 minutes after the authority's clock (rules of the
 * event 210210).
 */
const RELOGIO = ['577', '578']

/**
 * 655: a concluding event stands. Of these only Desconhecimento (210220) releases nothing (NT 2014.002 v1.21,
 * 3).
 */
function semEvento(andamento: Andamento): string {
  const codigo = codigoDe(eventosOf(andamento).at(-1))
  if (andamento.letras && FORA_DO_LEIAUTE.includes(codigo)) return LETRAS
  if (RELOGIO.includes(codigo))
    return 'O relógio deste serviço parece errado: peça ao operador que o acerte, e repita a consulta.'
  return codigoOf(andamento, 'ciencia') === '655'
    ? 'Se a conclusiva for o Desconhecimento da Operação, o XML não é liberado; peça-o a quem emitiu a nota.'
    : 'O XML não foi liberado; peça-o a quem emitiu a nota.'
}

function semPortal(andamento: Andamento, { tentarDeNovo }: DesfechoDaNota, limitadaAte?: Date): string {
  if (isEmitente(andamento) || respostaDaConsulta(andamento)?.tipo === 'emitente')
    return 'O XML está no sistema que emitiu a nota.'
  return tentarDeNovo ? repita(andamento, limitadaAte) : PECA
}

/** Tells which event a call with `manifestar` would send, and until when it is accepted. */
function manifeste(andamento: Andamento): string {
  const autorizacao = autorizacaoOf(andamento)
  const { prazos, agora } = andamento
  const aberto = (['ciencia', 'confirmacao'] as const).find(
    (evento) => autorizacao && noPrazo(autorizacao, prazos[evento], agora),
  )
  if (!aberto) return `${prazoVencido(andamento)} ${PECA}`
  const comQue = andamento.assina ? '' : ' e um certificado de chave RSA'
  return `Para liberar o XML, repita a consulta com manifestar = true${comQue}: a ${eventos[aberto].nome} é aceita até ${fimDe(andamento, aberto)}.`
}

function fimDe(andamento: Andamento, evento: Evento): string {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao ? formatPrazo(fimDoPrazo(autorizacao, andamento.prazos[evento])) : ''
}

const prazoVencido = (andamento: Andamento): string =>
  `Nenhuma manifestação é aceita depois de ${andamento.prazos.confirmacao} dias da autorização, prazo que terminou em ${fimDe(andamento, 'confirmacao')}.`
