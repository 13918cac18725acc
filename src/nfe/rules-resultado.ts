import type { Chave, ChaveProblem } from '../documento/chave.ts'
import type { Titular } from '../platform/wire/certificado.ts'
import {
  type CodigoSefaz,
  type Evento,
  eventos,
  type Feito,
  type Manifestacao,
  type RespostaDaDistribuicao,
  type RespostaDoPortal,
  type StatusNfe,
  type TipoDeEvento,
} from './rules.ts'
import {
  type Andamento,
  autorizacaoOf,
  codigoDe,
  codigoOf,
  type DesfechoDaNota,
  type EventoFeito,
  eventosOf,
  type Fim,
  fimDoPrazo,
  formatPrazo,
  isEmitente,
  isLiberado,
  isRefeita,
  isRegistrado,
  mayStand,
  noPrazo,
  respostaDaConsulta,
  xmlOf,
} from './rules-manifestacao.ts'

const MAXIMO = 200

function shorten(text: string): string {
  const limpo = text.replace(/\s+/g, ' ').trim()
  return limpo.length <= MAXIMO ? limpo : `${limpo.slice(0, MAXIMO).trimEnd()}…`
}

const cite = ({ cStat, xMotivo }: CodigoSefaz): string =>
  xMotivo.trim() ? `${cStat}: “${shorten(xMotivo)}”` : cStat

/** `limitadaAte` is the end of a known limit of queries. */
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

const CONFIRA = 'Confira a chave no DANFE ou no XML da nota.'
const PECA = 'Peça o XML a quem emitiu a nota.'

export function conselhoDe(andamento: Andamento, desfecho: DesfechoDaNota, limitadaAte?: Date): string {
  const { motivo, mayRetry } = desfecho
  switch (motivo) {
    case 'xml':
      return ''
    case 'sem-manifestar':
      return adviseToManifest(andamento)
    case 'passou-do-prazo':
      return `${prazoVencido(andamento)} Nenhum evento foi enviado. ${PECA}`
    case 'nao-liberada-ainda':
      return `O XML ainda não foi liberado. ${adviseToRepeat(andamento, limitadaAte)}`
    case 'evento-rejeitado':
      return mayRetry ? adviseToRepeat(andamento, limitadaAte) : semEvento(andamento)
    case 'evento-falhou':
      return mayRetry ? adviseToRepeat(andamento, limitadaAte) : ''
    case 'evento-nao-suportado':
      return 'Envie um certificado do mesmo titular com chave RSA.'
    case 'portal-indisponivel':
      return mayRetry ? adviseToRepeat(andamento, limitadaAte) : semPortal(andamento, desfecho)
    case 'portal-negou':
      return semPortal(andamento, desfecho, limitadaAte)
    case 'cancelada':
      return 'Nota cancelada ou denegada não recebe evento; peça o XML a quem a emitiu.'
    case 'nao-encontrada':
      return mayRetry ? `${CONFIRA} ${adviseToWait(andamento, limitadaAte)}` : CONFIRA
    case 'sem-permissao':
      return semPermissao(andamento)
    case 'chave-invalida':
      return CONFIRA
    case 'recusada':
      return mayRetry ? adviseToRepeat(andamento, limitadaAte) : recusada(andamento)
    case 'falha':
      return mayRetry ? adviseToRepeat(andamento, limitadaAte) : ''
  }
}

const adviseToWait = (andamento: Andamento, limitadaAte?: Date): string =>
  `Uma nota autorizada há pouco pode levar alguns minutos para aparecer. ${adviseToRepeat(andamento, limitadaAte)}`

function adviseToRepeat(andamento: Andamento, limitadaAte?: Date): string {
  const quando = limitadaAte ? `depois de ${formatPrazo(limitadaAte)}` : 'em alguns minutos'
  return `Repita a consulta ${quando}${promessa(andamento)}.`
}

function promessa(andamento: Andamento): string {
  const sent = eventosOf(andamento)
  if (sent.some(isRegistrado)) return ': nenhum evento será registrado de novo'
  return sent.some(mayStand) ? ': um evento já registrado não será registrado de novo' : ''
}

const PARTICIPANTE =
  'use o certificado do emitente, do destinatário, do transportador ou de quem a nota autoriza.'

/** SEFAZ compares the whole CNPJ (640). */
function semPermissao({ interessado: { tipo, documento } }: Andamento): string {
  if (tipo === 'cpf') return `A consulta foi feita em nome do CPF do certificado; ${PARTICIPANTE}`
  return (
    `A consulta foi feita em nome do CNPJ ${documento}, e a SEFAZ compara o número inteiro: se a nota é de outro estabelecimento ` +
    `da mesma empresa (matriz ou filial), repita a consulta com o mesmo certificado e o CNPJ dele no campo cnpj. ` +
    `Se é de outra empresa, ${PARTICIPANTE}`
  )
}

/** The published layouts take only digits (distDFeInt_v1.01.xsd, leiauteConfRecebto_v1.00.xsd). */
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

/** Before its note, or over 5 minutes after the authority's clock (rules of the event 210210). */
const RELOGIO = ['577', '578']

/** 655: of the concluding events only Desconhecimento (210220) releases nothing (NT 2014.002 v1.21, 3). */
function semEvento(andamento: Andamento): string {
  const codigo = codigoDe(eventosOf(andamento).at(-1))
  if (andamento.letras && FORA_DO_LEIAUTE.includes(codigo)) return LETRAS
  if (RELOGIO.includes(codigo))
    return 'O relógio deste serviço parece errado: peça ao operador que o acerte, e repita a consulta.'
  return codigoOf(andamento, 'ciencia') === '655'
    ? 'Se a conclusiva for o Desconhecimento da Operação, o XML não é liberado; peça-o a quem emitiu a nota.'
    : 'O XML não foi liberado; peça-o a quem emitiu a nota.'
}

