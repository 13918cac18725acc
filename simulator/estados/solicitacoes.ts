import { LRUCache } from 'lru-cache'
import type { Certidao } from '../certidao/certidao.ts'
import { sementeDe } from '../documento/documento.ts'
import { dataBrasileira } from '../documento/mascara.ts'
import { escapar } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import { botaoPrime } from './primefaces.ts'

/** One request, and how many more looks find it unfinished. Any visitor may fetch it. */
type Solicitacao = { numero: number; em: Date; faltam: number }

/** The last ones of each document, newest first. */
const solicitacoes = new LRUCache<string, readonly Solicitacao[]>({ max: 10_000 })
const LEMBRADAS = 3
let feitas = 0

/** Takes a request. One in eight takes longer. */
export function solicitar(documento: string, agora: Date): void {
  feitas += 1
  const faltam = sementeDe(documento) % 8 === 7 ? 1 : 0
  const todas = [{ numero: 700_000 + feitas, em: agora, faltam }, ...(solicitacoes.get(documento) ?? [])]
  solicitacoes.set(documento, todas.slice(0, LEMBRADAS))
}

const CONCLUIDA = 'Concluída'

function situacaoDe({ desfecho, motivo }: Certidao): string {
  if (desfecho === 'positiva') return 'Não emitida: existem débitos'
  return desfecho === 'irregular' ? `Não emitida: ${motivo}` : CONCLUIDA
}

/**
 * The cells of the requests of a document; the fourth is the status. Each look brings the unfinished ones
 * nearer to the end.
 */
export function linhasDe(id: string, certidao: Certidao): string[][] {
  return (solicitacoes.get(certidao.documento) ?? []).map((solicitacao, linha) => {
    const situacao = solicitacao.faltam > 0 ? 'Em processamento' : situacaoDe(certidao)
    solicitacao.faltam = Math.max(0, solicitacao.faltam - 1)
    const pronta = situacao === CONCLUIDA
    return [
      String(solicitacao.numero),
      quando(solicitacao.em),
      escapar(certidao.nome),
      escapar(situacao),
      pronta ? dataBrasileira(certidao.validade) : '',
      pronta ? botaoPrime(botaoDe(id, linha), 'Baixar') : '',
    ]
  })
}

/** The names of the buttons that fetch the finished requests. */
export function baixarDe(id: string, certidao: Certidao): string[] {
  if (situacaoDe(certidao) !== CONCLUIDA) return []
  return (solicitacoes.get(certidao.documento) ?? []).flatMap(({ faltam }, linha) =>
    faltam === 0 ? [botaoDe(id, linha)] : [],
  )
}

const botaoDe = (id: string, linha: number): string => `${id}:resultsDataTable:${linha}:baixarBtn`

/** dd/mm/aaaa hh:mm in Brasília, three hours behind UTC. */
function quando(momento: Date): string {
  const [data = '', hora = ''] = new Date(momento.getTime() - 3 * 3_600_000).toISOString().split('T')
  return `${dataBrasileira(data)} ${hora.slice(0, 5)}`
}

const TITULOS = ['Número', 'Data da Solicitação', 'Contribuinte', 'Situação', 'Validade', '']

/** The grid of a tab; the cells are HTML. */
export function escreverGrade(id: string, linhas: readonly (readonly string[])[]): string {
  const grade = `${id}:resultsDataTable`
  const corpo = linhas.map(
    (celulas, i) =>
      `<tr data-ri="${i}" class="ui-widget-content" role="row">${celulas.map((html) => `<td role="gridcell">${html}</td>`).join('')}</tr>`,
  )
  const vazia = `<tr class="ui-datatable-empty-message"><td colspan="${TITULOS.length}">Nenhum registro encontrado</td></tr>`
  const cabeca = TITULOS.map((titulo) => `<th role="columnheader">${titulo}</th>`).join('')
  const tabela = `<table role="grid"><thead><tr>${cabeca}</tr></thead><tbody id="${grade}_data">${corpo.join('\n') || vazia}</tbody></table>`
  return elemento('div', { id: grade, class: 'ui-datatable ui-widget' }, tabela)
}
