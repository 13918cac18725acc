import type { ServerResponse } from 'node:http'
import { diaEHora } from '../documento/dia.ts'
import { type Autoridade, type Mensagem, type Pedido, send } from '../platform/autoridade.ts'
import { detectCookies, readPedido, redirect, writeHtml } from '../portal/mensagem.ts'
import { acaso, climaEm, HORA_MS, MINUTO_MS, type NomeDoCaso } from './clima.ts'
import type { Sefaz } from './sefaz.ts'

type Cor = 'verde' | 'amarela' | 'vermelha'

const AMARELA_MIN = 10

/** What stops one caller alone. The portal's own probes do not meet it. */
const doChamador: readonly NomeDoCaso[] = ['656', '678', 'http-403', 'recusa-tls']

/** Green after any good probe, yellow from the first failure for up to ten minutes, then red. */
function corDe(sefaz: Sefaz, id: string): Cor {
  const agora = sefaz.agora().getTime()
  if (!isFalha(sefaz.tempoDe(id).caso)) return 'verde'
  const desde = sefaz.impostoDesde(id) ?? inicioDaFalha(id, agora)
  return agora - desde < AMARELA_MIN * MINUTO_MS ? 'amarela' : 'vermelha'
}

function inicioDaFalha(id: string, agora: number): number {
  for (let minuto = 1; minuto <= AMARELA_MIN; minuto++)
    if (!isFalha(climaEm(id, agora - minuto * MINUTO_MS).caso)) return agora - (minuto - 1) * MINUTO_MS
  return agora - AMARELA_MIN * MINUTO_MS
}

const isFalha = (caso: NomeDoCaso): boolean =>
  caso !== 'normal' && caso !== 'lento' && !doChamador.includes(caso)

/**
 * What the cells of a column show: the authorizer's colour, a grey ball, nothing, or the time that is none.
 */
type Coluna = { titulo: string; vazia?: readonly string[]; cinza?: readonly string[]; tempo?: true }

/** A table of a portal: its rows by name with the authorizer behind each, and how it names its pictures. */
type Tabela = {
  id: string
  linhas: readonly (readonly [nome: string, id: string | undefined])[]
  colunas: readonly Coluna[]
  imagens: Readonly<Record<Cor, string>>
}

const SVCS = ['SVAN', 'SVC-AN', 'SVC-RS']

/** NF-e: 14 rows. SVAN and SVC-AN are one service, and so are SVRS and SVC-RS: they have a row each. */
const daNfe: Tabela = {
  id: 'ctl00_ContentPlaceHolder1_gdvDisponibilidade2',
  linhas: [
    ...['AM', 'BA', 'GO', 'MG', 'MS', 'MT', 'PE', 'PR', 'RS', 'SP', 'SVAN', 'SVRS'].map(
      (nome) => [nome, `nfe-${nome.toLowerCase()}`] as const,
    ),
    ['SVC-AN', 'nfe-svan'],
    ['SVC-RS', 'nfe-svrs'],
  ],
  colunas: [
    { titulo: 'Autorização4' },
    { titulo: 'Retorno Autorização4' },
    { titulo: 'Inutilização4', cinza: ['SVC-AN', 'SVC-RS'] },
    { titulo: 'Consulta Protocolo4' },
    { titulo: 'Status Serviço4' },
    { titulo: 'Tempo Médio', tempo: true },
    { titulo: 'Consulta Cadastro4', vazia: SVCS },
    { titulo: 'Recepção Evento4' },
  ],
  imagens: { verde: 'bola_verde_P.png', amarela: 'bola_amarela_P.png', vermelha: 'bola_vermelho_P.png' },
}

/** CT-e: nine rows. RS is served by SVRS, SP by the address of SVSP; AN has events only. */
const doCte: Tabela = {
  id: 'ctl00_ContentPlaceHolder1_gdvDisponibilidade',
  linhas: Object.entries({
    ...{ MT: 'cte-mt', MS: 'cte-ms', MG: 'cte-mg', PR: 'cte-pr', RS: 'cte-svrs', SP: 'cte-svsp' },
    ...{ SVRS: 'cte-svrs', SVSP: 'cte-svsp', AN: undefined },
  }),
  colunas: [
    { titulo: 'Recepção Sinc', vazia: ['AN'] },
    { titulo: 'Status Serviço', cinza: ['AN'] },
    { titulo: 'Recepção CT-e OS', vazia: ['AN'] },
    { titulo: 'Recepção GTVE', vazia: ['AN'] },
    { titulo: 'Recepção Evento' },
    { titulo: 'Consulta Cadastro', vazia: ['AN', 'SVRS', 'SVSP'], cinza: ['MS', 'PR'] },
    { titulo: 'Tempo Médio', tempo: true },
  ],
  imagens: { verde: 'bola_verde_P.png', amarela: 'bola_amarelo_P.png', vermelha: 'bola_vermelha_P.png' },
}

