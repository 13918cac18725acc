import { ErroFiscal, type Recibo } from '@consulta-fiscal/cliente'

/** What a tool answers with (the result of `tools/call`). */
export type RespostaDaFerramenta = { content: Conteudo[]; isError?: true }

type Conteudo =
  | { type: 'text'; text: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ blob: string } | { text: string }) }

/** Letters of an answer at most: about 15,000 tokens. */
const MAIOR = 60_000
/** Letters of an attached note, and octets of base64 of a PDF, at most. */
const MAIOR_ANEXO = 1_000_000

/** Members that are no text for a model, and what they are. */
const ANEXOS: Readonly<Record<string, string>> = {
  pdf_base64: 'application/pdf',
  impressao_base64: 'application/pdf',
  xml: 'application/xml',
}

/** An answer as a model reads it: what it cost, then itself within bounds, then what is attached. */
export function resultadoDe(
  dados: object,
  { recibo, temAnexos }: { recibo: string; temAnexos: boolean },
): RespostaDaFerramenta {
  const anexos: Conteudo[] = []
  const texto = JSON.stringify(dados, (nome, valor: unknown) => {
    const mimeType = ANEXOS[nome]
    if (mimeType === undefined || typeof valor !== 'string' || valor === '') return valor
    const tamanho = `${Math.ceil(valor.length / 1024)} KiB`
    if (!temAnexos || valor.length > MAIOR_ANEXO) return `(omitido: ${mimeType}, ${tamanho})`
    const uri = `consulta-fiscal:resposta/${anexos.length + 1}`
    const conteudo = mimeType === 'application/pdf' ? { blob: valor } : { text: valor }
    anexos.push({ type: 'resource', resource: { uri, mimeType, ...conteudo } })
    return `(anexo ${uri}: ${mimeType}, ${tamanho})`
  })
  return { content: [{ type: 'text', text: `${recibo}\n\n${aparado(texto)}` }, ...anexos] }
}

/** JSON within bounds: long lists lose their tails, and say so. */
function aparado(json: string): string {
  if (json.length <= MAIOR) return json
  for (const itens of [100, 30, 10, 3]) {
    const menor = JSON.stringify(JSON.parse(json), (_, valor: unknown) =>
      Array.isArray(valor) && valor.length > itens
        ? [
            ...valor.slice(0, itens),
            `(mais ${valor.length - itens} itens, omitidos aqui: peça menos de cada vez)`,
          ]
        : valor,
    )
    if (menor.length <= MAIOR) return menor
  }
  return `${json.slice(0, MAIOR)}\n(cortado aqui: a resposta tem ${json.length} letras; peça menos de cada vez)`
}

/** So many credits, in words. */
export const creditos = (quantos: number): string => `${quantos} ${quantos === 1 ? 'crédito' : 'créditos'}`

/** What a call cost and what is left, in one line. */
export function reciboDito(
  { creditosCobrados = 0, creditosRestantes, requestId }: Partial<Recibo>,
  { usados, limite }: { usados: number; limite: number },
): string {
  const restam = creditosRestantes === undefined ? '' : `; restam ${creditosRestantes} na conta`
  const quem = requestId === undefined ? '' : `; request_id ${requestId}`
  return `Custo: ${creditos(creditosCobrados)}${restam}; ${usados} de ${limite} nesta hora${quem}.`
}

/** A refusal of this server, without a call. */
export const recusado = (motivo: string): RespostaDaFerramenta => ({
  content: [{ type: 'text', text: motivo }],
  isError: true,
})

/** A failure as a model can act on it: the code, what happened, and whether repeating helps. */
export function falhaDe(erro: unknown): RespostaDaFerramenta {
  if (!(erro instanceof ErroFiscal)) return recusado('ERRO_INTERNO: a consulta falhou neste servidor MCP.')
  const { codigo, message, retryable, retryAfterS, requestId } = erro
  const quando = retryAfterS === undefined ? 'mais tarde' : `em ${retryAfterS} s`
  const fazer = retryable
    ? `Pode dar certo ${quando}: repita uma vez, e não em laço.`
    : 'Repetir a mesma chamada não muda a resposta: corrija o que a mensagem diz, ou conte-a à pessoa.'
  const quem = requestId === undefined ? '' : ` request_id ${requestId}.`
  return recusado(`${codigo}: ${message} ${fazer}${quem}`)
}
