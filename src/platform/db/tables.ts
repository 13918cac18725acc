import type { NomePlano } from '../ledger/rules.ts'
import type { SourceErrorKind } from '../wire/fonte.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Instants are integers: milliseconds since 1970, UTC. Identifiers are text, most of them UUIDs. */
export type Tables = {
  contas: ContasTable
  chaves: ChavesTable
  saldos: SaldosTable
  lancamentos: LancamentosTable
  somas_mes: SomasMesTable
  retencoes: RetencoesTable
  nos: NosTable
  cache: CacheTable
  leituras: LeiturasTable
  leituras_hora: LeiturasHoraTable
  consumo: ConsumoTable
  idempotencia: IdempotenciaTable
  consultas_guardadas: ConsultasGuardadasTable
  sonda: SondaTable
  trabalhos: TrabalhosTable
  agendas: AgendasTable
  posses: PossesTable
  usos: UsosTable
  usos_dia: UsosDiaTable
  acessos: AcessosTable
  codigos: CodigosTable
  redes: RedesTable
  sessoes: SessoesTable
  certidoes: CertidoesTable
  confianca: ConfiancaTable
  rodadas_sefaz: RodadasSefazTable
  leituras_sefaz: LeiturasSefazTable
  dias_sefaz: DiasSefazTable
  incidentes_sefaz: IncidentesSefazTable
  ritmos_sefaz: RitmosSefazTable
  ativacoes_sefaz: AtivacoesSefazTable
}

type ContasTable = {
  id: string
  nome: string
  email: string
  senha_hash: string | null
  senha_em: number | null
  email_confirmado_em: number | null
  plano: NomePlano
  preco_exclusivo: 0 | 1
  /** The negotiated price of a note in BRL, as decimal text. Null where the operator told none. */
  preco_xml: string | null
  criada_em: number
  bloqueada_em: number | null
  motivo_bloqueio: string | null
  /** For how long the answers of the dashboard are kept; null is the default, 0 is not at all. */
  guarda_minutos: number | null
}

type ChavesTable = {
  id: string
  conta_id: string
  hash: string
  cifrada: string
  criada_em: number
  /** The instant from which the key is refused. Null for the account's one current key. */
  expira_em: number | null
}

type SaldosTable = {
  conta_id: string
  cota: number
  extra: number
  periodo: string
  /** The quota given in that month so far. An upgrade adds the difference. */
  concedida: number
  ultimo_request: string
  ultimo_tipo: TipoLancamento
}

/** `release` returns quota of a past month, `debit` is the operator's; no `hold` since 2026-11-22. */
export type TipoLancamento = 'hold' | 'charge' | 'release' | 'grant' | 'renewal' | 'debit'

type LancamentosTable = {
  conta_id: string
  request_id: string
  tipo: TipoLancamento
  creditos: number
  cota: number
  extra: number
  endpoint: string
  criado_em: number
  no: string
  reais: string | null
  /** An account's entries are read along this chain; empty in its first. */
  anterior_request: string
  anterior_tipo: TipoLancamento | ''
}

type SomasMesTable = {
  conta_id: string
  mes: string
  ate_request: string
  ate_tipo: TipoLancamento
  somas: string
}

type RetencoesTable = {
  request_id: string
  conta_id: string
  endpoint: string
  cota: number
  extra: number
  periodo: string
  no: string
  criada_em: number
}

type NosTable = { id: string; batimento: number }

type CacheTable = { chave: string; valor: string; expira_em: number }

export type LeiturasTable = {
  ambiente: string
  fonte: string
  no: string
  minuto: number
  consultas: number
  sucessos: number
  vazias: number
  incompletas: number
  tempos: string
  rotulos: string
  falha_tipo: SourceErrorKind | null
  falha_codigo: string | null
  falha_em: number | null
  /** The last query, and the end of the pause that followed it. Null where there is no pause. */
  ultima_em: number
  aberto_ate: number | null
}

export type LeiturasHoraTable = {
  ambiente: string
  fonte: string
  no: string
  hora: number
  respostas: number
  vazias: number
}

export type ConsumoTable = {
  titular: string
  /** The instants of the last 20 queries, the newest first: 13 digits each, without a separator. */
  instantes: string
  bloqueado_ate: number
}

type SondaTable = { id: string; enchimento: string }

export type IdempotenciaTable = {
  chave: string
  corpo: string
  /** The call that works on the answer, or made it, and until when it counts as alive. 0 where it gave up. */
  request_id: string
  ate: number
  eventos: string | null
  resposta: string | null
  creditos: number
  expira_em: number
}

