import type { NomePlano } from '../ledger/rules.ts'
import type { SourceErrorKind } from '../wire/fonte.ts'

/** The kinds of database that the service runs on. */
export type Dialect = 'sqlite' | 'postgres'

/** Instants are integers: milliseconds since 1970, UTC. Identifiers are UUIDs as text. */
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
  /** In lower case. A person logs in with it. */
  email: string
  /** As `contas/senha` writes it. Null for an account without a password: nobody logs in with it. */
  senha_hash: string | null
  /** When the password was last set; null without one, and where an older version made the account. */
  senha_em: number | null
  /** When its owner proved that the e-mail is his. Null where nobody asked, or he has not yet. */
  email_confirmado_em: number | null
  plano: NomePlano
  /** 1 if the account has negotiated NF-e prices. */
  preco_exclusivo: 0 | 1
  /** The negotiated price of a note in BRL, as decimal text. Null where the operator told none. */
  preco_xml: string | null
  criada_em: number
  /** Since when the operator refuses its calls, and the reason that clients are told. Null if he does not. */
  bloqueada_em: number | null
  motivo_bloqueio: string | null
}

type ChavesTable = {
  id: string
  conta_id: string
  /** SHA-256 of the key's text, in hexadecimal. */
  hash: string
  /** The key's text under the server's secret: see `key-cipher.ts`. */
  cifrada: string
  criada_em: number
  /** The instant from which the key is refused. Null for the account's one current key. */
  expira_em: number | null
}

type SaldosTable = {
  conta_id: string
  /** What is left of the month's quota and of the extra credits. Neither is ever negative. */
  cota: number
  extra: number
  /** The month of the quota, in Brasília time. */
  periodo: string
  /** The quota given in that month so far. An upgrade adds the difference. */
  concedida: number
  /** The account's newest entry: the head of its chain. */
  ultimo_request: string
  ultimo_tipo: TipoLancamento
}

/**
 * The kind of an entry. `release` returns quota of a past month from a hold; `debit` is the
 * operator's; `hold` is not written since 2026-11-22.
 */
export type TipoLancamento = 'hold' | 'charge' | 'release' | 'grant' | 'renewal' | 'debit'

type LancamentosTable = {
  conta_id: string
  request_id: string
  tipo: TipoLancamento
  /** The credits held, charged, released, granted or debited. Never negative. */
  creditos: number
  /** What the entry adds to the balance. The sum over an account is its balance. */
  cota: number
  extra: number
  endpoint: string
  criado_em: number
  /** The process that wrote it. */
  no: string
  /** What a note cost in BRL, as decimal text. Null where the entry has no price in BRL. */
  reais: string | null
  /**
   * The account's entry before this one; empty in its first. An account's entries are read along this chain.
   */
  anterior_request: string
  anterior_tipo: TipoLancamento | ''
}

