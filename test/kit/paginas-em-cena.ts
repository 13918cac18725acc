import type { ServerResponse } from 'node:http'
import { after, before } from 'node:test'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import type { Sondagem } from '../../src/sefaz/source.ts'
import { type MeiosDasPaginas, readPaginas } from '../../src/sefaz/source-paginas.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

/** 09:10 in Brasília. */
export const AGORA = new Date('2026-11-22T12:10:00Z')

const NFE =
  'Autorizador,Autorização4,Retorno Autorização4,Inutilização4,Consulta Protocolo4,Status Serviço4,Tempo Médio,Consulta Cadastro4,Recepção Evento4'
const CTE =
  'Autorizador,Recepção Sinc,Status Serviço,Recepção CT-e OS,Recepção GTVE,Recepção Evento,Consulta Cadastro,Tempo M&#233;dio'
const LINHAS = {
  nfe: 'AM BA GO MG MS MT PE PR RS SP SVAN SVRS SVC-AN SVC-RS'.split(' '),
  cte: 'MT MS MG PR RS SP SVRS SVSP AN'.split(' '),
}

type Doc = keyof typeof LINHAS

/** How a page departs from one that is all green. */
export type Tabela = {
  titulos?: string
  linhas?: readonly string[]
  /** The file of the image of a cell, by row and heading; empty for a cell without one. */
  imagens?: Readonly<Record<string, string>>
  verificacao?: string
}

/** A page of availability, drawn as those that were captured on 2026-06-02. */
export function pagina(doc: Doc, tabela: Tabela = {}): string {
  const { titulos = doc === 'nfe' ? NFE : CTE, linhas = LINHAS[doc], imagens = {} } = tabela
  const { verificacao = 'Última Verificação: 22/11/2026 09:08:32' } = tabela
  const colunas = titulos.split(',')
  const celula = (linha: string, coluna: string): string => {
    if (coluna === 'Autorizador') return linha
    if (coluna.startsWith('Tempo')) return '-'
    const file = imagens[`${linha} ${coluna}`] ?? 'bola_verde_P.png'
    return file ? `<img src="imagens/${file}" />` : '<span></span>'
  }
  const rows = linhas.map(
    (linha) => `<tr>${colunas.map((one) => `<td>${celula(linha, one)}</td>`).join('')}</tr>`,
  )
  const head = `<tr>${colunas.map((one) => `<th scope="col">${one}</th>`).join('')}</tr>`
  const id = `ctl00_ContentPlaceHolder1_gdvDisponibilidade${doc === 'nfe' ? '2' : ''}`
  return `<html><head><title>Portal</title></head><body><table><tr><td>menu</td></tr></table><table class="tabelaListagemDados" id="${id}"><caption>Visão Geral<br/><span class='fonte10'> - ${verificacao}</span></caption>${head}${rows.join('')}</table><table><caption>Legendas</caption><tr><td><img src="imagens/bola_vermelho_G.png" /></td></tr></table></body></html>`
}

type Resposta = (pedido: Pedido, reply: ServerResponse) => void

/** Both portals behind a gateway. Each asks for the cookie of ASP.NET, then gives its page. */
export function usePaginas() {
  let house: StandIn
  let answers: Record<Doc, Resposta>
  const asked: string[] = []
  const lines: object[] = []
  const docOf = (host: string): Doc => (host.includes('.nfe.') ? 'nfe' : 'cte')
  before(async () => {
    house = await startStandIn([
      {
        nome: 'portais',
        hosts: ['www', 'hom'].flatMap((one) => [`${one}.nfe.fazenda.gov.br`, `${one}.cte.fazenda.gov.br`]),
        asksCertificado: false,
        answer: (pedido, reply) => {
          const { host, caminho, cabecalhos } = pedido
          if (!cabecalhos.cookie?.includes('AspxAutoDetectCookieSupport=1')) {
            const headers = { location: `${caminho}?AspxAutoDetectCookieSupport=1` }
            const cookie = { 'set-cookie': 'AspxAutoDetectCookieSupport=1; path=/' }
            return void reply.writeHead(302, { ...headers, ...cookie }).end()
          }
          asked.push(host + caminho)
          answers[docOf(host)](pedido, reply)
        },
      },
    ])
  })
  after(() => house.close())
  const html =
    (text: string): Resposta =>
    (_, reply) =>
      void reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)
  const all = async (changed: Partial<MeiosDasPaginas> = {}): Promise<Sondagem[]> => {
    asked.length = 0
    lines.length = 0
    const log = { debug: () => {}, info: (fields: object) => void lines.push(fields) }
    const meios = { http: house.http, now: () => AGORA, ambiente: 'producao', log } as const
    return readPaginas(AGORA.getTime(), { ...meios, ...changed })
  }
  return {
    html,
    asked,
    lines,
    all,
    /** Reads a page of the NF-e, or of the CT-e, while the other portal has no page. */
    read: async (doc: Doc, answer: string | Resposta): Promise<ReadonlyMap<string, LeituraSefaz>> => {
      const none: Resposta = (_, reply) => void reply.writeHead(404).end()
      const given = typeof answer === 'string' ? html(answer) : answer
      answers = { nfe: none, cte: none, [doc]: given }
      return new Map((await all()).map(({ leitura }) => [leitura.autorizador, leitura]))
    },
    both: (nfe: Resposta, cte: Resposta): void => {
      answers = { nfe, cte }
    },
  }
}