export type TrabalhosTable = {
  id: string
  tipo: string
  chave: string
  estado: 'aberto' | 'feito' | 'morto'
  conta_id: string
  dados: string
  /** From when it may be claimed: its hour, or the end of its holder's lease. */
  livre_em: number
  tentativas: number
  dono: string | null
  resultado: string | null
  motivo: string | null
  criado_em: number
  terminado_em: number | null
  expira_em: number | null
}

type AgendasTable = { nome: string; proxima: number }

type PossesTable = {
  nome: string
  /** Who has it, and until when the holder is believed to live; 0 where it was given back. */
  dono: string
  ate: number
  livre_em: number
  vez: number
}

export type UsosTable = {
  conta_id: string
  criado_em: number
  request_id: string
  endpoint: string
  documento: string
  uf: string
  http: number
  error_code: string
  creditos: number
  cached: 0 | 1
  ms: number
  /** The sources that failed in a delivered answer by its `source_status`; an older version writes 0. */
  fontes_falhas: number
  fonte_code: string
}

type UsosDiaTable = {
  conta_id: string
  /** The days since 1970-01-01, in Brasília time. */
  dia: number
  endpoint: string
  http: number
  error_code: string
  chamadas: number
  do_cache: number
  com_falha: number
  creditos: number
  ms: number
}

export type AcessosTable = {
  id: string
  conta_id: string
  tipo: 'painel' | 'api'
  hash: string | null
  criado_em: number
  visto_em: number
  expira_em: number
  agente: string
  endereco: string
}

export type CodigosTable = {
  hash: string
  tipo: 'confirmar' | 'redefinir' | 'convite'
  conta_id: string | null
  email: string
  plano: NomePlano | null
  /** Sealed: the sign-up that waits for the proof of its e-mail. Null for all other codes. */
  dados: string | null
  criado_em: number
  expira_em: number
  usado_em: number | null
}

type RedesTable = { conta_id: string; rede: string; vista_em: number }

export type CertidoesTable = {
  chave: string
  certidao: string | null
  conferida_em: number
  emissao: string | null
  emitida_em: number
  anunciada: string | null
  andamento: string | null
  /** JSON, sealed: the last refusal since the certificate, and its instant; null and 0 without one. */
  recusa: string | null
  recusada_em: number
  expira_em: number
}

type ConfiancaTable = {
  chave: string
  /** The companies, each by 16 digits of a keyed hash, without a separator. */
  recusados: string
  experiencia_em: number
}

export type SessoesTable = {
  nome: string
  /** Another with each write of the cookies: who holds an older one writes nothing. */
  versao: string
  selada: string
  importada_em: number
  renovada_em: number | null
  vence_em: number
  login_ate: number | null
  renovavel: 0 | 1
  estado: 'boa' | 'suspeita' | 'encerrada'
  motivo: string
}

type RodadasSefazTable = {
  ambiente: string
  em: number
  fim: number
  fonte: 'servicos' | 'paginas'
  /** 1 where nobody answered at all: that may be our own network. */
  sem_rede: 0 | 1
}

export type LeiturasSefazTable = {
  ambiente: string
  autorizador: string
  em: number
  resultado: 'resposta' | 'disponivel' | 'indisponivel' | 'erro' | 'timeout'
  conexao_ms: number | null
  tls_ms: number | null
  resposta_ms: number | null
  cstat: number | null
  motivo: string
  /** What our own calls met meanwhile, where the authority said that it works: 1 a failure, 0 none failed. */
  desmentida: 0 | 1 | null
}

type DiasSefazTable = {
  ambiente: string
  autorizador: string
  dia: string
  leituras: number
  erros: number
  timeouts: number
  /** The time of each answer: milliseconds as unsigned 16-bit numbers, little-endian, in ascending order. */
  tempos: Uint8Array
  confirmadas: number
  desmentidas: number
}

type IncidentesSefazTable = {
  id: string
  ambiente: string
  casa: string
  inicio: number
  fim: number | null
  quedas: string
}

type RitmosSefazTable = {
  ambiente: string
  autorizador: string
  proxima: number
  fator: number
  motivo: string
}

type AtivacoesSefazTable = {
  ambiente: string
  doc: 'nfe' | 'cte'
  uf: string
  estado: 'ativada' | 'encerrando' | 'desativada'
  em: number
}

type ConsultasGuardadasTable = {
  request_id: string
  /** '' is what the page draws; a file has a name of its own. */
  parte: string
  conta_id: string
  expira_em: number
  bytes: number
  selado: string
}