function semPortal(andamento: Andamento, { mayRetry }: DesfechoDaNota, limitadaAte?: Date): string {
  if (isEmitente(andamento) || respostaDaConsulta(andamento)?.tipo === 'emitente')
    return 'O XML está no sistema que emitiu a nota.'
  return mayRetry ? adviseToRepeat(andamento, limitadaAte) : PECA
}

function adviseToManifest(andamento: Andamento): string {
  const autorizacao = autorizacaoOf(andamento)
  const { prazos, agora } = andamento
  const aberto = (['ciencia', 'confirmacao'] as const).find(
    (evento) => autorizacao && noPrazo(autorizacao, prazos[evento], agora),
  )
  if (!aberto) return `${prazoVencido(andamento)} ${PECA}`
  const comQue = andamento.canSign ? '' : ' e um certificado de chave RSA'
  return `Para liberar o XML, repita a consulta com manifestar = true${comQue}: a ${eventos[aberto].nome} é aceita até ${fimDe(andamento, aberto)}.`
}

function fimDe(andamento: Andamento, evento: Evento): string {
  const autorizacao = autorizacaoOf(andamento)
  return autorizacao ? formatPrazo(fimDoPrazo(autorizacao, andamento.prazos[evento])) : ''
}

const prazoVencido = (andamento: Andamento): string =>
  `Nenhuma manifestação é aceita depois de ${andamento.prazos.confirmacao} dias da autorização, prazo que terminou em ${fimDe(andamento, 'confirmacao')}.`

const LOCALIZADO = '138'

/** SEFAZ's "consumo indevido", also for a certificate that is known to be limited and not asked about. */
const LIMITADO = '656'

const SEM_RSA = 'O certificado não tem chave RSA, e os eventos só aceitam assinatura RSA-SHA1.'

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

/** Leaves out what a later step repeats or replaces, and what no longer matters once the note came. */
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

function ressalvas(andamento: Andamento, { motivo, manifestacao }: DesfechoDaNota): string[] {
  const isAsked = manifestacao !== null || motivo === 'sem-manifestar' || motivo.startsWith('portal')
  return [
    manifestacao?.endsWith('_nao_suportada') ? SEM_RSA : '',
    isAsked && !eventosOf(andamento).some(mayStand) ? 'Nenhum evento foi registrado nesta consulta.' : '',
  ]
}

/** Of the refused event that decided the result, else of the last query. Empty if no code came. */
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

export type ResultadoDaNota = {
  chave: string
  status: StatusNfe
  cstat: string
  mensagem: string
  from_cache: boolean
  manifestacao: Manifestacao | null
  xml: string | null
  simulacao?: Simulacao
  retryable?: boolean
}

type Simulacao = {
  evento: TipoDeEvento | null
  descricao: string
  prazo: string
  no_prazo: boolean | null
  irreversivel: boolean
}

type Parts = { status: StatusNfe; cstat: string; mensagem: string } & Partial<
  Pick<ResultadoDaNota, 'from_cache' | 'xml' | 'simulacao' | 'retryable'> & {
    manifestacao: Manifestacao | null
  }
>

/** An item of `resultados`. A part that is not given did not happen. */
export const resultadoOf = (chave: string, parts: Parts): ResultadoDaNota => ({
  chave,
  from_cache: false,
  manifestacao: null,
  xml: null,
  ...parts,
})

export const resultadoInvalido = (chave: string, { mensagem }: ChaveProblem): ResultadoDaNota =>
  resultadoOf(chave, { status: 'chave_invalida', cstat: '', mensagem })

export function resultadoDoFluxo(
  { chave }: Chave,
  { andamento, desfecho }: Fim,
  limitadaAte: Date | undefined,
): ResultadoDaNota {
  const { status, manifestacao } = desfecho
  return resultadoOf(chave, {
    status,
    cstat: cstatDe(andamento, desfecho),
    mensagem: mensagemDe(andamento, desfecho, limitadaAte),
    manifestacao,
    xml: status === 'ok' ? xmlOf(andamento.feitos) : null,
  })
}

/** `porque` is a Portuguese sentence. */
export function semNota(resultado: ResultadoDaNota, porque: string): ResultadoDaNota {
  const mensagem = `${resultado.mensagem} O XML não foi entregue nesta resposta, e nada foi cobrado. ${porque} Repita a consulta.`
  return { ...resultado, status: 'erro', xml: null, mensagem, retryable: true }
}

/** The same key would bring this answer for a day. */
export const deOutraKey = (resultado: ResultadoDaNota): ResultadoDaNota => ({
  ...resultado,
  mensagem: `${resultado.mensagem} Ao repetir, envie outra Idempotency-Key: com a mesma, a resposta será esta por 24 horas.`,
})

/** The item for a file with the keys of several holders. It says whose certificate was used. */
export const doTitular = (
  resultado: ResultadoDaNota,
  { tipo, documento, nome }: Titular,
): ResultadoDaNota => ({
  ...resultado,
  mensagem: `${resultado.mensagem} O arquivo do certificado tem as chaves de mais de um titular: foi usado o de ${nome}, ${tipo.toUpperCase()} ${documento}, que vence por último. Para usar outro, envie um arquivo só dele.`,
})
