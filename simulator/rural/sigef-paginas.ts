import { dataBrasileira } from '../documento/mascara.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { elemento } from '../portal/html.ts'
import { esconder, hectaresBr } from './escrita.ts'
import { paginaDoSigef } from './paginas.ts'
import type { Parcela } from './parcelas.ts'

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
 * The page of a parcel, as captured on 2026-01-18: Denominação and Situação stand in two panels each, the
 * date of the submission in one more cell, the matrículas on one line, the holders' documents hidden.
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

function paineis(parcela: Parcela): string[] {
  return [
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
}

function painel(titulo: string, conteudo: string): string {
  return `<div class="panel dv-expandable">
<div class="panel-header"><i class="icon-list"></i> ${titulo} <a href="#" class="minus pull-right"><i class="icon-minus"></i></a></div>
<div class="panel-content">
${conteudo}
</div>
</div>`
}

const tabela = (...linhas: readonly string[]): string =>
  `<table class="table table-hover tabela-atributos">\n${linhas.join('\n')}\n</table>`

const cabeca = (titulos: readonly string[]): string =>
  `<thead><tr>${titulos.map((titulo) => `<th>${titulo}</th>`).join('')}</tr></thead>`

/** A label and its value; both HTML. */
const linha = (rotulo: string, valor: string, classe?: string): string =>
  elemento('tr', { class: classe }, `<th>${rotulo}</th><td>${valor}</td>`)

function documentos({ codigo }: Parcela): string {
  return (
    '<a href="#planta" data-toggle="modal">Planta</a>\n' +
    `<a href="/geo/parcela/memorial/${codigo}/">Memorial Descritivo</a>`
  )
}

function informacoes(parcela: Parcela): string {
  const { codigo, imovel, nome, area: metros, entrada, semente } = parcela
  const qual = parcela.historica ? 'historica' : parcela.registrada ? 'confirmada' : 'pendente'
  const [situacao, porque] = SITUACAO[qual]
  const envio = 100_000 + (semente % 900_000)
  return [
    tabela(
      linha('Código', codigo),
      linha('Denominação', escapar(`${imovel.denominacao} - ${nome}`)),
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

function area({ codigo, imovel, natureza, municipios }: Parcela): string {
  return tabela(
    linha('Denominação', escapar(imovel.denominacao)),
    linha('Situação', 'Imóvel Registrado'),
    linha('Natureza', natureza),
    linha('Código do Imóvel (SNCR/INCRA)', `${imovel.codigoSncr} `),
    linha('Número parcelas', '1'),
    '<tr><th colspan="2">Parcelas</th></tr>',
    `<tr><td colspan="2"><a href="/geo/parcela/detalhe/${codigo}/">${codigo}</a></td></tr>`,
    '<tr><th colspan="2">Municípios</th></tr>',
    ...municipios.map(({ nome, uf }) => `<tr><td colspan="2">${escapar(nome)} - ${uf}</td></tr>`),
  )
}

function detentores({ detentores }: Parcela): string {
  return tabela(
    cabeca(['Nome', 'CPF/CNPJ']),
    ...detentores.map(
      ({ nome, documento }) => `<tr><td>${escapar(nome)}</td><td>${esconder(documento)}</td></tr>`,
    ),
  )
}

function registro({ municipios: [sede], cns, matricula, registrada }: Parcela): string {
  return tabela(
    linha('Cartório', 'Ofício de Registro de Imóveis'),
    linha('Município - UF', escapar(sede ? `${sede.nome} - ${sede.uf}` : '')),
    linha('Código Nacional de Serventia (CNS)', cns),
    linha('Matrícula', escapar(matricula)),
    registrada
      ? linha('Situação do Registro', 'Confirmado')
      : linha('Situação do Registro', 'Não confirmado', 'error'),
  )
}

function vertices(): string {
  const titulos = [
    'Código',
    'Longitude',
    'Sigma Long.',
    'Latitude',
    'Sigma Lat.',
    'Altitude',
    'Sigma Altitude',
    'Método Posicionamento',
  ]
  const valores = [
    'SIM1-M-0001',
    '-55°00\'00,000"',
    '0,05',
    '-12°00\'00,000"',
    '0,05',
    '380,00',
    '0,10',
    'PG6',
  ]
  return tabela(cabeca(titulos), `<tr>${valores.map((um) => `<td>${escapar(um)}</td>`).join('')}</tr>`)
}
