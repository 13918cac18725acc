/** What becomes of one key: the specification, "NF-e XML `status` values". */
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

/** The events that the service registers, by their `tpEvento` (leiauteConfRecebto_v1.00.xsd), with the name that goes with it and the one that people read. */
export const eventos = {
  ciencia: { tpEvento: '210210', descEvento: 'Ciencia da Operacao', nome: 'Ciência da Operação' },
  confirmacao: { tpEvento: '210200', descEvento: 'Confirmacao da Operacao', nome: 'Confirmação da Operação' },
} as const

export type Evento = keyof typeof eventos

/** What a call says of the event that it sent, or could not send: the specification, "`manifestacao` values". */
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

/** A code of SEFAZ with the words that came with it. */
export type CodigoSefaz = { cStat: string; xMotivo: string }

/** No answer, or one that cannot be understood. */
export type SemResposta = {
  tipo: 'falha'
  /** A Portuguese sentence that names who failed. */
  mensagem: string
  /** Set where asking again will not help: the certificate was refused. */
  definitiva?: boolean
  /** Set where it cannot have had an effect: it was not sent, did not arrive or was turned away at the door. */
  semEfeito?: boolean
}

/** What the national environment answers about a key (NT 2014.002 v1.21, 3.8 to 3.11), by what it means to us. */
export type RespostaDaDistribuicao =
  | { tipo: 'xml'; xml: string }
  | {
      tipo: 'resumo'
      situacao: 'autorizada' | 'denegada' | 'cancelada'
      /** `dhRecbto` of the summary: the windows of the events are counted from it. */
      autorizacao: Date
    }
  | (CodigoSefaz & {
      tipo: /** 137, 217 */
        | 'nao-encontrada'
        /** 632 */
        | 'fora-prazo'
        /** 640 */
        | 'sem-permissao'
        /** 641: whoever issued a note does not get it here. */
        | 'emitente'
        /** 653, 654 */
        | 'cancelada'
        /** 236, 614 to 619 */
        | 'chave-invalida'
        /** 656; without a code where we did not ask, knowing it. */
        | 'limitada'
        /** Any other code. */
        | 'recusada'
    })
  | SemResposta

/** What the national environment answers to an event (NT 2020.001 v1.50, 6.3); 128 is of its lot, and not here. */
export type DesfechoDoEvento = ({ tipo: 'resposta' } & CodigoSefaz) | SemResposta

/** What the national portal answers to a download with a certificate. */
export type RespostaDoPortal =
  | { tipo: 'xml'; xml: string }
  /** It answered and did not release the note, in its own words. */
  | { tipo: 'negada'; texto: string }
  /** It did not answer now, or wants a captcha that nobody solves here; the sentence names it. */
  | { tipo: 'indisponivel'; mensagem: string }

/** One step of a call that was taken, with what came of it. */
export type Feito =
  | {
      passo: 'consulta'
      resposta: RespostaDaDistribuicao
      /** It was asked in the name of the issuer, another establishment of the holder's. */
      comoEmitente?: true
    }
  | { passo: Evento; desfecho: DesfechoDoEvento }
  | { passo: 'portal'; resposta: RespostaDoPortal }
