import { readFile } from 'node:fs/promises'
import {
  type Cliente,
  ErroDaApi,
  ErroDeConexao,
  type Fluxo,
  type Opcoes,
  type Recibo,
} from '@consulta-fiscal/cliente'
import {
  fromJsonSchema,
  type JsonSchemaValidator,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { trusted } from '../platform/trusted.ts'
import type { Ferramenta } from './ferramentas.ts'
import {
  type Argumentos,
  falhaDe,
  type LimitePorHora,
  maximoDe,
  type RespostaDaFerramenta,
  reciboDito,
  recusado,
  resultadoDe,
} from './resultado.ts'

export type RecursosDoMcp = {
  fiscal: Cliente
  orcamento: LimitePorHora
  /** The operator's A1 file and its password, for the XML of a note. */
  certificado: { arquivo: string; senha: string } | undefined
  manifestar: boolean
}

type QuemChama = { signal: AbortSignal; avisar: (feitos: number, parte: string) => Promise<void> }

/** Failures are results too: a model reads them. */
async function callFerramenta(
  ferramenta: Ferramenta,
  argumentos: Argumentos,
  recursos: RecursosDoMcp,
  quem: QuemChama,
): Promise<RespostaDaFerramenta> {
  const { fiscal, orcamento } = recursos
  const maximo = maximoDe(ferramenta.metodo, argumentos)
  const reserva = orcamento.reserve(maximo)
  if ('recusa' in reserva) return recusado(`LIMITE_POR_HORA: ${reserva.recusa}`)
  try {
    const pedido = await pedidoDe(ferramenta, argumentos, recursos)
    const { dados, recibo } = await callMethod(fiscal, ferramenta, pedido, quem)
    reserva.settle(recibo.creditosCobrados ?? maximo)
    const dito = reciboDito(recibo, { usados: orcamento.usados(), limite: orcamento.limite })
    const hasAnexos =
      ferramenta.metodo === 'consultarNfeXml' || (ferramenta.hasPdf && argumentos.incluir_pdf === true)
    return resultadoDe(dados, { recibo: dito, hasAnexos })
  } catch (erro) {
    // A failure that the service told is free. What was cut, or answered by a proxy, may have been charged.
    const deOutro = erro instanceof ErroDaApi && erro.problema === undefined
    const talvez = quem.signal.aborted || erro instanceof ErroDeConexao || deOutro
    reserva.settle(talvez ? maximo : 0)
    return falhaDe(erro)
  }
}

/** What is sent: the arguments that the tool has, and what is the operator's alone to give. */
async function pedidoDe(
  { metodo, entrada }: Ferramenta,
  argumentos: Argumentos,
  { certificado, manifestar }: RecursosDoMcp,
): Promise<Record<string, unknown>> {
  const conhecidos = Object.entries(argumentos).filter(
    ([nome]) => Object.hasOwn(entrada.properties, nome) && nome !== 'incluir_pdf',
  )
  const pedido = Object.fromEntries(conhecidos)
  if (metodo !== 'consultarNfeXml' || !certificado) return pedido
  return {
    ...pedido,
    certificado: (await readFile(certificado.arquivo)).toString('base64'),
    senha: certificado.senha,
    manifestar: manifestar && argumentos.manifestar === true,
  }
}

type Recebida = { dados: object; recibo: Partial<Recibo> }

type Qualquer = {
  comRecibo: (pedido: object, opcoes: Opcoes) => Promise<Recebida>
  stream?: (pedido: object, opcoes: Opcoes) => Fluxo<object, object>
}

/** In all states part by part, to tell how far it is. */
async function callMethod(
  fiscal: Cliente,
  { metodo }: Ferramenta,
  pedido: object,
  { signal, avisar }: QuemChama,
): Promise<Recebida> {
  // Each method takes an object and options; the service checks what is in the object.
  const chamada = trusted<Qualquer>(fiscal[metodo])
  if (!chamada.stream || metodo === 'sefazStatus')
    return chamada.comRecibo(pedido, { signal, exigirFonte: true })
  const fluxo = chamada.stream(pedido, { signal })
  let feitos = 0
  for await (const parte of fluxo) await avisar(++feitos, 'uf' in parte ? String(parte.uf) : '')
  return { dados: fluxo.resultado ?? {}, recibo: fluxo.recibo ?? {} }
}

/** One line for the operator: no argument, and nothing of an answer. */
type Registrar = (linha: string) => void

const INSTRUCOES =
  'Consultas fiscais brasileiras (inscrição estadual, certidões, CNPJ, imóveis rurais, NF-e). Quase todas custam créditos: cada descrição diz quanto, e a ferramenta "custos" diz o saldo e o que ainda cabe nesta hora. Prefira a consulta de um estado à de todos. CPF e CNPJ vão sem pontuação.'

export function createServidor(
  ferramentas: readonly Ferramenta[],
  recursos: RecursosDoMcp,
  { versao, log }: { versao: string; log: Registrar },
): McpServer {
  const servidor = new McpServer({ name: 'consulta-fiscal', version: versao }, { instructions: INSTRUCOES })
  for (const ferramenta of ferramentas) {
    const { nome, titulo, descricao, entrada, annotations, custo } = ferramenta
    servidor.registerTool(
      nome,
      {
        title: titulo,
        description: descricao,
        inputSchema: fromJsonSchema<Argumentos>({ ...entrada }, acceptsAll),
        annotations: { title: titulo, ...annotations },
        _meta: { 'consulta-fiscal/custo-maximo': custo.maximo },
      },
      async (argumentos, contexto) => {
        const resultado = await callFerramenta(ferramenta, argumentos, recursos, quemChama(contexto))
        log(`${nome}: ${resultado.isError ? codigoDe(resultado) : 'ok'}`)
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

/** The service checks what is sent, in Portuguese and at no cost. This schema is for the model alone. */
const acceptsAll = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    // The protocol says that arguments are an object, and each use of one asks what it is.
    (enviado) => ({ valid: true, data: trusted<T>(enviado), errorMessage: undefined }),
}

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
      { recibo: reciboDito(recibo, { usados, limite }), hasAnexos: false },
    )
  } catch (erro) {
    return falhaDe(erro)
  }
}

const codigoDe = ({ content: [primeiro] }: RespostaDaFerramenta): string =>
  (primeiro?.type === 'text' && /^[A-Z_]+/.exec(primeiro.text)?.[0]) || 'erro'
