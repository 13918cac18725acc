import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { readBase } from '../cnpj/lookup.ts'
import { dataBrasileira } from '../documento/dia.ts'
import { findUf } from '../documento/uf.ts'
import { findInscricoes } from '../inscricao/lookup.ts'
import { membro, texto } from '../painel/experimentar/consulta.ts'
import { type Exemplo, readExemplo } from '../painel/experimentar/exemplos.ts'
import { drawDados, highlightJson } from '../painel/experimentar/resposta.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { ApiError } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/outcome.ts'
import { statusOfFailure } from '../platform/http/problem.ts'
import { networkOf, openAddressCount } from '../platform/limits.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { openOnce } from '../platform/pages/por-palavra.ts'
import { readRoteiro } from '../platform/simulator.ts'
import { createQueue, QueueFull } from '../platform/wire/threads.ts'

export const CASO = 'caso'

/** A case that may be tried: a document of the simulator, under a name that the form sends. */
type Caso = Exemplo & { nome: string }

type ProvaFeita = {
  caso: string
  resposta: unknown
  falha?: string
  /** The day on which it was recorded; undefined for an answer of now. */
  gravada?: string
}

export type Experimento = {
  /** Empty where nobody plays the authorities. */
  casos: readonly Caso[]
  prova: ProvaFeita | undefined
  gravadas: readonly ProvaFeita[]
  prefixo: string
}

/** The try of the first page: of the simulator, or where there is none an answer that was recorded. */
export function drawExperimento({ casos, prova, gravadas, prefixo }: Experimento): Html {
  if (casos.length === 0) return html`${gravadas.map((one) => drawProva(one))}`
  // What is shown and what is chosen are the same question.
  const mostrada = prova ?? gravadas.find(({ caso }) => casos.some(({ nome }) => nome === caso))
  return html`<form class="prova" method="post" action="${url(`${prefixo}/#prova`)}"><label for="caso">Escolha uma pergunta. Os documentos são fictícios.</label><select id="caso" name="${CASO}">${grupos(casos, mostrada?.caso ?? '')}</select><button class="botao" type="submit">Perguntar</button></form>${mostrada && drawProva(mostrada)}`
}

const TEMAS = [
  ['/api/consultar-cnpj', 'Cadastro de empresa (CNPJ)'],
  ['/api/consultar', 'Inscrição estadual (IE)'],
] as const

const grupos = (casos: readonly Caso[], chosen: string): Content =>
  TEMAS.map(
    ([caminho, nome]) =>
      html`<optgroup label="${nome}">${casos.filter(({ endpoint }) => endpoint === caminho).map((one) => opcao(one, one.nome === chosen))}</optgroup>`,
  )

function opcao({ nome, valores, nota }: Caso, isChosen: boolean): Html {
  const text = `${valores.cnpj ?? valores.cpf ?? valores.ie ?? ''} · ${nota}`
  return isChosen
    ? html`<option value="${nome}" selected="">${text}</option>`
    : html`<option value="${nome}">${text}</option>`
}

function drawProva({ caso, resposta, falha, gravada }: ProvaFeita): Html {
  const id = caso.replace(/\W+/g, '-')
  return html`<div class="resposta-da-prova"><p><code>GET ${caso}</code> ${
    gravada === undefined
      ? html`<span class="selo bom">Respondido agora, pelo simulador</span>`
      : html`<span class="selo nota">Resposta gravada em ${gravada}, do simulador</span>`
  }</p>${falha === undefined ? html`${drawDados(resposta)}<details><summary id="json-${id}">A resposta em JSON</summary>${highlightJson(resposta)}</details>` : html`<p class="faixa-aviso ruim">${falha}</p>`}</div>`
}

/** The tries that an address may make a minute, and all together. */
const DE_UM = 10
const DE_TODOS = 120

/** How many tries are at work at once, and how many wait. */
const FILA = { places: 4, waiting: 16, perOwner: 2 }
const ESPERA_MS = 5_000

