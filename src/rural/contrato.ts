import { type TSchema, Type } from 'typebox'

/** No contract gives more. */
export const MAIS_IMOVEIS = 5_000
const MAIS_POR_IMOVEL = 1_000

/** A text that may be missing. No text of a register is longer. */
const Texto = Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]))
/** A list that may be missing: "when any". */
const Lista = <S extends TSchema>(item: S) =>
  Type.Optional(Type.Union([Type.Array(item, { maxItems: MAIS_POR_IMOVEL }), Type.Null()]))
const Inteiro = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const Area = Type.Number({ minimum: 0 })
const Percentual = Type.Number({ minimum: 0, maximum: 100 })

const Sexo = Type.Union([Type.Literal(''), Type.Literal('M'), Type.Literal('F'), Type.Null()])

const Fisica = Type.Object({
  nome: Texto,
  data_nascimento: Texto,
  situacao_cadastral: Texto,
  sexo: Type.Optional(Sexo),
})

const Juridica = Type.Object({
  razao_social: Texto,
  nome_fantasia: Texto,
  situacao_cadastral: Texto,
  data_abertura: Texto,
  natureza_juridica: Texto,
})

/** A property. What is no text and no list is never missing: a guess would be sold as the register's word. */
export const Imovel = Type.Object({
  cib: Texto,
  nirf: Texto,
  denominacao: Texto,
  area_total: Area,
  situacao: Type.String({ pattern: '\\S', maxLength: 200 }),
  codigo_situacao: Inteiro,
  ni_proprietario: Texto,
  percentual_proprietario: Percentual,
  condominos: Lista(Type.Object({ ni: Texto, nome: Texto, percentual: Percentual })),
  dados_tributarios: Type.Object({
    indicador_descaracterizacao: Type.Boolean(),
    origem_imovel: Inteiro,
    data_aquisicao: Texto,
    area_adquirida: Area,
    tipo_aquisicao: Texto,
    imunidades: Lista(Type.Object({ codigo: Texto, descricao: Texto })),
    possui_decisao_judicial: Type.Boolean(),
  }),
  municipio_sede: Type.Optional(
    Type.Union([Type.Object({ codigo: Texto, uf: Texto, nome: Texto }), Type.Null()]),
  ),
})

/** The connector's answer. Members that it does not name are not read. */
export const Resposta = Type.Object({
  pessoa_fisica: Type.Optional(Type.Union([Fisica, Type.Null()])),
  pessoa_juridica: Type.Optional(Type.Union([Juridica, Type.Null()])),
  imoveis_cafir: Type.Array(Type.Unknown(), { maxItems: MAIS_IMOVEIS }),
})
