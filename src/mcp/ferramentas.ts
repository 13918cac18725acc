import { operacoes } from '@consulta-fiscal/cliente'
import { type DocumentoOpenApi, type EntradaDaFerramenta, entradaDe } from './documento.ts'
import { creditos } from './mcp-resultado.ts'
import { type MetodoDeFerramenta, maximoDe, metodos } from './resultado.ts'

/** A lookup as a model sees it. */
export type Ferramenta = {
  nome: string
  metodo: MetodoDeFerramenta
  titulo: string
  descricao: string
  entrada: EntradaDaFerramenta
  /** The most that a call of the plainest kind, and of the dearest, costs. */
  custo: { comum: number; maximo: number }
  /** Whether the answer may bring a PDF, which comes only where it is asked for. */
  temPdf: boolean
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** What the operator of this server allows. */
export type Permissoes = { certificado: boolean; manifestar: boolean }

/**
 * The tools of a service: its lookups that the client knows, described by the service's own document. The XML
 * of a note is one only where the operator named a certificate.
 */
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
        temPdf: COM_PDF.has(metodo),
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

/** The tools by the paths of which descriptions speak. */
const nomesPorCaminho: ReadonlyMap<string, string> = new Map(
  metodos.map((metodo) => [operacoes[metodo].caminho, `\`${nomeDe(metodo)}\``]),
)

const COM_PDF: ReadonlySet<MetodoDeFerramenta> = new Set(['consultarCnd', 'consultarCndFederal'])

const AVISO =
  '\n\nATENÇÃO: com manifestar=true registra na SEFAZ um evento que não pode ser desfeito (Ciência ou Confirmação da Operação). Só o envie se a pessoa pediu isso para esta nota.'

/** The input that a model may choose: no certificate, no manifestation that was not allowed. */
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

/**
 * A description without what only a caller over HTTP can use: streams, headers, their examples. The path of a
 * lookup becomes the name of its tool.
 */
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
