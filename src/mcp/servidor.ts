import type { Cliente } from '@consulta-fiscal/cliente'
import {
  fromJsonSchema,
  type JsonSchemaValidator,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { trusted } from '../platform/trusted.ts'
import { chamarFerramenta, type QuemChama, type RecursosDoMcp } from './chamada.ts'
import type { Ferramenta } from './ferramentas.ts'
import type { Argumentos, LimitePorHora } from './resultado.ts'
import { falhaDe, type RespostaDaFerramenta, reciboDito, resultadoDe } from './resultado.ts'

/** One line for the operator: no argument, and nothing of an answer. */
type Registrar = (linha: string) => void

const INSTRUCOES =
  'Consultas fiscais brasileiras (inscrição estadual, certidões, CNPJ, imóveis rurais, NF-e). Quase todas custam créditos: cada descrição diz quanto, e a ferramenta "custos" diz o saldo e o que ainda cabe nesta hora. Prefira a consulta de um estado à de todos. CPF e CNPJ vão sem pontuação.'

/** An MCP server with a tool for each lookup, and one that tells balance and costs. */
export function criarServidor(
  ferramentas: readonly Ferramenta[],
  recursos: RecursosDoMcp,
  { versao, registrar }: { versao: string; registrar: Registrar },
): McpServer {
  const servidor = new McpServer({ name: 'consulta-fiscal', version: versao }, { instructions: INSTRUCOES })
  for (const ferramenta of ferramentas) {
    const { nome, titulo, descricao, entrada, annotations, custo } = ferramenta
    servidor.registerTool(
      nome,
      {
        title: titulo,
        description: descricao,
        inputSchema: fromJsonSchema<Argumentos>({ ...entrada }, aceitaTudo),
        annotations: { title: titulo, ...annotations },
        _meta: { 'consulta-fiscal/custo-maximo': custo.maximo },
      },
      async (argumentos, contexto) => {
        const resultado = await chamarFerramenta(ferramenta, argumentos, recursos, quemChama(contexto))
        registrar(`${nome}: ${resultado.isError ? codigoDe(resultado) : 'ok'}`)
        return resultado
      },
    )
  }
  servidor.registerTool(
    'custos',
    {
      title: 'Saldo, limite por hora e custo de cada ferramenta',
      description:
        '[Não custa créditos] O saldo da conta, quanto ainda cabe no limite por hora deste servidor e o máximo que cada ferramenta pode custar.',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ mcpReq }) => custos(ferramentas, recursos, mcpReq.signal),
  )
  return servidor
}

/**
 * The service itself checks what is sent, in Portuguese and at no cost; a validator here would say less, in
 * English. Its schema is for the model alone.
 */
const aceitaTudo = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    // The protocol says that arguments are an object, and each use of one asks what it is.
    (enviado) => ({ valid: true, data: trusted<T>(enviado), errorMessage: undefined }),
}

/** How a call is cancelled, and told how far it is if it wants to know. */
function quemChama({ mcpReq }: ServerContext): QuemChama {
  const progressToken = mcpReq._meta?.progressToken
  return {
    signal: mcpReq.signal,
    avisar: async (progress, message) => {
      if (progressToken === undefined) return
      const params = { progressToken, progress, message }
      // Whoever does not take a note of progress still gets the answer.
      await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}

async function custos(
  ferramentas: readonly Ferramenta[],
  { fiscal, orcamento }: { fiscal: Cliente; orcamento: LimitePorHora },
  signal: AbortSignal,
): Promise<RespostaDaFerramenta> {
  try {
    const { dados, recibo } = await fiscal.conta.comRecibo({}, { signal })
    const { usados, limite } = { usados: orcamento.usados(), limite: orcamento.limite }
    const maximos = ferramentas.map(({ nome, custo }) => [nome, custo.maximo])
    return resultadoDe(
      {
        plano: dados.plano,
        creditos: dados.creditos,
        nesta_hora: { usados, limite, cabem: Math.max(0, limite - usados) },
        custo_maximo: Object.fromEntries(maximos),
      },
      { recibo: reciboDito(recibo, { usados, limite }), temAnexos: false },
    )
  } catch (erro) {
    return falhaDe(erro)
  }
}

/** The code that an error begins with. */
const codigoDe = ({ content: [primeiro] }: RespostaDaFerramenta): string =>
  (primeiro?.type === 'text' && /^[A-Z_]+/.exec(primeiro.text)?.[0]) || 'erro'
