import type { Chave } from '../documento/chave.ts'
import { writeInstante } from '../documento/dia.ts'
import { type Evento, eventos, type Feito, type StatusNfe, type TipoDeEvento } from './rules.ts'
import {
  type Andamento,
  autorizacaoOf,
  type DesfechoDaNota,
  fimDoPrazo,
  formatPrazo,
  isInWindow,
  isRefeita,
  type Motivo,
  type Passo,
  proximoPasso,
} from './rules-manifestacao.ts'
import { conselhoDe, cstatDe, type ResultadoDaNota, relatoDe, resultadoOf } from './rules-resultado.ts'

export type Previsao = { status: StatusNfe; cstat: string; evento: EventoPrevisto | null; mensagem: string }

type EventoPrevisto = {
  codigo: TipoDeEvento
  nome: string
  /** The last second of its window. Null if no summary told when the note was authorized. */
  prazo: Date | null
  /** A Ciência after its window is still sent, because the authority judges. */
  noPrazo: boolean | null
}

const PORTAL_SEM_RESPOSTA: Feito = { passo: 'portal', resposta: { tipo: 'indisponivel', mensagem: '' } }

const PORTAL_NEGOU: Feito = { passo: 'portal', resposta: { tipo: 'negada', texto: '' } }

/** A portal that was not asked counts as one that does not release the note. */
export function forecastEvento(andamento: Andamento, limitadaAte?: Date): Previsao {
  const passo = stepAfterPortal(andamento, PORTAL_NEGOU)
  const evento = passo.tipo === 'ciencia' || passo.tipo === 'confirmacao' ? passo.tipo : null
  const semEvento = stepAfterPortal({ ...andamento, manifestar: false }, PORTAL_SEM_RESPOSTA)
  const desfecho = semEvento.tipo === 'responder' ? semEvento : undefined
  const relatos = andamento.feitos
    .filter((feito, i) => !isXml(feito) && !isRefeita(andamento.feitos, i))
    .map((feito) => relatoDe(feito, limitadaAte))
  const previsao = evento ? describeEvento(andamento, evento) : describeNone(passo)
  return {
    status: desfecho?.status ?? 'erro',
    cstat: desfecho ? cstatDe(andamento, desfecho) : '',
    evento: evento ? forecastOne(andamento, evento) : null,
    mensagem: ['Simulação: nada foi registrado.', ...relatos, previsao, ...conselhos(andamento, passo)].join(
      ' ',
    ),
  }
}

const isXml = (feito: Feito): boolean => feito.passo === 'consulta' && feito.resposta.tipo === 'xml'

function stepAfterPortal(andamento: Andamento, portal: Feito): Passo {
  const passo = proximoPasso(andamento)
  return passo.tipo === 'portal'
    ? proximoPasso({ ...andamento, feitos: [...andamento.feitos, portal] })
    : passo
}

function forecastOne(andamento: Andamento, evento: Evento): EventoPrevisto {
  const { tpEvento: codigo, nome } = eventos[evento]
  const autorizacao = autorizacaoOf(andamento)
  return {
    codigo,
    nome,
    prazo: autorizacao ? fimDoPrazo(autorizacao, andamento.prazos[evento]) : null,
    noPrazo: autorizacao ? isInWindow(andamento, evento) : null,
  }
}

const CONSEQUENCIA =
  'Ela declara que a operação ocorreu, não pode ser desfeita e impede o emitente de cancelar a nota.'

function describeEvento(andamento: Andamento, evento: Evento): string {
  const confirmacao = `a ${describePrazo(forecastOne(andamento, 'confirmacao'), andamento.prazos.confirmacao)}. ${CONSEQUENCIA}`
  if (evento === 'confirmacao')
    return `Uma consulta real procuraria a nota no portal nacional e, se ele não a liberasse, registraria ${confirmacao}`
  const previsto = forecastOne(andamento, 'ciencia')
  const ciencia = describePrazo(previsto, andamento.prazos.ciencia)
  const verbo = previsto.noPrazo === false ? 'tentaria registrar' : 'registraria'
  return (
    `Uma consulta real ${verbo} a ${ciencia}. Ela não pode ser desfeita e não impede uma manifestação posterior. ` +
    `Se a SEFAZ a recusasse por prazo e o portal nacional não liberasse a nota, seria registrada ${confirmacao}`
  )
}

function describePrazo({ codigo, nome, prazo, noPrazo }: EventoPrevisto, dias: number): string {
  const evento = `${nome} (${codigo})`
  if (!prazo) return `${evento}, aceita até ${dias} dias depois da autorização`
  return noPrazo
    ? `${evento}, aceita até ${formatPrazo(prazo)}`
    : `${evento}, cujo prazo terminou em ${formatPrazo(prazo)}`
}

function conselhos(andamento: Andamento, passo: Passo): string[] {
  if (passo.tipo !== 'responder' || passo.mayRetry) return []
  const { motivo } = passo
  return motivo === 'sem-permissao' || motivo === 'recusada' ? [conselhoDe(andamento, passo)] : []
}

const porques: Partial<Record<Motivo, string>> = {
  xml: 'o XML já está disponível',
  'sem-manifestar': 'manifestar = false não autoriza eventos',
  'passou-do-prazo': 'o prazo de toda manifestação terminou',
  'evento-nao-suportado': 'o certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1',
  cancelada: 'nota cancelada ou denegada não recebe evento',
}

function describeNone(passo: Passo): string {
  if (passo.tipo !== 'responder' || passo.motivo === 'falha' || isPausa(passo))
    return 'Só a resposta da SEFAZ diz se a nota pede manifestação; repita a simulação.'
  const porque = porques[passo.motivo]
  return `Uma consulta real não registraria evento${porque ? `: ${porque}` : ''}.`
}

/** Whether SEFAZ answered nothing about the note because it is paused (108, 109). */
const isPausa = ({ motivo, mayRetry }: DesfechoDaNota): boolean => motivo === 'recusada' && mayRetry

export function resultadoDaSimulacao({ chave }: Chave, previsao: Previsao): ResultadoDaNota {
  const { status, cstat, mensagem, evento } = previsao
  const simulacao = {
    evento: evento?.codigo ?? null,
    descricao: evento?.nome ?? '',
    prazo: evento?.prazo ? writeInstante(evento.prazo) : '',
    no_prazo: evento?.noPrazo ?? null,
    irreversivel: evento !== null,
  }
  return resultadoOf(chave, { status, cstat, mensagem, simulacao })
}
