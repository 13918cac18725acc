import { documentoDoServico, ErroFiscal } from '@consulta-fiscal/cliente'

/** The parts of an OpenAPI document of which tools are made. */
export type DocumentoOpenApi = {
  paths: Record<string, Record<string, OperacaoDescrita>>
  components: { schemas: Record<string, Esquema> }
}

type Esquema = { readonly [membro: string]: unknown }

export type OperacaoDescrita = {
  summary: string
  description: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Esquema }[]
  requestBody?: { content: Record<string, { schema: Esquema }> }
}

/** What a model may send, as JSON Schema. */
export type EntradaDaFerramenta = {
  type: 'object'
  properties: Record<string, Esquema>
  required: string[]
  additionalProperties: false
}

/** The document that a service serves. Throws an Error in Portuguese where none comes. */
export async function lerDocumento(endereco: string): Promise<DocumentoOpenApi> {
  const documento = await documentoDoServico({ endereco }).catch((erro: unknown) => {
    if (!(erro instanceof ErroFiscal)) throw erro
    throw new Error(`${erro.message} Confira FISCAL_ENDERECO (${endereco}), e se o serviço está no ar.`)
  })
  if (isDocumento(documento)) return documento
  throw new Error(`O que atende em ${endereco} não é o Consulta Fiscal. Confira FISCAL_ENDERECO.`)
}

const isDocumento = (valor: unknown): valor is DocumentoOpenApi =>
  typeof valor === 'object' && valor !== null && 'paths' in valor && 'components' in valor

/** The parameters or the body of an operation as one object, references resolved. */
export function entradaDe(
  { parameters = [], requestBody }: OperacaoDescrita,
  documento: DocumentoOpenApi,
): EntradaDaFerramenta {
  const corpo = resolvido(requestBody?.content['application/json']?.schema ?? {}, documento)
  const doCorpo = membrosDe(corpo)
  // What is in the query with a body of another type is in this body too.
  const enviados = parameters.filter((um) => um.in !== 'header' && !Object.hasOwn(doCorpo, um.name))
  const properties = { ...doCorpo }
  for (const { name, description, schema } of enviados)
    properties[name] = { ...simples(resolvido(schema, documento)), ...(description && { description }) }
  const obrigatorios = enviados.filter(({ required }) => required).map(({ name }) => name)
  return {
    type: 'object',
    properties,
    required: [...(Array.isArray(corpo.required) ? corpo.required : []), ...obrigatorios],
    additionalProperties: false,
  }
}

function membrosDe({ properties }: Esquema): Record<string, Esquema> {
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(Object.entries(properties).map(([nome, esquema]) => [nome, simples(esquema)]))
}

/** A schema of one value without what only the service understands; words for yes and no are a boolean. */
function simples(esquema: Esquema): Esquema {
  const { enum: palavras, format: _, ...resto } = esquema
  const proprios = Object.fromEntries(Object.entries(resto).filter(([nome]) => !nome.startsWith('x-')))
  if (!Array.isArray(palavras)) return proprios
  if (!palavras.includes('true')) return { ...proprios, enum: palavras }
  const { default: padrao, ...sem } = proprios
  return { ...sem, type: 'boolean', ...(padrao !== undefined && { default: `${padrao}` === 'true' }) }
}

const REF = '#/components/schemas/'

/** A schema with what it refers to in the place of its references. */
function resolvido(esquema: Esquema, documento: DocumentoOpenApi): Esquema {
  const { $ref, ...resto } = esquema
  if (typeof $ref === 'string')
    return { ...resolvido(documento.components.schemas[$ref.replace(REF, '')] ?? {}, documento), ...resto }
  return Object.fromEntries(
    Object.entries(esquema).map(([nome, valor]) => [nome, resolvidoDentro(valor, documento)]),
  )
}

function resolvidoDentro(valor: unknown, documento: DocumentoOpenApi): unknown {
  if (Array.isArray(valor)) return valor.map((um) => resolvidoDentro(um, documento))
  return typeof valor === 'object' && valor !== null ? resolvido({ ...valor }, documento) : valor
}
