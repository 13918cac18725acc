import { dataBrasileira, mask } from '../documento/documento.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import type { Parcela } from './parcelas.ts'

export const paginaDoSigef = (titulo: string, corpo: string, status = 200): Mensagem =>
  html(
    status,
    `<!DOCTYPE html>
<html lang="pt-br">
<head>
<meta charset="utf-8">
<title>${escapeXml(titulo)} - SIGEF</title>
<link rel="stylesheet" href="/static/css/bootstrap.min.css">
<link rel="stylesheet" href="/static/govbr-ds/core.min.css">
</head>
<body>
<header class="br-header compact"><div class="container-lg"><div class="header-sign">Sistema de Gestão Fundiária</div></div></header>
<div class="container" id="conteudo">
${corpo}
</div>
<footer class="br-footer"><p>INCRA - Instituto Nacional de Colonização e Reforma Agrária</p></footer>
</body>
</html>
`,
  )

/** The firewall's page, with HTTP 200: F5's usual words. */
export const requestRejected = (): Mensagem =>
  html(
    200,
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. ' +
      'Please consult with your administrator.<br><br>Your support ID is: 11223344556677889900<br><br>' +
      "<a href='javascript:history.back();'>[Go Back]</a></body></html>",
  )

/** The login of gov.br. Who posts it sees it again: no password is right here. */
export const paginaDeLogin = (): Mensagem =>
  html(
    200,
    `<!DOCTYPE html>
<html lang="pt-br">
<head><meta charset="utf-8"><title>gov.br - Acesse sua conta</title></head>
<body>
<main id="main-signin">
<form id="loginData" method="post" action="/login">
<h3>Identifique-se no gov.br com:</h3>
<label for="accountId">CPF</label>
<p>Digite seu CPF para <strong>criar</strong> ou <strong>acessar</strong> sua conta gov.br</p>
<input id="accountId" name="accountId" type="tel" autocomplete="off">
<button type="submit" name="operation" value="enter-account-id" class="button-continuar">Continuar</button>
<a id="login-certificate" href="#">Seu certificado digital</a>
</form>
</main>
</body>
</html>
`,
  )

export const layoutNovo = (): Mensagem =>
  html(
    200,
    '<!DOCTYPE html>\n<html lang="pt-br"><head><meta charset="utf-8"><title>Novo SIGEF</title><base href="/novo/"></head>' +
      '<body><app-root></app-root><script src="main.4be1.js"></script></body></html>\n',
  )

export const redirectTo = (location: string): Mensagem => ({
  status: 302,
  cabecalhos: { location, server: 'nginx' },
  corpo: Buffer.alloc(0),
})

function html(status: number, texto: string): Mensagem {
  const cabecalhos = { 'content-type': 'text/html; charset=utf-8', server: 'nginx' }
  return { status, cabecalhos, corpo: Buffer.from(texto) }
}

