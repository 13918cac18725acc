import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import type { Pedido } from '../../simulator/platform/autoridade.ts'
import { autorizadores, classify, type LeituraSefaz } from '../../src/sefaz/rules.ts'
import type { Sondagem } from '../../src/sefaz/source.ts'
import { type MeiosDasPaginas, readPaginas } from '../../src/sefaz/source-paginas.ts'
import { type Authority, openAuthority } from '../kit/authority.ts'

/** 09:10 in Brasília. */
const AGORA = new Date('2026-11-22T12:10:00Z')

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
type Tabela = {
  titulos?: string
  linhas?: readonly string[]
  /** The file of the image of a cell, by row and heading; empty for a cell without one. */
  imagens?: Readonly<Record<string, string>>
  verificacao?: string
}

/** A page of availability, drawn as those that were captured on 2026-06-02. */
function pagina(doc: Doc, tabela: Tabela = {}): string {
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
function usePaginas() {
  let authority: Authority
  let answers: Record<Doc, Resposta>
  const asked: string[] = []
  const lines: object[] = []
  const docOf = (host: string): Doc => (host.includes('.nfe.') ? 'nfe' : 'cte')
  before(async () => {
    authority = await openAuthority([
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
  after(() => authority.close())
  const html =
    (text: string): Resposta =>
    (_, reply) =>
      void reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)
  const all = async (changed: Partial<MeiosDasPaginas> = {}): Promise<Sondagem[]> => {
    asked.length = 0
    lines.length = 0
    const log = { debug: () => {}, info: (fields: object) => void lines.push(fields) }
    const meios = { http: authority.http, now: () => AGORA, ambiente: 'producao', log } as const
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

const { html, asked, lines, all, read, both } = usePaginas()
const NFE_PAGE = 'www.nfe.fazenda.gov.br/portal/disponibilidade.aspx'
const CTE_PAGE = 'www.cte.fazenda.gov.br/portal/disponibilidade.aspx'

test('both pages give one reading for each authorizer of the NF-e and the CT-e, without a time', async () => {
  both(html(pagina('nfe')), html(pagina('cte')))
  const made = await all()
  const watched = autorizadores.filter(({ doc }) => doc !== 'nfce').map(({ id }) => id)
  assert.deepEqual(made.map(({ leitura }) => leitura.autorizador).sort(), watched.sort())
  assert.deepEqual(asked.toSorted(), [CTE_PAGE, NFE_PAGE])
  for (const { leitura, contato, http } of made) {
    const { autorizador } = leitura
    assert.deepEqual(leitura, {
      autorizador,
      em: AGORA.getTime(),
      resultado: 'disponivel',
      conexaoMs: null,
      tlsMs: null,
      respostaMs: null,
      cStat: null,
      motivo: '',
      desmentida: null,
    })
    assert.deepEqual([contato, http], ['servico', undefined])
    assert.deepEqual(classify([leitura]), { status_code: 1, status: 'Normal', status_avg: 0 })
  }
})

test('the test environment has pages of its own', async () => {
  both(html(pagina('nfe')), html(pagina('cte')))
  await all({ ambiente: 'homologacao' })
  assert.deepEqual(asked.toSorted(), [CTE_PAGE.replace('www', 'hom'), NFE_PAGE.replace('www', 'hom')])
})

for (const [file, luz] of [
  ['bola_vermelho_P.png', 'vermelho'],
  ['bola_vermelha_P.png', 'vermelho'],
  ['bola_amarela_P.png', 'amarelo'],
  ['bola_amarelo_P.png', 'amarelo'],
] as const)
  for (const [doc, id, cell] of [
    ['nfe', 'nfe-svrs', 'SVRS Autorização4'],
    ['nfe', 'nfe-am', 'AM Status Serviço4'],
    ['cte', 'cte-svsp', 'SVSP Recepção Sinc'],
    ['cte', 'cte-mt', 'MT Status Serviço'],
  ] as const)
    test(`${file} in "${cell}" is an authorizer that does not authorize`, async () => {
      const readings = await read(doc, pagina(doc, { imagens: { [cell]: file } }))
      const found = readings.get(id)
      assert.ok(found)
      const coluna = cell.slice(cell.indexOf(' ') + 1).replace('4', '')
      const portal = doc === 'nfe' ? 'da NF-e' : 'do CT-e'
      assert.equal(found.motivo, `O portal nacional ${portal} mostra "${coluna}" em ${luz}.`)
      assert.deepEqual(classify([found]), { status_code: 4, status: 'Erro', status_avg: 0 })
      const others = [...readings.values()].filter(({ autorizador }) => autorizador !== id)
      assert.deepEqual(new Set(others.map(({ resultado }) => resultado)), new Set(['disponivel']))
    })

test('columns that authorize nothing, and the rows of the contingency, decide nothing', async () => {
  const imagens = {
    'SVRS Recepção Evento4': 'bola_vermelho_P.png',
    'SVRS Retorno Autorização4': 'bola_vermelho_P.png',
    'SVC-RS Autorização4': 'bola_vermelho_P.png',
    'SVAN Consulta Cadastro4': '',
  }
  const readings = await read('nfe', pagina('nfe', { imagens }))
  assert.deepEqual(new Set([...readings.values()].map(({ resultado }) => resultado)), new Set(['disponivel']))
  assert.equal(readings.size, 12)
})

for (const [what, file] of [
  ['grey', 'bola_cinza_P.png'],
  ['no image', ''],
  ['an image that nobody knows', 'bola_azul_P.png'],
  ['a cell with two images', 'bola_verde_P.png" /><img src="imagens/bola_vermelho_P.png'],
] as const)
  test(`${what} beside green is no reading, and beside red it is red`, async () => {
    const imagens = {
      'BA Autorização4': file,
      'GO Autorização4': file,
      'GO Status Serviço4': 'bola_vermelho_P.png',
    }
    const readings = await read('nfe', pagina('nfe', { imagens }))
    assert.deepEqual([readings.get('nfe-ba'), readings.get('nfe-go')?.resultado], [undefined, 'indisponivel'])
  })

test('columns are found by their headings, in any order, with and without accents and version', async () => {
  const titulos = 'Autorizador,Inutilização4,STATUS SERVICO5,Autoriza&#231;&#227;o'
  const imagens = { 'PR STATUS SERVICO5': 'bola_vermelho_P.png', 'BA Inutilização4': 'bola_vermelho_P.png' }
  const readings = await read('nfe', pagina('nfe', { titulos, imagens }))
  assert.deepEqual(
    [readings.get('nfe-pr')?.resultado, readings.get('nfe-ba')?.resultado],
    ['indisponivel', 'disponivel'],
  )
})

test('a row is found by its exact name: one that is missing, twice there or of another length is none', async () => {
  const linhas = ['SVRS2', 'BA', 'BA', 'SVC-RS', 'GO']
  const cell = '<td><img src="imagens/bola_verde_P.png" /></td>'
  const longer = pagina('nfe', { linhas }).replace('<td>GO</td>', `<td>GO</td>${cell}`)
  const readings = await read('nfe', longer)
  assert.deepEqual([...readings.keys()], [])
})

const deny: Parameters<typeof both>[0] = (_, reply) => void reply.writeHead(403).end('<html></html>')

for (const [what, answer, tries] of [
  ['leads to erro.aspx', html('<html><body>Ocorreu um erro</body></html>'), 2],
  ['is cut', html(pagina('nfe').slice(0, 900)), 2],
  ['has no table', html('<html><body>Em breve</body></html>'), 2],
  ['lacks a column', html(pagina('nfe', { titulos: 'Autorizador,Autorização4' })), 2],
  ['lacks its date', html(pagina('nfe', { verificacao: 'agora' })), 2],
  [
    'is of half an hour ago',
    html(pagina('nfe', { verificacao: 'Última Verificação: 22/11/2026 08:40:00' })),
    2,
  ],
  ['is of tomorrow', html(pagina('nfe', { verificacao: 'Última Verificação: 23/11/2026 09:08:00' })), 2],
  ['is of no day', html(pagina('nfe', { verificacao: 'Última Verificação: 99/11/2026 09:08:00' })), 2],
  ['is too deep', html(`<html>${'<div>'.repeat(600)}</html>`), 2],
  ['turns us away', deny, 1],
] as const)
  test(`a page that ${what} gives no reading, and the other page its own`, async () => {
    const erro = '/portal/erro.aspx'
    both(
      (pedido, reply) => {
        if (!what.includes('erro') || pedido.caminho === erro) return answer(pedido, reply)
        reply.writeHead(302, { location: `${erro}?aspxerrorpath=/portal/disponibilidade.aspx` }).end()
      },
      html(pagina('cte')),
    )
    const docs = (await all()).map(({ leitura }) => leitura.autorizador.slice(0, 3))
    assert.deepEqual(docs, Array(6).fill('cte'))
    assert.equal(asked.filter((one) => one === NFE_PAGE).length, tries)
    assert.equal(lines.length, 1)
    const { source, codigo } = Object(lines[0])
    assert.deepEqual(
      [source, codigo],
      ['BR/disponibilidade/nfe', what.includes('erro') ? 'erro.aspx' : undefined],
    )
  })

test('a page that fails once is asked for again', async () => {
  let times = 0
  const readings = await read('cte', (pedido, reply) =>
    times++ === 0 ? void reply.writeHead(500).end() : html(pagina('cte'))(pedido, reply),
  )
  assert.equal(readings.size, 6)
})
