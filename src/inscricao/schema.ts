import { type TObject, Type } from 'typebox'
import type { Piece } from '../platform/http/answer.ts'
import type { Caller } from '../platform/http/exchange.ts'
import { Procedencia, sourceStatusOf, text, UfItem } from '../platform/http/schemas.ts'
import type { Stream } from '../platform/http/stream.ts'
import { type CodigoDoStatus, sourceStatuses } from '../platform/wire/source-status.ts'
import { type ChamadaTodos, creditosOf, type Entrada } from './lookup.ts'

/** IE result item: what the source does not tell is empty (specification, "Resources and their fields"). */
export const InscricaoItem = Type.Object(
  {
    inscricao_estadual: text('Número da inscrição'),
    razao_social: text('Nome empresarial, ou do produtor'),
    nome_fantasia: text('Vazio quando não há'),
    situacao_ie: text('ATIVA, BAIXADA, NÃO HABILITADA, SUSPENSA etc.'),
    uf_ie: Type.Unsafe<string>(UfItem),
    tipo_ie: text('PRODUTOR RURAL etc.'),
    logradouro: text('Vazio quando o estado não informa'),
    complemento: text('Vazio quando não há'),
    bairro: text('Vazio quando o estado não informa'),
    numero: text('Como está no cadastro; pode ser SN'),
    municipio: text(
      'Como o estado escreve ou, quando ele só informa o código, da tabela pública de municípios, em maiúsculas e sem acentos',
    ),
    cep: text('8 dígitos'),
    regime_pagamento: text('Nas palavras do estado: NORMAL, SIMPLES NACIONAL...'),
    data_situacao: text('AAAA-MM-DD'),
    situacao_contribuinte: text('Nas palavras do estado'),
    data_inicio_atividade: text('AAAA-MM-DD'),
    cnae_codigo: text('7 dígitos'),
    cnae_descricao: text(
      'Do estado ou, quando ele só informa o código, da tabela CNAE da base da Receita Federal; vazia quando nenhum dos dois a tem',
    ),
    regime_apuracao_icms: text('Nas palavras do estado'),
    situacao_nfe: text('Habilitação para emitir NF-e'),
    cpf_cnpj: text('Formatado: 00.000.000/0001-91'),
    situacao_cadastral: text('HABILITADO, NÃO HABILITADO etc.'),
    parcial: Type.Optional(
      Type.Literal(true, {
        description:
          'Só quando o estado não pôde ser consultado e a inscrição é a que o cadastro nacional (CCC) mostra: número, nome e situação; os demais campos vêm vazios',
      }),
    ),
  },
  { title: 'Inscricao', description: 'Uma inscrição estadual' },
)

export const codigosDoEstado = [
  'SITE_INDISPONIVEL',
  'PROCESSAMENTO_FALHOU',
  'DOCUMENTO_INVALIDO',
  'ERRO_INTERNO',
  'BANCO_INDISPONIVEL',
] as const satisfies CodigoDoStatus[]

export const SituacaoNoEstado = sourceStatusOf(codigosDoEstado, sourceStatuses)

export const InscricoesDoEstado = Type.Object(
  {
    uf: UfItem,
    source_status: SituacaoNoEstado,
    results: Type.Array(InscricaoItem, { description: 'Vazia quando não há inscrição, ou o estado falhou' }),
    ...Procedencia,
  },
  { title: 'EntradaIe', description: 'A resposta de um estado' },
)

export const osEstados = <S extends TObject>(entry: S) =>
  Type.Array(entry, {
    minItems: 27,
    maxItems: 27,
    description: 'Os 27 estados, em ordem alfabética da sigla',
  })

export const porEstado = (piece: TObject): Stream => ({
  piece,
  event: 'uf',
  described: {
    pieces:
      'um evento `uf` por estado, assim que ele responde (`data` é a entrada dele em `results`, `id` é a sigla)',
    leaver: 'pelos estados que já recebeu',
    example: 'id: SC\nevent: uf\ndata: {"uf":"SC","source_status":{"status":"success",...},...}\n\n',
  },
})

/** What the lookups in all states share: they are asked at once, and each that answers costs a credit. */
export const emTodos = { example: { cnpj: '99001002000162' }, anew: true, price: { hold: 27 } } as const

/** Whether each state that answered had said it before a call began (ms): nobody was asked anew. */
export function areGuardadas(
  results: readonly Pick<Entrada, 'source_status' | 'consultado_em'>[],
  began: number,
): boolean {
  const answered = results.filter(({ source_status }) => source_status.status === 'success')
  return answered.length > 0 && answered.every(({ consultado_em }) => Date.parse(consultado_em) < began)
}

/** The call of a lookup in all states, which emits each as it answers. */
export const emTodosOsEstados = (
  { request_id, leaving, maxAgeMs }: Caller,
  emit: (piece: Piece) => void,
): ChamadaTodos<Entrada> => ({
  request_id,
  leaving,
  maxAgeMs: maxAgeMs(),
  emit: (entry) => emit({ id: entry.uf, data: entry, creditos: creditosOf([entry]) }),
})
