import { type TProperties, Type } from 'typebox'
import type { VerificacaoDoCatalogo } from './rejeicao.ts'
import type { Verificacao } from './rules.ts'

const Texto = Type.String({ minLength: 1 })

const Caminho = Type.String({ pattern: '^(?:\\.|(?:\\./)?(?:\\w+|\\*|@\\w+)(?:/(?:\\w+|\\*|@\\w+))*)$' })

/** A path of a change, which may have positions. */
const Lugar = Type.String({ pattern: '^@?\\w+(?:\\[\\d+\\])?(?:/@?\\w+(?:\\[\\d+\\])?)*$' })

const Decimal = Type.String({ pattern: '^-?\\d+(?:\\.\\d{1,10})?$' })

const Dia = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const Condicao = Type.Ref('Condicao')

const Valor = Type.Ref('Valor')

const Numero = Type.Ref('Numero')

/** Nothing but these members: an operator that is misspelt is an error. */
const so = <T extends TProperties>(membros: T) => Type.Object(membros, { additionalProperties: false })

const doisValores = Type.Tuple([Valor, Valor])

const daTabela = Type.Tuple([Texto, Valor, Texto])

const doisNumeros = Type.Tuple([Numero, Numero])

/** The closed operators of the checks (domain/rejeicoes/verificacao.ts). */
const operadores = {
  Valor: Type.Union([
    Type.String(),
    so({ v: Caminho }),
    so({ parte: Type.Tuple([Valor, Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]) }),
    so({ junta: Type.Array(Valor, { minItems: 1 }) }),
    so({ zeros: Type.Tuple([Valor, Type.Integer({ minimum: 1 })]) }),
    so({ digitos: Valor }),
    so({ maiusculas: Valor }),
    so({ apos: Type.Tuple([Valor, Texto]) }),
    so({ contexto: Texto }),
    so({ mais: Type.Tuple([Valor, Type.Integer(), Type.Enum(['minutos', 'dias', 'meses', 'anos'])]) }),
    so({ coluna: daTabela }),
  ]),
  Numero: Type.Union([
    Decimal,
    so({ v: Caminho }),
    so({ soma: Caminho, em: Type.Optional(Caminho), se: Type.Optional(Condicao) }),
    so({ soma: Type.Array(Numero, { minItems: 1 }) }),
    so({ menos: Type.Array(Numero, { minItems: 2 }) }),
    so({ vezes: doisNumeros }),
    so({ dividido: doisNumeros }),
    so({ conta: Caminho }),
    so({ coluna: daTabela }),
  ]),
  Condicao: Type.Union([
    so({ e: Type.Array(Condicao, { minItems: 1 }) }),
    so({ ou: Type.Array(Condicao, { minItems: 1 }) }),
    so({ nao: Condicao }),
    so({ presente: Caminho }),
    so({ ausente: Caminho }),
    so({ igual: doisValores }),
    so({ difere: doisValores }),
    so({ em: Type.Tuple([Valor, Type.Array(Type.String(), { minItems: 1 })]) }),
    so({ casa: Type.Tuple([Valor, Texto]) }),
    so({ fecha: doisNumeros, tol: Type.Optional(Decimal) }),
    so({ menor: doisNumeros }),
    so({ maior: doisNumeros }),
    so({ antes: doisValores }),
    so({ todos: Caminho, sa: Condicao }),
    so({ algum: Caminho, sa: Condicao }),
    so({ unicos: Caminho, por: Type.Optional(Caminho) }),
    so({ tabela: Type.Tuple([Texto, Valor]) }),
    so({ dv: Type.Tuple([Type.Literal('ie-da-uf'), Valor, Valor]) }),
    so({
      dv: Type.Tuple([
        Type.Enum(['chave', 'cnpj', 'cpf', 'documento', 'gtin', 'municipio', 'suframa']),
        Valor,
      ]),
    }),
  ]),
  Mudanca: Type.Union([
    so({ campo: Lugar, valor: Type.Union([Type.String(), Type.Null()]) }),
    so({ campo: Lugar, xml: Texto, onde: Type.Enum(['antes', 'depois', 'dentro']) }),
    so({ recalcular: Type.Literal('chave') }),
  ]),
}

const Mudancas = Type.Array(Type.Ref('Mudanca'))

const periodo = {
  de: Type.Optional(Dia),
  de_talvez: Type.Optional(Dia),
  ate: Type.Optional(Dia),
  ate_talvez: Type.Optional(Dia),
}

const membros = {
  id: Type.String({ pattern: '^\\d{3,4}(?:-[a-z0-9]+)+$' }),
  titulo: Texto,
  descricao: Texto,
  campos: Type.Array(Caminho, { minItems: 1 }),
  escopo: Type.Optional(Caminho),
  modelos: Type.Optional(Type.Array(Type.Enum(['55', '65']), { minItems: 1 })),
  dependencia: Type.String({ pattern: '^(?:xml|tabela:\\w+|contexto:\\w+)$' }),
  aplicacao: Type.Optional(Type.Literal('uf')),
  vigencia: Type.Optional(
    so({ ...periodo, homologacao: Type.Optional(so(periodo)), texto: Type.Optional(Dia) }),
  ),
  quando: Type.Optional(Condicao),
  exceto: Type.Optional(Type.Array(Condicao, { minItems: 1 })),
  regra: Condicao,
  mensagem_falha: Texto,
  fonte: so({ documento: Texto, regra: Texto }),
  exemplo: so({
    nota: Texto,
    certo: Type.Optional(Mudancas),
    errado: Type.Array(Type.Ref('Mudanca'), { minItems: 1 }),
  }),
}

/** A check as a person writes it in `data/rejeicoes/verificacoes`. */
export const FormatoDaVerificacao = Type.Unsafe<Verificacao>(
  Type.Cyclic({ ...operadores, Verificacao: so(membros) }, 'Verificacao'),
)

/** A check as the catalogue keeps it, with its pair. */
export const FormatoNoCatalogo = Type.Unsafe<VerificacaoDoCatalogo>(
  Type.Cyclic(
    { ...operadores, Verificacao: so({ ...membros, par: so({ certo: Texto, errado: Texto }) }) },
    'Verificacao',
  ),
)