const tabelas = { nfe: daNfe, cte: doCte } as const

/** The table as the portal draws it (captured pages of 2026-06-02), with the time of its last probe. */
function writeTabela(tabela: Tabela, sefaz: Sefaz, verificada: Date): string {
  const { id, linhas, colunas } = tabela
  const titulos = ['Autorizador', ...colunas.map(({ titulo }) => titulo)]
  const corpo = linhas.map(([nome, autorizador], indice) => {
    const cor = autorizador ? corDe(sefaz, autorizador) : 'verde'
    const celulas = colunas.map((coluna) => `<td>${writeCelula(coluna, nome, tabela.imagens[cor])}</td>`)
    const classe = indice % 2 === 0 ? 'linhaImparCentralizada' : 'linhaParCentralizada'
    return `<tr class="${classe}">\r\n<td>${nome}</td>${celulas.join('')}\r\n</tr>`
  })
  return [
    `<table class="tabelaListagemDados" cellspacing="0" rules="all" border="1" id="${id}">`,
    `<caption>Disponibilidade dos serviços - Última Verificação: ${diaEHora(verificada.getTime())}:00 (horário de Brasília)</caption>`,
    `<tr>${titulos.map((titulo) => `<th scope="col">${titulo}</th>`).join('')}</tr>`,
    ...corpo,
    '</table>',
  ].join('\r\n')
}

function writeCelula({ vazia, cinza, tempo }: Coluna, nome: string, imagem: string): string {
  if (tempo) return '-'
  if (vazia?.includes(nome)) return '&nbsp;'
  return `<img src="imagens/${cinza?.includes(nome) ? 'bola_cinza_P.png' : imagem}" style="border-width:0px;" />`
}

const ESCRITA = { charset: 'utf-8', motor: 'asp.net' } as const
const PAGINA = '/portal/disponibilidade.aspx'
const ERRO = '/portal/erro.aspx'
const LEGENDA =
  'Verde: o último teste teve resposta positiva. Amarelo: primeira resposta negativa, por até 10 minutos. Vermelho: as respostas negativas continuam.'

/** The NF-e's and the CT-e's pages ask for no certificate. Nobody publishes one of the NFC-e. */
export function createDisponibilidade(sefaz: Sefaz): Autoridade[] {
  return (['nfe', 'cte'] as const).map((doc) => ({
    nome: `Disponibilidade da ${doc === 'nfe' ? 'NF-e' : 'CT-e'}`,
    hosts: [`www.${doc}.fazenda.gov.br`, `hom.${doc}.fazenda.gov.br`],
    asksCertificado: false,
    // The page of errors of the NF-e is the national portal's.
    serves: (caminho) =>
      caminho.toLowerCase() === PAGINA || (doc === 'cte' && caminho.toLowerCase() === ERRO),
    answer: (pedido, resposta) => answer(sefaz, doc, pedido, resposta),
  }))
}

async function answer(
  sefaz: Sefaz,
  doc: 'nfe' | 'cte',
  pedido: Pedido,
  resposta: ServerResponse,
): Promise<void> {
  const { cookies } = readPedido(pedido, ESCRITA)
  const redirecionado = detectCookies(ESCRITA, { ...pedido, cookies })
  if (redirecionado) return send(redirecionado, resposta)
  // The real portals take 4 to 10 seconds.
  await sefaz.wait(4_000 + Math.round(2_500 * acaso(Math.floor(sefaz.agora().getTime() / 1000))))
  send(compose(sefaz, doc, pedido), resposta)
}

function compose(sefaz: Sefaz, doc: 'nfe' | 'cte', { caminho }: Pedido): Mensagem {
  if (caminho.toLowerCase() === ERRO)
    return writeHtml(ESCRITA, 'Erro', '<p>Ocorreu um erro no processamento da sua solicitação.</p>')
  const caso = sefaz.paginaDe(doc)
  if (caso === 'erro') return redirect(ESCRITA, `${ERRO}?aspxerrorpath=${PAGINA}`)
  const verificada = new Date(sefaz.agora().getTime() - (caso === 'velha' ? HORA_MS : 0))
  const tabela = caso === 'sem-tabela' ? '' : writeTabela(tabelas[doc], sefaz, verificada)
  return writeHtml(
    ESCRITA,
    'Disponibilidade',
    `<h1>Consultar Disponibilidade</h1>\r\n<div>${tabela}</div>\r\n<p>${LEGENDA}</p>`,
  )
}
