import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { type TProperties, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import {
  categorias,
  type Rejeicao,
  tiposDeRejeicao,
  type Verificacao,
  type VerificacaoDoCatalogo,
} from './rules.ts'
import type { VerificacaoComCodigo } from './verificacoes/verificador.ts'

const TextoNaoVazio = Type.String({ minLength: 1 })

const Caminho = Type.String({ pattern: '^(?:\\.|(?:\\./)?(?:\\w+|\\*|@\\w+)(?:/(?:\\w+|\\*|@\\w+))*)$' })

const Lugar = Type.String({ pattern: '^@?\\w+(?:\\[\\d+\\])?(?:/@?\\w+(?:\\[\\d+\\])?)*$' })

const Decimal = Type.String({ pattern: '^-?\\d+(?:\\.\\d{1,10})?$' })

const Dia = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const Condicao = Type.Ref('Condicao')

const Valor = Type.Ref('Valor')

const Numero = Type.Ref('Numero')

/** Nothing but these members: an operator that is misspelt is an error. */
const so = <T extends TProperties>(membros: T) => Type.Object(membros, { additionalProperties: false })

const doisValores = Type.Tuple([Valor, Valor])

const daTabela = Type.Tuple([TextoNaoVazio, Valor, TextoNaoVazio])

const doisNumeros = Type.Tuple([Numero, Numero])

/** The closed operators of the checks. */
const operadores = {
  Valor: Type.Union([
    Type.String(),
    so({ v: Caminho }),
    so({ parte: Type.Tuple([Valor, Type.Integer({ minimum: 0 }), Type.Integer({ minimum: 0 })]) }),
    so({ junta: Type.Array(Valor, { minItems: 1 }) }),
    so({ zeros: Type.Tuple([Valor, Type.Integer({ minimum: 1 })]) }),
    so({ digitos: Valor }),
    so({ maiusculas: Valor }),
    so({ apos: Type.Tuple([Valor, TextoNaoVazio]) }),
    so({ contexto: TextoNaoVazio }),
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
    so({ casa: Type.Tuple([Valor, TextoNaoVazio]) }),
    so({ fecha: doisNumeros, tol: Type.Optional(Decimal) }),
    so({ menor: doisNumeros }),
    so({ maior: doisNumeros }),
    so({ antes: doisValores }),
    so({ todos: Caminho, sa: Condicao }),
    so({ algum: Caminho, sa: Condicao }),
    so({ unicos: Caminho, por: Type.Optional(Caminho) }),
    so({ tabela: Type.Tuple([TextoNaoVazio, Valor]) }),
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
    so({ campo: Lugar, xml: TextoNaoVazio, onde: Type.Enum(['antes', 'depois', 'dentro']) }),
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
  titulo: TextoNaoVazio,
  descricao: TextoNaoVazio,
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
  mensagem_falha: TextoNaoVazio,
  fonte: so({ documento: TextoNaoVazio, regra: TextoNaoVazio }),
  exemplo: so({
    nota: TextoNaoVazio,
    certo: Type.Optional(Mudancas),
    errado: Type.Array(Type.Ref('Mudanca'), { minItems: 1 }),
  }),
}

/** A check as a person writes it in `data/rejeicoes/verificacoes`. */
export const FormatoDaVerificacao = Type.Unsafe<Verificacao>(
  Type.Cyclic({ ...operadores, Verificacao: so(membros) }, 'Verificacao'),
)

const FormatoNoCatalogo = Type.Unsafe<VerificacaoDoCatalogo>(
  Type.Cyclic(
    {
      ...operadores,
      Verificacao: so({ ...membros, par: so({ certo: TextoNaoVazio, errado: TextoNaoVazio }) }),
    },
    'Verificacao',
  ),
)

const Texto = Type.String({ minLength: 1 })

const Entradas = Type.Array(
  Type.Object({
    codigo: Type.Integer({ minimum: 1 }),
    titulo: Texto,
    slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    motivo: Texto,
    categoria: Type.Union([Type.Enum([...categorias]), Type.Null()]),
    url_blog: Type.String({ pattern: '^/blog/rejeicoes/[a-z0-9-]+/$' }),
    causas: Type.Array(Texto),
    solucao_passos: Type.Array(Texto),
    verificacoes_analiticas: Type.Array(FormatoNoCatalogo),
    tipo: Type.Enum([...tiposDeRejeicao]),
    fontes: Type.Array(Texto),
    regras: Type.Array(
      Type.Object({ regra: Type.String(), modelo: Type.String(), documento: Type.String() }),
    ),
    outro_significado: Type.Union([Type.Object({ motivo: Texto, fonte: Type.String() }), Type.Null()]),
    campos: Type.Array(Texto),
    exemplos: Type.Optional(
      Type.Array(
        Type.Object({
          passo: Type.Integer({ minimum: 1 }),
          verificacao: Texto,
          errado: Type.String(),
          certo: Type.String(),
        }),
      ),
    ),
    onde_consultar: Type.Optional(
      Type.Array(
        Type.Object({
          nome: Texto,
          endereco: Type.String({ pattern: '^https?://[^\\s"<>]+$' }),
          origem: Texto,
        }),
      ),
    ),
  }),
  { minItems: 1 },
)

/** Reads the entries of a catalogue file. Throws an Error that says, in Portuguese, what is wrong. */
export function parseEntradas(text: string): Rejeicao[] {
  const value: unknown = JSON.parse(text)
  // Compiled for each reading, of which a process has one or two: kept it takes half a MB. An operator that
  // is not handed over by its name is looked for in the whole form, at each place that names it.
  const form = Compile(operadores, Entradas)
  if (form.Check(value)) return value
  const [, errors] = form.Errors(value)
  throw new Error(`fora do formato em ${errors[0]?.instancePath || 'seu início'}`)
}

/** The rejection catalogue as one file holds it. It never changes: a file that changed is another one. */
export type Catalogo = {
  rejeicoes: readonly Rejeicao[]
  porCodigo: ReadonlyMap<number, Rejeicao>
  porSlug: ReadonlyMap<string, Rejeicao>
  versao: string
  arquivo: string
}

/** Octets. The catalogue that comes with the service has some 2 MB, and reading one blocks everybody. */
const MAIOR = 16 * 1024 * 1024

/** Reads a catalogue file. Throws an Error that says what is wrong with it, in Portuguese where we can. */
export function readCatalogo(arquivo: string): Catalogo {
  const found = statSync(arquivo)
  if (!found.isFile()) throw new Error('não é um arquivo')
  if (found.size > MAIOR) throw new Error(`passa de ${MAIOR / 1024 / 1024} MiB`)
  const text = readFileSync(arquivo, 'utf8')
  const rejeicoes = parseEntradas(text).sort((a, b) => a.codigo - b.codigo)
  const porCodigo = new Map(rejeicoes.map((rejeicao) => [rejeicao.codigo, rejeicao]))
  const porSlug = new Map(rejeicoes.map((rejeicao) => [rejeicao.slug, rejeicao]))
  if (porCodigo.size < rejeicoes.length || porSlug.size < rejeicoes.length)
    throw new Error('um código ou um slug aparece duas vezes')
  return { rejeicoes, porCodigo, porSlug, versao: hash('sha256', text).slice(0, 16), arquivo }
}

export const verificacoesDe = ({ rejeicoes }: Catalogo): VerificacaoComCodigo[] =>
  rejeicoes.flatMap(({ codigo, verificacoes_analiticas }) =>
    verificacoes_analiticas.map((verificacao) => ({ ...verificacao, codigo })),
  )

/** Changes when a file does. */
export function marcaDe(arquivo: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(arquivo)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'missing'
  }
}

/** A note without an error, which the reference shows and a visitor tries the diagnosis with. */
export const NOTA_DE_EXEMPLO = readFileSync(
  new URL('../../data/rejeicoes/notas/venda-interna.xml', import.meta.url),
  'utf8',
)
  .replace(/>\s+</g, '><')
  .trim()
