import { type Static, type TSchema, Type } from 'typebox'

const MAIS_TEXTO = 2_000

/** A text that may be missing: empty, null and absent are the same. */
const Texto = Type.Optional(Type.Union([Type.String({ maxLength: MAIS_TEXTO }), Type.Null()]))

/** A code, which clients met as text and as a number. */
const Numero = Type.Union([Type.String({ pattern: '^[0-9]{1,7}$' }), Type.Integer({ minimum: 0 })])
const NumeroOuVazio = Type.Optional(Type.Union([Numero, Type.Literal(''), Type.Null()]))

const Codigo = Type.Object({ codigo: NumeroOuVazio, descricao: Texto })

const listOf = <T extends TSchema>(item: T, maxItems: number) =>
  Type.Optional(Type.Union([Type.Array(item, { maxItems }), Type.Null()]))

/**
 * The answer of Consulta CNPJ v2, `qsa`: what the specification needs of it. The shape is that of public
 * client code (2026); no official example was seen.
 */
export const RespostaCnpj = Type.Object({
  ni: Type.String({ pattern: '^[0-9A-Z]{14}$' }),
  nomeEmpresarial: Type.String({ minLength: 1, maxLength: MAIS_TEXTO }),
  nomeFantasia: Texto,
  situacaoCadastral: Type.Object({ codigo: Numero, data: Texto }),
  naturezaJuridica: Codigo,
  cnaePrincipal: Codigo,
  cnaeSecundarias: listOf(Codigo, 500),
  endereco: Type.Object({
    tipoLogradouro: Texto,
    logradouro: Texto,
    numero: Texto,
    complemento: Texto,
    bairro: Texto,
    cep: Texto,
    uf: Texto,
    municipio: Type.Optional(Type.Union([Codigo, Type.Null()])),
  }),
  // In hundredths. Some clients met it as text; the register has a few below zero, as the monthly base does.
  capitalSocial: Type.Union([Type.String({ pattern: '^-?[0-9]{1,15}$' }), Type.Integer()]),
  porte: NumeroOuVazio,
  socios: listOf(
    Type.Object({
      nome: Type.String({ minLength: 1, maxLength: MAIS_TEXTO }),
      qualificacao: NumeroOuVazio,
    }),
    10_000,
  ),
})
export type RespostaCnpj = Static<typeof RespostaCnpj>

/** The members of a whole answer that a partial one (HTTP 206) may lack: their absence says nothing there. */
const PODEM_FALTAR: readonly (readonly string[])[] = [
  ['nomeFantasia'],
  ['situacaoCadastral', 'data'],
  ['naturezaJuridica', 'codigo'],
  ['cnaePrincipal', 'codigo'],
  ['cnaeSecundarias'],
  ['endereco', 'logradouro'],
  ['endereco', 'numero'],
  ['endereco', 'complemento'],
  ['endereco', 'bairro'],
  ['endereco', 'cep'],
  ['endereco', 'uf'],
  ['endereco', 'municipio', 'codigo'],
  ['porte'],
  ['socios'],
]

/** The specified members that an answer does not have at all, as paths: `endereco.cep`. */
export const faltamNa = (resposta: RespostaCnpj): string[] =>
  PODEM_FALTAR.map((path) => [path, path.reduce<unknown>(memberOf, resposta)] as const)
    .filter(([, value]) => value === undefined || value === null)
    .map(([path]) => path.join('.'))

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
