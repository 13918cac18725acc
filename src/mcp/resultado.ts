import { ErroFiscal, type NomeDeMetodo, type Recibo } from '@consulta-fiscal/cliente'
import { ufs } from '../documento/uf.ts'

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

export function resultadoDe(
  dados: object,
  { recibo, hasAnexos }: { recibo: string; hasAnexos: boolean },
): RespostaDaFerramenta {
  const anexos: Conteudo[] = []
  const texto = JSON.stringify(dados, (nome, valor: unknown) => {
    const mimeType = ANEXOS[nome]
    if (mimeType === undefined || typeof valor !== 'string' || valor === '') return valor
    const tamanho = `${Math.ceil(valor.length / 1024)} KiB`
    if (!hasAnexos || valor.length > MAIOR_ANEXO) return `(omitido: ${mimeType}, ${tamanho})`
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

export const creditos = (quantos: number): string => `${quantos} ${quantos === 1 ? 'crédito' : 'créditos'}`

export function reciboDito(
  { creditosCobrados = 0, creditosRestantes, requestId }: Partial<Recibo>,
  { usados, limite }: { usados: number; limite: number },
): string {
  const restam = creditosRestantes === undefined ? '' : `; restam ${creditosRestantes} na conta`
  const quem = requestId === undefined ? '' : `; request_id ${requestId}`
  return `Custo: ${creditos(creditosCobrados)}${restam}; ${usados} de ${limite} nesta hora${quem}.`
}

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

export type Argumentos = Readonly<Record<string, unknown>>

/** Methods of the client that are no tool: the list that needs no key is the other one again. */
type SemFerramenta = 'rejeicoesPublicas' | `auth${string}`

export type MetodoDeFerramenta = Exclude<NomeDeMetodo, SemFerramenta>

/** A lookup that is not here does not compile. */
const maximos: Record<MetodoDeFerramenta, number | ((argumentos: Argumentos) => number)> = {
  consultar: 1,
  consultarIeTodos: ufs.length,
  consultarCnd: 1,
  consultarCndTodos: ufs.length,
  consultarCndFederal: 1,
  consultarCnpj: ({ force_fresh }) => (isOff(force_fresh) ? 1 : 3),
  consultarCnir: 1,
  perfilProdutor: 1 + 2 * ufs.length,
  consultarSigef: 1,
  consultarNfeXml: ({ simular }) => (isOff(simular) ? 3 : 0),
  baseCnpj: 0,
  fontes: 0,
  conta: 0,
  sefazStatus: 0,
  sefazHistorico: 0,
  sefazAmbienteNacional: 0,
  rejeicoes: 0,
  rejeicao: 0,
  diagnosticar: ({ cadastros }) => (isOff(cadastros) ? 0 : 4),
}

/** The words for no, as the service reads them; all else may be a yes. */
const isOff = (valor: unknown): boolean =>
  [undefined, null, false, 0, 'false', '0', ''].some((um) => um === valor)

/** The methods that are tools, in the order in which they are shown. */
export const metodos = Object.keys(maximos).filter((um): um is MetodoDeFerramenta => um in maximos)

export function maximoDe(metodo: MetodoDeFerramenta, argumentos: Argumentos): number {
  const maximo = maximos[metodo]
  return typeof maximo === 'number' ? maximo : maximo(argumentos)
}

const HORA_MS = 60 * 60_000

export type LimitePorHora = {
  /** Sets `maximo` aside and returns what settles it, or says in Portuguese why it does not fit. */
  reserve: (maximo: number) => { settle: (creditos: number) => void } | { recusa: string }
  /** Credits that were spent, or are set aside, within the last hour. */
  usados: () => number
  limite: number
}

/** It lives as long as the process. */
export function openOrcamento(limite: number, agora: () => number): LimitePorHora {
  let gastos: { em: number; creditos: number }[] = []
  const usados = (): number => {
    gastos = gastos.filter(({ em }) => em > agora() - HORA_MS)
    return gastos.reduce((soma, { creditos }) => soma + creditos, 0)
  }
  return {
    limite,
    usados,
    reserve: (maximo) => {
      const ja = usados()
      if (maximo > 0 && ja + maximo > limite)
        return { recusa: recusaDe(maximo, { ja, limite, gastos, agora }) }
      const gasto = { em: agora(), creditos: maximo }
      gastos.push(gasto)
      return { settle: (creditos) => Object.assign(gasto, { creditos }) }
    },
  }
}

type Uso = { ja: number; limite: number; gastos: { em: number; creditos: number }[]; agora: () => number }

function recusaDe(maximo: number, { ja, limite, gastos, agora }: Uso): string {
  const dito = `Esta chamada pode custar até ${maximo} créditos, e o limite deste servidor MCP é de ${limite} por hora: ${ja} já foram gastos ou estão reservados.`
  if (maximo > limite)
    return `${dito} Ela não cabe nesse limite. Pergunte um estado de cada vez, ou peça a quem opera o servidor que aumente --limite-creditos.`
  const somas = gastos.map((_, i) =>
    gastos.slice(0, i + 1).reduce((soma, { creditos }) => soma + creditos, 0),
  )
  const freed = gastos[somas.findIndex((soma) => soma >= ja + maximo - limite)]
  const minutos = Math.max(1, Math.ceil(((freed?.em ?? agora()) + HORA_MS - agora()) / 60_000))
  return `${dito} Cabe de novo em cerca de ${minutos} min. Nada foi consultado nem cobrado.`
}
