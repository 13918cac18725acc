/** The outcome of one key (specification, "NF-e XML `status` values"). */
export const statusNfe = [
  'ok',
  'somente_resumo',
  'nao_autorizado',
  'nao_encontrado',
  'fora_prazo',
  'chave_invalida',
  'erro',
  'cancelada',
] as const

export type StatusNfe = (typeof statusNfe)[number]

/**
 * The events that the service registers, by their `tpEvento` (leiauteConfRecebto_v1.00.xsd), with the
 * official name and the one that people read.
 */
export const eventos = {
  ciencia: { tpEvento: '210210', descEvento: 'Ciencia da Operacao', nome: 'Ciência da Operação' },
  confirmacao: { tpEvento: '210200', descEvento: 'Confirmacao da Operacao', nome: 'Confirmação da Operação' },
} as const

export type Evento = keyof typeof eventos

/** Their codes. */
export const tiposDeEvento = [eventos.ciencia.tpEvento, eventos.confirmacao.tpEvento] as const

export type TipoDeEvento = (typeof tiposDeEvento)[number]

/** What a call says of its event, sent or not (specification, "`manifestacao` values"). */
export const manifestacoes = [
  'ciencia_registrada',
  'ciencia_ja_registrada',
  'ciencia_fora_prazo',
  'ciencia_rejeitada',
  'ciencia_erro',
  'ciencia_nao_suportada',
  'confirmacao_registrada',
  'confirmacao_ja_registrada',
  'confirmacao_rejeitada',
  'confirmacao_erro',
  'confirmacao_nao_suportada',
] as const

export type Manifestacao = (typeof manifestacoes)[number]

/** A code of SEFAZ with its words. */
export type CodigoSefaz = { cStat: string; xMotivo: string }

/** No answer, or one that cannot be understood. */
export type SemResposta = {
  tipo: 'falha'
  /** A Portuguese sentence that names the source. */
  mensagem: string
  /** Set if asking again will not help: the certificate was refused, or the answer is not understood. */
  definitiva?: boolean
  /** Set if the call had no effect: it was not sent, did not arrive or was turned away at the door. */
  semEfeito?: boolean
}

/**
 * The answer of the national environment about a key (NT 2014.002 v1.21, 3.8 to 3.11), by its meaning to us.
 */
export type RespostaDaDistribuicao =
  | { tipo: 'xml'; xml: string }
  | {
      tipo: 'resumo'
      situacao: 'autorizada' | 'denegada' | 'cancelada'
      /** `dhRecbto` of the summary. The windows of the events count from it. */
      autorizacao: Date
    }
  | (CodigoSefaz & {
      tipo: /** 137, 217 */
        | 'nao-encontrada'
        /** 632 */
        | 'fora-prazo'
        /** 640 */
        | 'sem-permissao'
        /** 641: the issuer of a note does not get it here. */
        | 'emitente'
        /** 653, 654 */
        | 'cancelada'
        /** 236, 614 to 619 */
        | 'chave-invalida'
        /** 656. Without a code if the limit was known and nothing was asked. */
        | 'limitada'
        /** Any other code. */
        | 'recusada'
    })
  | SemResposta

/**
 * The answer of the national environment to an event (NT 2020.001 v1.50, 6.3). 128 is the lot's code, and is
 * not here.
 */
export type DesfechoDoEvento = ({ tipo: 'resposta' } & CodigoSefaz) | SemResposta

/** The answer of the national portal to a download with a certificate. */
export type RespostaDoPortal =
  | { tipo: 'xml'; xml: string }
  /** The portal answered without the note, in its own words. */
  | { tipo: 'negada'; texto: string }
  /**
   * The portal did not answer, or asks for a captcha that nobody solves here. The sentence names the portal;
   * `definitiva` as in `SemResposta`.
   */
  | { tipo: 'indisponivel'; mensagem: string; definitiva?: boolean }

/** One step of a call, with its outcome. */
export type Feito =
  | {
      passo: 'consulta'
      resposta: RespostaDaDistribuicao
      /** The query was in the name of the issuer, another establishment of the holder's company. */
      comoEmitente?: true
    }
  | { passo: Evento; desfecho: DesfechoDoEvento }
  | { passo: 'portal'; resposta: RespostaDoPortal }
