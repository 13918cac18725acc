import {
  type CodigoSefaz,
  eventos,
  type Feito,
  type RespostaDaDistribuicao,
  type RespostaDoPortal,
} from './nfe.ts'
import { formatPrazo } from './prazo.ts'
import { type EventoFeito, isLiberado } from './rules.ts'

const MAXIMO = 200

function shorten(text: string): string {
  const limpo = text.replace(/\s+/g, ' ').trim()
  return limpo.length <= MAXIMO ? limpo : `${limpo.slice(0, MAXIMO).trimEnd()}…`
}

/** Quotes a code with the authority's own words: `596: “Rejeicao: Evento apresentado…”`. */
const cite = ({ cStat, xMotivo }: CodigoSefaz): string =>
  xMotivo.trim() ? `${cStat}: “${shorten(xMotivo)}”` : cStat

/**
 * Tells the outcome of one step in a Portuguese sentence. `limitadaAte` is the end of a known limit of
 * queries.
 */
export function relatoDe(feito: Feito, limitadaAte?: Date): string {
  switch (feito.passo) {
    case 'consulta':
      return `${feito.comoEmitente ? COMO_EMITENTE : ''}${relatoDaConsulta(feito.resposta, limitadaAte)}`
    case 'portal':
      return relatoDoPortal(feito.resposta)
    default:
      return relatoDoEvento(feito)
  }
}

const COMO_EMITENTE =
  'Outro estabelecimento da mesma empresa emitiu a nota, e ela foi consultada também em nome dele. '

function relatoDaConsulta(resposta: RespostaDaDistribuicao, limitadaAte?: Date): string {
  switch (resposta.tipo) {
    case 'xml':
      return 'XML completo, entregue pelo Ambiente Nacional da NF-e.'
    case 'resumo':
      return resposta.situacao === 'autorizada'
        ? 'A SEFAZ entregou só o resumo da nota.'
        : `A SEFAZ entregou só o resumo: a nota está ${resposta.situacao}.`
    case 'limitada':
      return relatoDoLimite(resposta, limitadaAte)
    case 'fora-prazo':
      return `A SEFAZ já não entrega esta nota pela chave (${cite(resposta)}).`
    case 'emitente':
      return `A SEFAZ não entrega a nota pela chave a quem a emitiu (${cite(resposta)}).`
    case 'nao-encontrada':
      return `A SEFAZ não localizou a NF-e desta chave (${cite(resposta)}).`
    case 'sem-permissao':
      return `O CNPJ ou CPF da consulta não participa desta nota (${cite(resposta)}).`
    case 'cancelada':
      return `A nota está cancelada ou denegada, e o XML não é entregue (${cite(resposta)}).`
    case 'chave-invalida':
      return `A SEFAZ não aceita a chave de acesso (${cite(resposta)}).`
    case 'recusada':
      return `A SEFAZ recusou a consulta (${cite(resposta)}).`
    case 'falha':
      return resposta.mensagem
  }
}

function relatoDoLimite(codigo: CodigoSefaz, ate: Date | undefined): string {
  const fim = ate ? `até ${formatPrazo(ate)}` : ''
  return codigo.cStat
    ? `A SEFAZ está limitando as consultas por chave deste CNPJ ou CPF (${cite(codigo)})${fim && `, ${fim}`}.`
    : `Este CNPJ ou CPF usou todas as consultas por hora que a SEFAZ permite${fim && ` e espera ${fim}`}; a nota não foi consultada pela chave.`
}

function relatoDoEvento({ passo, desfecho }: EventoFeito): string {
  const { nome, tpEvento } = eventos[passo]
  const evento = `A ${nome} (${tpEvento})`
  if (desfecho.tipo === 'falha' && desfecho.semEfeito)
    return `${evento} não foi registrada. ${desfecho.mensagem}`
  if (desfecho.tipo === 'falha')
    return `${evento} ficou sem resposta, e não se sabe se foi registrada. ${desfecho.mensagem}`
  if (desfecho.cStat === '573') return `${evento} já estava registrada.`
  if (desfecho.cStat === '655')
    return `${evento} não cabe mais: a nota já tem manifestação conclusiva (${cite(desfecho)}).`
  if (isLiberado(desfecho.cStat)) return `${evento} foi registrada e não pode ser desfeita${efeitos[passo]}.`
  if (desfecho.cStat === '596') return `${evento} foi recusada por prazo (${cite(desfecho)}).`
  return `${evento} foi recusada (${cite(desfecho)}).`
}

const efeitos = {
  ciencia: '; ela não impede uma manifestação posterior',
  confirmacao: ': o emitente já não pode cancelar a nota',
} as const satisfies Record<EventoFeito['passo'], string>

function relatoDoPortal(resposta: RespostaDoPortal): string {
  switch (resposta.tipo) {
    case 'xml':
      return 'XML completo, obtido no portal nacional da NF-e.'
    case 'negada':
      return `O portal nacional da NF-e não liberou o download: “${shorten(resposta.texto).replace(/\.$/, '')}”.`
    case 'indisponivel':
      return resposta.mensagem
  }
}