/** What the entries of an account's month come to, from its renewal up to one of them. */
type SomasMesTable = {
  conta_id: string
  /** AAAA-MM in Brasília. */
  mes: string
  /** The last entry that is counted. */
  ate_request: string
  ate_tipo: TipoLancamento
  /** JSON: see `store/ledger/meses.ts`. */
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

type NosTable = {
  id: string
  batimento: number
}

type CacheTable = {
  /** SHA-256 of the question, in hexadecimal. No document stands in it. */
  chave: string
  /** JSON. */
  valor: string
  expira_em: number
}

/** The queries of one process to one source within a minute. */
export type LeiturasTable = {
  /** The kind of authority that answered: real, test or simulator. */
  ambiente: string
  fonte: string
  no: string
  /** The first moment of the minute. */
  minuto: number
  consultas: number
  sucessos: number
  /** Answers that found nothing. */
  vazias: number
  /** Answers that lacked what the source always shows. */
  incompletas: number
  /** JSON: the times of some answers, in milliseconds. */
  tempos: string
  /** JSON: some unknown labels of its pages. */
  rotulos: string
  falha_tipo: SourceErrorKind | null
  falha_codigo: string | null
  falha_em: number | null
  /** The last query, and the end of the pause that followed it. Null where there is no pause. */
  ultima_em: number
  aberto_ate: number | null
}

/** The answers of a source in an hour, by one node. */
export type LeiturasHoraTable = {
  ambiente: string
  fonte: string
  no: string
  /** The first moment of the hour. */
  hora: number
  respostas: number
  /** The answers that found nothing. */
  vazias: number
}

/** The queries by key to the national environment, in the name of one holder. */
export type ConsumoTable = {
  /** The holder's document and the environment, under a keyed hash. */
  titular: string
  /** The instants of the last 20 queries, the newest first: 13 digits each, without a separator. */
  instantes: string
  /** The end of the authority's refusal of the holder. 0 if it never refused. */
  bloqueado_ate: number
}

/** A table for trial commits. */
type SondaTable = { id: string; enchimento: string }

/** A call that its client may repeat, by its `Idempotency-Key`. */
export type IdempotenciaTable = {
  /** The client's key, its account and the environment, under a keyed hash. */
  chave: string
  /** The body, under a keyed hash. */
  corpo: string
  /** The call that works on the answer, or made it, and until when it counts as alive. 0 where it gave up. */
  request_id: string
  ate: number
  /** JSON, sealed: the events that were registered. Null where there was none. */
  eventos: string | null
  /** JSON, sealed. Null until the call has ended. */
  resposta: string | null
  creditos: number
  expira_em: number
}

/** A job: durable work, asked for once and done at least once. */
export type TrabalhosTable = {
  id: string
  tipo: string
  /** What is unique among the open jobs of a kind. */
  chave: string
  /** Open, done, or failed for good. */
  estado: 'aberto' | 'feito' | 'morto'
  /** The account that asked for it first; empty where none did. */
  conta_id: string
  /** JSON: its payload. */
  dados: string
  /** From when it may be claimed: its hour, or the end of its holder's lease. */
  livre_em: number
  /** How often it began. */
  tentativas: number
  /** The claim that has it; null where none has. */
  dono: string | null
  /** JSON. */
  resultado: string | null
  /** Why it failed last, in Portuguese. */
  motivo: string | null
  criado_em: number
  terminado_em: number | null
  /** From when it may be deleted; null while it is open. */
  expira_em: number | null
}

/** When a schedule that one node runs is due. */
type AgendasTable = { nome: string; proxima: number }

/** The right to work alone on something that has a name. */
type PossesTable = {
  nome: string
  /** Who has it, and until when the holder is believed to live; 0 where it was given back. */
  dono: string
  ate: number
  /** Nobody may take it before. */
  livre_em: number
  /** How often it was taken since its row was made. */
  vez: number
}

/** What a call of an account came to. */
export type UsosTable = {
  conta_id: string
  /** When it ended. */
  criado_em: number
  request_id: string
  endpoint: string
  /** Masked; empty where none was asked about. */
  documento: string
  uf: string
  http: number
  /** Empty on success. */
  error_code: string
  creditos: number
  /** 1: answered from the cache. */
  cached: 0 | 1
  ms: number
  /** The sources that failed in a delivered answer by its `source_status`; an older version writes 0. */
  fontes_falhas: number
  /** The code of the first of them; empty where none did. */
  fonte_code: string
}

/** The calls of an account, a day and an endpoint, summed by a trigger of `usos`. */
type UsosDiaTable = {
  conta_id: string
  /** The days since 1970-01-01, in Brasília time. */
  dia: number
  endpoint: string
  http: number
  error_code: string
  chamadas: number
  do_cache: number
  /** Those delivered in which a source failed. */
  com_falha: number
  creditos: number
  /** The sum of their milliseconds. */
  ms: number
}

/** A login of a person: a session of the dashboard, or the tokens of one login by the API. */
export type AcessosTable = {
  id: string
  conta_id: string
  tipo: 'painel' | 'api'
  /** SHA-256 of the cookie's token, in hexadecimal; null for `api`, whose tokens name the id. */
  hash: string | null
  criado_em: number
  visto_em: number
  expira_em: number
  /** What the browser says of itself, shortened. */
  agente: string
  endereco: string
}

/** A code that is good once: in a letter, or as an invitation. */
export type CodigosTable = {
  /** SHA-256 of the code, in hexadecimal. */
  hash: string
  tipo: 'confirmar' | 'redefinir' | 'convite'
  /** Null for an invitation. */
  conta_id: string | null
  /** Whom it is for; empty for an invitation for anybody. */
  email: string
  /** The plan that an invitation gives. */
  plano: NomePlano | null
  /** Sealed: the sign-up that waits for the proof of its e-mail. Null for all other codes. */
  dados: string | null
  criado_em: number
  expira_em: number
  usado_em: number | null
}

/** A network from which the owner of an account proved who he is. */
type RedesTable = {
  conta_id: string
  /** The account and the network, under a keyed hash. */
  rede: string
  /** When he last came from it, to the day. */
  vista_em: number
}

/** What is known of the federal certificate of a CNPJ. What names it is sealed. */
export type CertidoesTable = {
  /** The environment and the CNPJ, under a keyed hash. */
  chave: string
  /** JSON, sealed. Null where the authority has given none. */
  certidao: string | null
  /** When the authority last gave it; 0 where it gave none. */
  conferida_em: number
  /** The job that issued it, and when that ended. Null and 0 for one that existed before. */
  emissao: string | null
  emitida_em: number
  /** The job that a caller was told to come back for, and of which nobody has got the certificate since. */
  anunciada: string | null
  /** JSON, sealed: how far an issuance is. Null where none runs. */
  andamento: string | null
  /** JSON, sealed: the last refusal since the certificate, and its instant; null and 0 without one. */
  recusa: string | null
  recusada_em: number
  expira_em: number
}

/** How many companies in a row a route has refused as lacking information, without one certificate. */
type ConfiancaTable = {
  /** The environment and the route. */
  chave: string
  /** The companies, each by 16 digits of a keyed hash, without a separator. */
  recusados: string
  /** From when a route that is not believed any more may be tried with one question. */
  experiencia_em: number
}

/** A session with an authority, in the operator's name. */
export type SessoesTable = {
  nome: string
  /** Another with each write of the cookies: who holds an older one writes nothing. */
  versao: string
  /** JSON under the server's secret: the cookies. */
  selada: string
  importada_em: number
  renovada_em: number | null
  vence_em: number
  /** When the login that renews it ends; null where nobody knows. */
  login_ate: number | null
  /** 1: the cookies of a login are there. */
  renovavel: 0 | 1
  estado: 'boa' | 'suspeita' | 'encerrada'
  /** Why it is in doubt or over, in Portuguese. */
  motivo: string
}

/** A round: one question to each authorizer. `ambiente` is the kind of authority that answered. */
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
  /** When its round began. */
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

/** A day (AAAA-MM-DD, Brasília) of an authorizer that has ended. */
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
  /** The falls, as JSON. */
  quedas: string
}

/** An authorizer that is asked less often than the others, because it asked for it. */
type RitmosSefazTable = {
  ambiente: string
  autorizador: string
  /** It is asked again from this instant on. */
  proxima: number
  /** How many intervals lie between two questions. */
  fator: number
  motivo: string
}

/** What an SVC last answered of a state's contingency. */
type AtivacoesSefazTable = {
  ambiente: string
  doc: 'nfe' | 'cte'
  uf: string
  estado: 'ativada' | 'encerrando' | 'desativada'
  em: number
}
