import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'

/** Text is shown as it is; decimal text such as `0.195` and numbers have a decimal comma. */
export type Celula = string | number | { decimal: string }

type Planilha = {
  arquivo: string
  cabecalho: readonly string[]
  lotes: AsyncIterable<readonly (readonly Celula[])[]>
}

/** BOM, `;`, decimal comma, CRLF. A batch is asked for when the client has taken the one before. */
export function sendCsv(reply: FastifyReply, { arquivo, cabecalho, lotes }: Planilha): FastifyReply {
  if (!/^[\w.-]+$/.test(arquivo)) throw new Error('no name of a file')
  const escrita = Readable.from(writeLotes(cabecalho, lotes), { objectMode: false, highWaterMark: 65_536 })
  // The page of a failure is no file.
  escrita.once('error', () => reply.removeHeader('content-disposition'))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${arquivo}"`)
    .header('cache-control', 'no-store')
    .send(escrita)
}

/** A short table as it is sent: the whole in memory. */
export const writeCsv = (cabecalho: readonly string[], linhas: readonly (readonly Celula[])[]): string =>
  `\uFEFF${[cabecalho, ...linhas].map(linha).join('')}`

async function* writeLotes(
  cabecalho: readonly string[],
  lotes: Planilha['lotes'],
): AsyncGenerator<string, void> {
  // With the first batch, so that a failure of it is still an answer of its own.
  let inicio = writeCsv(cabecalho, [])
  for await (const lote of lotes) {
    yield inicio + lote.map(linha).join('')
    inicio = ''
  }
  if (inicio !== '') yield inicio
}

const linha = (celulas: readonly Celula[]): string => `${celulas.map(writeCelula).join(';')}\r\n`

function writeCelula(celula: Celula): string {
  if (typeof celula === 'number') return decimal(String(celula))
  if (typeof celula === 'object') return decimal(celula.decimal)
  const segura = FORMULA.test(celula) ? `'${celula}` : celula
  return /[;"\r\n]/.test(segura) ? `"${segura.replaceAll('"', '""')}"` : segura
}

/** What a spreadsheet would calculate instead of showing (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/

function decimal(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error('no decimal number')
  return text.replace('.', ',')
}

const DE_UMA_CONTA = 2
const AO_MESMO_TEMPO = 8

type ReadParaArquivo = <T>(conta_id: string, lotes: AsyncIterable<T>) => AsyncGenerator<T, void>

/** Throws RATE_LIMIT_EXCEEDED in the place of the first line where too many are written. */
export function openDownloads(): ReadParaArquivo {
  const abertas: string[] = []
  return async function* read(conta_id, lotes) {
    const suas = abertas.filter((one) => one === conta_id).length
    if (suas >= DE_UMA_CONTA || abertas.length >= AO_MESMO_TEMPO) throw cheia()
    abertas.push(conta_id)
    try {
      yield* lotes
    } finally {
      abertas.splice(abertas.indexOf(conta_id), 1)
    }
  }
}

const cheia = (): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    'Há arquivos demais sendo baixados ao mesmo tempo, desta conta ou do serviço. Espere um terminar e tente de novo.',
    { retryS: 30 },
  )
