import { type TObject, Type } from 'typebox'
import { tiposNacionais } from '../documento/documento.ts'
import {
  documentoAsked,
  OrNull,
  Procedencia,
  RequestId,
  sourceStatusOf,
  UfItem,
} from '../platform/http/schemas.ts'
import type { Stream } from '../platform/http/stream.ts'
import { type CodigoDoStatus, sourceStatuses } from '../platform/wire/source-status.ts'
import { CertidaoResult } from './certidao.ts'
import { InscricaoItem } from './inscricao.ts'
import { creditosOf, type Entrada } from './todos.ts'

/** The codes of a state's failure, in an answer about all of them. */
export const codigosDoEstado = [
  'SITE_INDISPONIVEL',
  'PROCESSAMENTO_FALHOU',
  'DOCUMENTO_INVALIDO',
  'ERRO_INTERNO',
  'BANCO_INDISPONIVEL',
] as const satisfies CodigoDoStatus[]

const SituacaoNoEstado = sourceStatusOf(codigosDoEstado, sourceStatuses)

/** The registrations of a document in one state, among those of all. */
export const InscricoesDoEstado = Type.Object(
  {
    uf: UfItem,
    source_status: SituacaoNoEstado,
    results: Type.Array(InscricaoItem, { description: 'Vazia quando não há inscrição, ou o estado falhou' }),
    ...Procedencia,
  },
  { title: 'EntradaIe', description: 'A resposta de um estado' },
)

/** The certificate of a document in one state, among those of all. */
export const CertidaoDoEstado = Type.Object(
  {
    uf: UfItem,
    source_status: SituacaoNoEstado,
    result: OrNull(CertidaoResult, 'null quando o estado não foi alcançado'),
    ...Procedencia,
  },
  { title: 'EntradaCnd', description: 'A resposta de um estado' },
)

/** An entry of each state, as an answer about all of them has them. */
export const osEstados = <S extends TObject>(entry: S) =>
  Type.Array(entry, {
    minItems: 27,
    maxItems: 27,
    description: 'Os 27 estados, em ordem alfabética da sigla',
  })

/** Body of a CND lookup in every state (specification, "GET /api/consultar-cnd-todos"). */
export const CertidoesEmTodos = Type.Object(
  { request_id: RequestId, ...documentoAsked(tiposNacionais), results: osEstados(CertidaoDoEstado) },
  { title: 'RespostaConsultarCndTodos' },
)

/** The stream of a lookup in every state: a piece is the entry of one state, with the schema `piece`. */
export const porEstado = (piece: TObject): Stream<Entrada> => ({
  piece,
  event: 'uf',
  id: ({ uf }) => uf,
  charged: (entry) => creditosOf([entry]),
  described: {
    pieces:
      'um evento `uf` por estado, assim que ele responde (`data` é a entrada dele em `results`, `id` é a sigla)',
    leaver: 'pelos estados que já recebeu',
    example: 'id: SC\nevent: uf\ndata: {"uf":"SC","source_status":{"status":"success",...},...}\n\n',
  },
})