/** An area in hectares as SIGEF writes it: `1.234,5678 ha`. */
function hectaresBr(metros: number): string {
  const inteiros = String(Math.floor(metros / 10_000)).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${inteiros},${String(metros % 10_000).padStart(4, '0')} ha`
}

/** As the page hides it (captured 2026-01-18): `***.123.456**` of a CPF, `**.*12.345/0001**` of a CNPJ. */
function hide(documento: string): string {
  if (documento === '') return ''
  return documento.length === 11
    ? `***${mask('.000.000', documento.slice(3, 9))}**`
    : `**.*${mask('00.000/0000', documento.slice(3, 12))}**`
}

/** Rows of one page: the new paging's links say `limit=10`. */
export const POR_PAGINA = 10

export type Busca = {
  parcelas: readonly Parcela[]
  pagina: number
  /** Both are seen: `Resultados: N` with Bootstrap's paging, and `Total: N` with gov.br's. */
  desenho: 'antigo' | 'novo'
  consulta: URLSearchParams
  /** How many more the page says than there are. */
  aMais: number
}

/** The page of the search, with its form and what was found; the form alone without a question. */
export function paginaDaLista(busca: Busca | undefined): Mensagem {
  const partes = ['<h2>Consultar parcelas</h2>', formulario(busca?.consulta)]
  if (busca) partes.push(contador(busca), tabelaDeParcelas(busca), paginacao(busca))
  return paginaDoSigef('Consultar parcelas', partes.join('\n'))
}

const paginasDe = ({ parcelas }: Busca): number => Math.max(1, Math.ceil(parcelas.length / POR_PAGINA))

function formulario(consulta?: URLSearchParams): string {
  const campo = (nome: string) =>
    elemento('input', { type: 'text', name: nome, id: `id_${nome}`, value: consulta?.get(nome) ?? '' })
  return `<form id="pesquisaForm" method="get" action="/consultar/parcelas/">
<input type="hidden" name="pesquisa_avancada" value="True">
${['termo', 'cpf_cnpj', 'proprietario', 'cns', 'matricula', 'codigo', 'protocolo', 'credenciado', 'vertice', 'sncr'].map(campo).join('\n')}
<button type="submit" class="btn btn-primary">Pesquisar</button>
</form>`
}

function contador({ parcelas, desenho, aMais }: Busca): string {
  const total = parcelas.length + aMais
  return desenho === 'antigo' ? `<h3>Resultados: ${total}</h3>` : `<h4>Total: ${total}</h4>`
}

function tabelaDeParcelas({ parcelas, pagina }: Busca): string {
  const linhas = parcelas.slice((pagina - 1) * POR_PAGINA, pagina * POR_PAGINA).map(linhaDeParcela)
  const vazia = '<tr><td colspan="6">Nenhuma parcela encontrada.</td></tr>'
  // The id of the body is written with a space in it, as the real page does.
  return `<table class="table table-hover" id="tbl-parcelas">
<thead><tr><th>Nome</th><th>Área</th><th>Detentor</th><th>CNS</th><th>Matrícula</th><th></th></tr></thead>
<tbody id="tbl-parcelas tbody">
${linhas.join('\n') || vazia}
</tbody>
</table>`
}

function linhaDeParcela({ codigo, nome, area, detentores, cns, matricula, historica }: Parcela): string {
  const elo = elemento('a', { href: `/geo/parcela/detalhe/${codigo}/` }, `\n${escapeXml(nome)}\n`)
  const marca = historica ? '<strong>Parcela no Histórico</strong>' : ''
  const [{ nome: detentor } = { nome: '' }, ...outros] = detentores
  const celulas = [
    elo,
    hectaresBr(area),
    escapeXml(outros.length > 0 ? `${detentor} e outros` : detentor),
    cns,
    escapeXml(matricula),
    marca,
  ]
  return elemento('tr', {}, celulas.map((celula) => elemento('td', {}, celula)).join(''))
}

function paginacao(busca: Busca): string {
  const paginas = paginasDe(busca)
  if (paginas === 1) return ''
  return busca.desenho === 'antigo' ? paginacaoAntiga(busca, paginas) : paginacaoNova(busca, paginas)
}

/** Bootstrap 2: the last page's number stands in the last but one `li`. */
function paginacaoAntiga({ pagina, consulta }: Busca, paginas: number): string {
  const endereco = (n: number): string => {
    const outra = new URLSearchParams(consulta)
    outra.set('page', String(n))
    return `?${outra}`
  }
  const item = (classe: string | undefined, n: number, texto: string): string =>
    elemento('li', { class: classe }, elemento('a', { href: endereco(n) }, texto))
  const numeros = Array.from({ length: paginas }, (_, i) =>
    item(i + 1 === pagina ? 'active' : undefined, i + 1, String(i + 1)),
  )
  const antes = item(pagina === 1 ? 'prev disabled' : 'prev', Math.max(1, pagina - 1), 'Anterior')
  const depois =
    pagina === paginas ? '<li class="next disabled"><a>Próxima</a></li>' : item('next', pagina + 1, 'Próxima')
  return `<div class="pagination"><ul>\n${[antes, ...numeros, depois].join('\n')}\n</ul></div>`
}

/** gov.br's: its links name the page and the limit alone, as seen. */
function paginacaoNova({ pagina }: Busca, paginas: number): string {
  const item = (n: number): string => {
    const alvo =
      n === pagina ? { class: 'page active' } : { class: 'page', href: `?page=${n}&limit=${POR_PAGINA}` }
    return `<li class="page-count">${elemento('a', alvo, String(n))}</li>`
  }
  const numeros = Array.from({ length: paginas }, (_, i) => item(i + 1))
  if (paginas > 2) numeros.splice(-1, 0, '<li class="page-count"><span>...</span></li>')
  return `<div class="br-pagination"><ul>\n${numeros.join('\n')}\n</ul></div>`
}

const SITUACAO = {
  confirmada: [
    'Certificada - Registro Confirmado',
    'Parcela certificada pelo SIGEF de acordo com a Lei 6.015/73 e com registro da certificação confirmado em cartório',
  ],
  pendente: [
    'Certificada - Sem Confirmação de Registro em Cartório',
    'Parcela certificada pelo SIGEF de acordo com a Lei 6.015/73 e pendente de confirmação do registro da certificação em cartório',
  ],
  historica: ['Cancelada', 'Parcela cancelada no SIGEF'],
} as const

/**
 * As captured on 2026-01-18: two panels each have Denominação and Situação, and the matrículas are one line.
 */
export function paginaDaParcela(parcela: Parcela): Mensagem {
  const titulo = `Parcela ${parcela.codigo}`
  return paginaDoSigef(titulo, [`<h2>${titulo}</h2>`, ...paineis(parcela)].join('\n'))
}

/** The same page after a change: the panel of the holders' area under another title, its rows as a list. */
export function paginaMudada(parcela: Parcela): Mensagem {
  const [documentos = '', informacoes = ''] = paineis(parcela)
  const lista = '<dl class="tabela-atributos"><dt>Denominação</dt><dd>-</dd><dt>Situação</dt><dd>-</dd></dl>'
  return paginaDoSigef('Parcela', [documentos, informacoes, painel('Imóvel', lista)].join('\n'))
}

const paineis = (parcela: Parcela): string[] => [
  painel('Documentos', documentos(parcela)),
  painel('Informações da parcela', informacoes(parcela)),
  painel(
    'Histórico (Qtd. Requerimentos: 0)',
    tabela(cabeca(['Requerimento', 'Status', 'Data']), '<tr><td colspan="3">Nenhum requerimento</td></tr>'),
  ),
  painel('Informações da Área Georreferenciada', area(parcela)),
  painel('Identificação do(a) detentor(a)', detentores(parcela)),
  painel('Informações de Registro', registro(parcela)),
  '<div id="mapa"></div>',
  painel('Vértices da parcela', vertices()),
  painel(
    'Limites',
    tabela(
      cabeca(['Do Vértice', 'Ao Vértice', 'Tipo', 'Lado', 'Azimute', 'Comprimento (m)', 'Confrontante']),
    ),
  ),
]

const painel = (titulo: string, conteudo: string): string => `<div class="panel dv-expandable">
<div class="panel-header"><i class="icon-list"></i> ${titulo} <a href="#" class="minus pull-right"><i class="icon-minus"></i></a></div>
<div class="panel-content">
${conteudo}
</div>
</div>`

const tabela = (...linhas: readonly string[]): string =>
  `<table class="table table-hover tabela-atributos">\n${linhas.join('\n')}\n</table>`

const cabeca = (titulos: readonly string[]): string =>
  `<thead><tr>${titulos.map((titulo) => `<th>${titulo}</th>`).join('')}</tr></thead>`

/** A label and its value; both HTML. */
const linha = (rotulo: string, valor: string, classe?: string): string =>
  elemento('tr', { class: classe }, `<th>${rotulo}</th><td>${valor}</td>`)

const documentos = ({ codigo }: Parcela): string =>
  '<a href="#planta" data-toggle="modal">Planta</a>\n' +
  `<a href="/geo/parcela/memorial/${codigo}/">Memorial Descritivo</a>`

function informacoes(parcela: Parcela): string {
  const { codigo, imovel, nome, area: metros, entrada, semente } = parcela
  const qual = parcela.historica ? 'historica' : parcela.registrada ? 'confirmada' : 'pendente'
  const [situacao, porque] = SITUACAO[qual]
  const envio = 100_000 + (semente % 900_000)
  return [
    tabela(
      linha('Código', codigo),
      linha('Denominação', escapeXml(`${imovel.denominacao} - ${nome}`)),
      linha('Área', hectaresBr(metros)),
      linha('Data de Entrada', dataBrasileira(entrada)),
      linha('Situação', `${situacao}<br/>\n<small>${porque}</small>`),
    ),
    tabela(
      linha('Responsável Técnico(a)', 'JOSE SIMULADO DE OLIVEIRA (SIM1)'),
      linha('Documento de RT', `${20_200_000_000 + (semente % 1_000_000)} - ${imovel.lugar.uf}`),
      `<tr><th>Envio</th><td><a href="/submissao/submissao/${envio}/">${envio}</a></td><td>${dataBrasileira(entrada)}</td></tr>`,
    ),
  ].join('\n')
}

const area = ({ codigo, imovel, natureza, municipios }: Parcela): string =>
  tabela(
    linha('Denominação', escapeXml(imovel.denominacao)),
    linha('Situação', 'Imóvel Registrado'),
    linha('Natureza', natureza),
    linha('Código do Imóvel (SNCR/INCRA)', `${imovel.codigoSncr} `),
    linha('Número parcelas', '1'),
    '<tr><th colspan="2">Parcelas</th></tr>',
    `<tr><td colspan="2"><a href="/geo/parcela/detalhe/${codigo}/">${codigo}</a></td></tr>`,
    '<tr><th colspan="2">Municípios</th></tr>',
    ...municipios.map(({ nome, uf }) => `<tr><td colspan="2">${escapeXml(nome)} - ${uf}</td></tr>`),
  )

const detentores = ({ detentores }: Parcela): string =>
  tabela(
    cabeca(['Nome', 'CPF/CNPJ']),
    ...detentores.map(
      ({ nome, documento }) => `<tr><td>${escapeXml(nome)}</td><td>${hide(documento)}</td></tr>`,
    ),
  )

const registro = ({ municipios: [sede], cns, matricula, registrada }: Parcela): string =>
  tabela(
    linha('Cartório', 'Ofício de Registro de Imóveis'),
    linha('Município - UF', escapeXml(sede ? `${sede.nome} - ${sede.uf}` : '')),
    linha('Código Nacional de Serventia (CNS)', cns),
    linha('Matrícula', escapeXml(matricula)),
    registrada
      ? linha('Situação do Registro', 'Confirmado')
      : linha('Situação do Registro', 'Não confirmado', 'error'),
  )

function vertices(): string {
  const titulos =
    'Código|Longitude|Sigma Long.|Latitude|Sigma Lat.|Altitude|Sigma Altitude|Método Posicionamento'.split(
      '|',
    )
  const valores = `SIM1-M-0001|-55°00'00,000"|0,05|-12°00'00,000"|0,05|380,00|0,10|PG6`.split('|')
  return tabela(cabeca(titulos), `<tr>${valores.map((um) => `<td>${escapeXml(um)}</td>`).join('')}</tr>`)
}
