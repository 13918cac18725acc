/**
 * Loaded into the service before its first line (`node --import`): writes every answer that it gets over HTTP
 * to the file of its address (`?arquivo=`), one JSON line each, bodies in base64 as they came over the wire.
 * It listens to what undici publishes of itself, so it knows nothing of the service.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/** One question and its answer, as the wire has them. */
export type Troca = {
  pergunta: string
  enviados: [string, string][]
  corpo: string
  status: number
  cabecalhos: [string, string][]
  resposta: string
}

type Em = {
  request: object
  chunk?: Uint8Array | string
  response?: { statusCode: number; headers: Buffer[] }
}
type Aberta = { enviados: Buffer[]; recebidos: Buffer[]; status: number; cabecalhos: Buffer[] }

const arquivo = new URL(import.meta.url).searchParams.get('arquivo') ?? ''
const abertas = new WeakMap<object, Aberta>()

function abertaDe(request: object): Aberta {
  const aberta = abertas.get(request) ?? { enviados: [], recebidos: [], status: 0, cabecalhos: [] }
  abertas.set(request, aberta)
  return aberta
}

function ouvir(nome: string, faz: (aberta: Aberta, em: Em) => void): void {
  subscribe(`undici:request:${nome}`, (mensagem) => {
    const em = mensagem as Em
    faz(abertaDe(em.request), em)
  })
}

/** Names and values that follow each other, as pairs. */
const emPares = (textos: unknown[]): [string, string][] =>
  textos.flatMap((nome, i): [string, string][] =>
    i % 2 === 0 ? [[String(nome), String(textos[i + 1])]] : [],
  )

function gravar(aberta: Aberta, request: object): void {
  const { origin = '', method = '', path = '', headers } = request as Record<string, unknown>
  const troca: Troca = {
    pergunta: `${method} ${origin}${path}`,
    enviados: emPares(Array.isArray(headers) ? headers : []),
    corpo: Buffer.concat(aberta.enviados).toString('base64'),
    status: aberta.status,
    cabecalhos: emPares(aberta.cabecalhos),
    resposta: Buffer.concat(aberta.recebidos).toString('base64'),
  }
  appendFileSync(arquivo, `${JSON.stringify(troca)}\n`)
}

if (arquivo !== '') {
  ouvir('bodyChunkSent', ({ enviados }, { chunk = '' }) => enviados.push(Buffer.from(chunk)))
  ouvir('headers', (aberta, { response }) => {
    aberta.status = response?.statusCode ?? 0
    aberta.cabecalhos = response?.headers ?? []
  })
  ouvir('bodyChunkReceived', ({ recebidos }, { chunk = '' }) => recebidos.push(Buffer.from(chunk)))
  ouvir('trailers', (aberta, { request }) => gravar(aberta, request))
}