/** The try of the first page: its cases, its limits, and the work. */
type Provas = {
  /** Throws while the simulator starts again. */
  casos: () => Promise<readonly Caso[]>
  gravadas: () => Promise<readonly ProvaFeita[]>
  limit: onRequestHookHandler
  prove: (nome: string, request: FastifyRequest, reply: FastifyReply) => Promise<ProvaFeita>
}

/** A try is of the simulator alone, on the documents of its list, so that it is no way around the API. */
export function openProvas(room: PainelRoom): Provas {
  const casos = openOnce(async () => casosDe(await readRoteiro(room.simulador)))
  const fila = createQueue(FILA)
  const deUm = openAddressCount({ limit: DE_UM, now: room.now })
  const deTodos = openAddressCount({ limit: DE_TODOS, now: room.now })

  async function prove(nome: string, request: FastifyRequest, reply: FastifyReply): Promise<ProvaFeita> {
    const caso = (await casos()).find((one) => one.nome === nome)
    if (!caso) throw new ApiError('REQUISICAO_INVALIDA', 'Escolha uma das perguntas da lista.')
    const turn = { owner: networkOf(request.ip), waitMs: ESPERA_MS, signal: signalOfLeaving(reply.raw) }
    try {
      return { caso: caso.nome, resposta: await fila(turn, () => answer(caso, request.id)) }
    } catch (error) {
      if (error instanceof QueueFull) throw demais(5)
      const falha = error instanceof ApiError ? error.message : statusOfFailure(error)?.error_message
      if (falha === undefined) throw error
      return { caso: caso.nome, resposta: undefined, falha }
    }
  }

  async function answer({ endpoint, valores }: Caso, request_id: string): Promise<unknown> {
    const { uf = '', cnpj = '', cpf, ie } = valores
    if (endpoint === CNPJ) return readBase(room).find(cnpj)?.result
    const estado = findUf(uf)
    if (!estado) throw new ApiError('UF_NAO_SUPORTADA', 'Escolha uma das perguntas da lista.')
    const tipo = cpf === undefined ? (ie === undefined ? 'cnpj' : 'ie') : 'cpf'
    const pergunta = { tipo, documento: cpf ?? ie ?? cnpj } as const
    const { inscricoes, ...found } = await findInscricoes(room, estado, pergunta, { request_id })
    return { document: pergunta.documento, uf: estado, results: inscricoes, ...found }
  }

  return {
    casos,
    gravadas: openOnce(readGravadas),
    prove,
    limit: (request, _reply, done) => {
      const waitS = deUm.waitS(request.ip) ?? deTodos.waitS('')
      if (waitS !== undefined) return done(demais(waitS))
      deUm.add(request.ip)
      deTodos.add('')
      done()
    },
  }
}

const CNPJ = '/api/consultar-cnpj'
const IE = '/api/consultar'

/** The cases of the list that are plain answers of the two lookups. */
function casosDe(roteiro: readonly unknown[]): readonly Caso[] {
  const all = roteiro.flatMap((one) => readExemplo(one) ?? [])
  return all
    .filter(
      ({ endpoint, http, espera }) => (endpoint === CNPJ || endpoint === IE) && http === 200 && espera === '',
    )
    .filter(({ valores }) => !('force_fresh' in valores))
    .map((one) => ({ ...one, nome: `${one.endpoint}?${new URLSearchParams(one.valores)}` }))
}

/** Answers of the simulator that were recorded, with their day (data/README.md). */
async function readGravadas(): Promise<readonly ProvaFeita[]> {
  const file = new URL('../../data/exemplos.json', import.meta.url)
  const answers: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'))
  return [
    { caso: `${IE}?uf=SP&cnpj=99001002000162`, resposta: answers[IE] },
    { caso: `${CNPJ}?cnpj=99001002000162`, resposta: answers[CNPJ] },
  ].map((one) => ({ ...one, gravada: diaDaResposta(answers[IE]) }))
}

const diaDaResposta = (resposta: unknown): string =>
  dataBrasileira(texto(membro(resposta, 'consultado_em')).slice(0, 10))

const demais = (retryS: number): ApiError =>
  new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `São ${DE_UM} perguntas por minuto de cada endereço, e há um limite para todos. Tente de novo em ${retryS} s, ou crie uma conta.`,
    { retryS },
  )
