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

/** By `tpEvento` (leiauteConfRecebto_v1.00.xsd), with the official name and the one that people read. */
export const eventos = {
  ciencia: { tpEvento: '210210', descEvento: 'Ciencia da Operacao', nome: 'Ciência da Operação' },
  confirmacao: { tpEvento: '210200', descEvento: 'Confirmacao da Operacao', nome: 'Confirmação da Operação' },
} as const

export type Evento = keyof typeof eventos

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

export type CodigoSefaz = { cStat: string; xMotivo: string }

export type SemResposta = {
  tipo: 'falha'
  mensagem: string
  /** Set if asking again will not help: the certificate was refused, or the answer is not understood. */
  definitiva?: boolean
  /** Set if the call had no effect: it was not sent, did not arrive or was turned away at the door. */
  semEfeito?: boolean
}

/** By its meaning to us (NT 2014.002 v1.21, 3.8 to 3.11). */
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

/** NT 2020.001 v1.50, 6.3. 128 is the lot's code, and is not here. */
export type DesfechoDoEvento = ({ tipo: 'resposta' } & CodigoSefaz) | SemResposta

export type RespostaDoPortal =
  | { tipo: 'xml'; xml: string }
  | { tipo: 'negada'; texto: string }
  /** The sentence names the portal; `definitiva` as in `SemResposta`. */
  | { tipo: 'indisponivel'; mensagem: string; definitiva?: boolean }

export type Feito =
  | {
      passo: 'consulta'
      resposta: RespostaDaDistribuicao
      /** The query was in the name of the issuer, another establishment of the holder's company. */
      comoEmitente?: true
    }
  | { passo: Evento; desfecho: DesfechoDoEvento }
  | { passo: 'portal'; resposta: RespostaDoPortal }
