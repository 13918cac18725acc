import { type Andamento, autorizacaoOf, codigoOf, consultaOf, eventosOf, isRegistrado } from './andamento.ts'
import type { Desfecho } from './manifestacao.ts'
import { type Evento, eventos } from './nfe.ts'
import { fimDoPrazo, formatPrazo, noPrazo } from './prazo.ts'

const PECA = 'Peça o XML a quem emitiu a nota.'

/** What to do next about a note, in Portuguese; empty where nothing is to be done. `limitadaAte` as in `mensagemDe`. */
export function conselhoDe(andamento: Andamento, desfecho: Desfecho, limitadaAte?: Date): string {
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
      return tentarDeNovo ? repita(andamento) : semEvento(andamento)
    case 'evento-falhou':
      return tentarDeNovo
        ? 'Repita a consulta em alguns minutos: um evento já registrado não será registrado de novo.'
        : ''
    case 'evento-nao-suportado':
      return 'Envie um certificado do mesmo titular com chave RSA.'
    case 'portal-indisponivel':
      return repita(andamento)
    case 'portal-negou':
      return semPortal(andamento, desfecho, limitadaAte)
    case 'cancelada':
      return 'Nota cancelada ou denegada não recebe evento; peça o XML a quem a emitiu.'
    case 'nao-encontrada':
      return 'Confira a chave no DANFE; uma nota autorizada há pouco pode levar alguns minutos para aparecer.'
    case 'sem-permissao':
      return 'Use o certificado do emitente, do destinatário, do transportador ou de quem a nota autoriza.'
    case 'chave-invalida':
      return 'Confira a chave no DANFE ou no XML da nota.'
    case 'recusada':
      return tentarDeNovo ? repita(andamento) : 'A recusa é da SEFAZ, e repetir agora não muda a resposta.'
    case 'falha':
      return tentarDeNovo ? repita(andamento) : ''
  }
}

/** When to ask again: after the limit of a certificate that only a query can help, else soon. */
function repita(andamento: Andamento, limitadaAte?: Date): string {
  const isLimited = consultaOf(andamento)?.tipo === 'limitada' && limitadaAte !== undefined
  const quando = isLimited ? `depois de ${formatPrazo(limitadaAte)}` : 'em alguns minutos'
  const evento = eventosOf(andamento).some(isRegistrado) ? ': nenhum evento será registrado de novo' : ''
  return `Repita a consulta ${quando}${evento}.`
}

/** 655: a conclusive event stands, and of these only Desconhecimento (210220) releases nothing (NT 2014.002 v1.21, 3). */
const semEvento = (andamento: Andamento): string =>
  codigoOf(andamento, 'ciencia') === '655'
    ? 'Se a conclusiva for o Desconhecimento da Operação, o XML não é liberado; peça-o a quem emitiu a nota.'
    : 'O XML não foi liberado; peça-o a quem emitiu a nota.'

function semPortal(andamento: Andamento, { tentarDeNovo }: Desfecho, limitadaAte?: Date): string {
  if (andamento.emitente || consultaOf(andamento)?.tipo === 'emitente')
    return 'O XML está no sistema que emitiu a nota.'
  return tentarDeNovo ? repita(andamento, limitadaAte) : PECA
}

/** Which event a call with `manifestar` would send, and until when it is accepted. */
function manifeste(andamento: Andamento): string {
  const autorizacao = autorizacaoOf(andamento)
  const { prazos, agora } = andamento
  const aberto = (['ciencia', 'confirmacao'] as const).find(
    (evento) => autorizacao && noPrazo(autorizacao, prazos[evento], agora),
  )
  if (!aberto) return `${prazoVencido(andamento)} ${PECA}`
  return `Para liberar o XML, repita a consulta com manifestar = true: a ${eventos[aberto].nome} é aceita até ${fimDe(andamento, aberto)}.`
}

function fimDe(andamento: Andamento, evento: Evento): string {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao ? formatPrazo(fimDoPrazo(autorizacao, andamento.prazos[evento])) : ''
}

const prazoVencido = (andamento: Andamento): string =>
  `Nenhuma manifestação é aceita depois de ${andamento.prazos.confirmacao} dias da autorização, prazo que terminou em ${fimDe(andamento, 'confirmacao')}.`
