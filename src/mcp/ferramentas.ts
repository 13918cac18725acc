import { documentoDoServico, ErroFiscal, operacoes } from '@consulta-fiscal/cliente'
import { creditos, type MetodoDeFerramenta, maximoDe, metodos } from './resultado.ts'

export type DocumentoOpenApi = {
  paths: Record<string, Record<string, OperacaoDescrita>>
  components: { schemas: Record<string, Esquema> }
}

type Esquema = { readonly [membro: string]: unknown }

type OperacaoDescrita = {
  summary: string
  description: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Esquema }[]
  requestBody?: { content: Record<string, { schema: Esquema }> }
}

type EntradaDaFerramenta = {
  type: 'object'
  properties: Record<string, Esquema>
  required: string[]
  additionalProperties: false
}

/** Throws an Error in Portuguese where no document comes. */
export async function readDocumento(endereco: string): Promise<DocumentoOpenApi> {
  const documento = await documentoDoServico({ endereco }).catch((erro: unknown) => {
    if (!(erro instanceof ErroFiscal)) throw erro
    throw new Error(`${erro.message} Confira FISCAL_ENDERECO (${endereco}), e se o serviço está no ar.`)
  })
  if (isDocumento(documento)) return documento
  throw new Error(`O que atende em ${endereco} não é o Consulta Fiscal. Confira FISCAL_ENDERECO.`)
}

const isDocumento = (valor: unknown): valor is DocumentoOpenApi =>
  typeof valor === 'object' && valor !== null && 'paths' in valor && 'components' in valor

function entradaDe(
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

/** Words for yes and no become a boolean. */
function simples(esquema: Esquema): Esquema {
  const { enum: palavras, format: _, ...resto } = esquema
  const proprios = Object.fromEntries(Object.entries(resto).filter(([nome]) => !nome.startsWith('x-')))
  if (!Array.isArray(palavras)) return proprios
  if (!palavras.includes('true')) return { ...proprios, enum: palavras }
  const { default: padrao, ...sem } = proprios
  return { ...sem, type: 'boolean', ...(padrao !== undefined && { default: `${padrao}` === 'true' }) }
}

const REF = '#/components/schemas/'

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

export type Ferramenta = {
  nome: string
  metodo: MetodoDeFerramenta
  titulo: string
  descricao: string
  entrada: EntradaDaFerramenta
  /** The most that a call of the plainest kind, and of the dearest, costs. */
  custo: { comum: number; maximo: number }
  /** It comes only where it is asked for. */
  hasPdf: boolean
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

export type Permissoes = { certificado: boolean; manifestar: boolean }

/** The XML of a note is a tool only where the operator named a certificate. */
export function ferramentasDe(documento: DocumentoOpenApi, permissoes: Permissoes): Ferramenta[] {
  return metodos.flatMap((metodo) => {
    if (metodo === 'consultarNfeXml' && !permissoes.certificado) return []
    const { caminho, verbo } = operacoes[metodo]
    const operacao = documento.paths[caminho]?.[verbo.toLowerCase()]
    if (!operacao) return []
    const entrada = ajustada(metodo, entradaDe(operacao, documento), permissoes)
    const custo = { comum: maximoDe(metodo, {}), maximo: maximoDe(metodo, todasLigadas(entrada)) }
    const manifesta = metodo === 'consultarNfeXml' && permissoes.manifestar
    return [
      {
        nome: nomeDe(metodo),
        metodo,
        titulo: operacao.summary,
        descricao: `${custoDito(custo)} ${semHttp(operacao.description)}${manifesta ? AVISO : ''}`,
        entrada,
        custo,
        hasPdf: COM_PDF.has(metodo),
        annotations: {
          readOnlyHint: !manifesta && metodo !== 'consultarCndFederal',
          destructiveHint: manifesta,
          idempotentHint: true,
          openWorldHint: !caminho.startsWith('/api/v1/'),
        },
      },
    ]
  })
}

/** consultarIeTodos: consultar_ie_todos. */
const nomeDe = (metodo: string): string => metodo.replace(/[A-Z]/g, (letra) => `_${letra.toLowerCase()}`)

const nomesPorCaminho: ReadonlyMap<string, string> = new Map(
  metodos.map((metodo) => [operacoes[metodo].caminho, `\`${nomeDe(metodo)}\``]),
)

const COM_PDF: ReadonlySet<MetodoDeFerramenta> = new Set(['consultarCnd', 'consultarCndFederal'])

const AVISO =
  '\n\nATENÇÃO: com manifestar=true registra na SEFAZ um evento que não pode ser desfeito (Ciência ou Confirmação da Operação). Só o envie se a pessoa pediu isso para esta nota.'

function ajustada(
  metodo: MetodoDeFerramenta,
  entrada: EntradaDaFerramenta,
  { manifestar }: Permissoes,
): EntradaDaFerramenta {
  if (COM_PDF.has(metodo))
    return { ...entrada, properties: { ...entrada.properties, incluir_pdf: INCLUIR_PDF } }
  if (metodo !== 'consultarNfeXml') return entrada
  const { certificado: _, senha: __, manifestar: descrita, ...resto } = entrada.properties
  return {
    ...entrada,
    properties: manifestar ? { ...resto, manifestar: { ...descrita, default: false } } : resto,
    required: entrada.required.filter((nome) => nome !== 'certificado' && nome !== 'senha'),
  }
}

const INCLUIR_PDF = {
  type: 'boolean',
  default: false,
  description:
    'true traz também o PDF da certidão, como recurso anexo. Decida antes: pedir de novo só para isso custa outra vez',
}

/** Arguments with every switch on: the dearest call. */
const todasLigadas = ({ properties }: EntradaDaFerramenta): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([nome, { type }]) =>
      type === 'boolean' && nome !== 'simular' ? [[nome, true]] : [],
    ),
  )

function custoDito({ comum, maximo }: Ferramenta['custo']): string {
  if (maximo === 0) return '[Não custa créditos]'
  return comum === maximo
    ? `[Custa até ${creditos(maximo)}]`
    : `[Custa até ${creditos(comum)}; conforme os parâmetros, até ${maximo}]`
}

/** Without what only a caller over HTTP can use. The path of a lookup becomes the name of its tool. */
const semHttp = (descricao: string): string =>
  descricao
    .replace(/```.*?```/gs, '')
    .split(/\n{2,}/)
    .filter((paragrafo) => !/event-stream|Idempotency-Key/.test(paragrafo))
    .join('\n\n')
    .replaceAll('**', '')
    .replace(
      /`?(?:\b[A-Z]+ )?(\/api\/[\w/{}-]+)`?/g,
      (dito, caminho: string) => nomesPorCaminho.get(caminho) ?? dito,
    )
    .trim()
