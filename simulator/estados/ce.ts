import { cleanDocumento, dataBrasileira } from '../documento/documento.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { conversaDeCadastro, conversaDeCertidao, peloMotivo, tiposPor } from '../portal/conversa.ts'
import { ativo, type Ficha, fill, type Leiaute, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, type Par, selecao, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'consultapublica.sefaz.ce.gov.br'
const SINTEGRA = '/sintegra/'
const CERTIDAO = '/certidaonegativa/'

const tipos = tiposPor({ 1: 'ie', 2: 'cnpj', 3: 'cpf' })

type Lista = { achadas: readonly Ocorrencia[] }

const cadastro = portal<Lista>({
  uf: 'CE',
  servico: 'ie',
  nome: 'SEFAZ-CE, SINTEGRA',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith(SINTEGRA),
  motor: 'java',
  novaSessao: () => ({ achadas: [] }),
  documento: (pedido) => pedido.consulta.get('numcnpjcgf') ?? undefined,
  answer: (pedido) => {
    if (pedido.metodo !== 'GET') return naoAchada(pedido)
    if (pedido.caminho === `${SINTEGRA}preparar-consultar`) return filtro(pedido)
    if (pedido.caminho === `${SINTEGRA}consultar`) return consulta(pedido)
    if (pedido.caminho === `${SINTEGRA}detalhar`) return detail(pedido)
    return naoAchada(pedido)
  },
  captchaInesperado: (pedido) =>
    filtro(pedido, `<img src="captcha" alt="captcha">${entrada('captcha', { maxlength: '6' })}`),
})

function filtro(pedido: PedidoPortal<Lista>, captcha = ''): Mensagem {
  const form = formulario(
    { action: 'consultar', method: 'get', id: 'consultaForm' },
    selecao('tipdocumento', { 1: 'CGF', 2: 'CNPJ', 3: 'CPF' }, '2'),
    entrada('numcnpjcgf'),
    captcha,
    botao('consultar', 'Consultar'),
  )
  return pedido.pagina('SINTEGRA/CE', form)
}

const consulta = conversaDeCadastro<Lista>({
  ordem: ['campos', 'documento'],
  campos: (pedido) => (perguntaDe(pedido) ? undefined : 'Preencha corretamente os campos da consulta'),
  pergunta: perguntaDe,
  notify: notify,
  ninguem: ({ sessao }) => {
    sessao.dados.achadas = []
    return 'Nenhum contribuinte encontrado'
  },
  draw: (pedido, achadas) => {
    pedido.sessao.dados.achadas = achadas
    const linhas = achadas.map((achada, i) => {
      const { documento: masked, ie, nome, situacao } = readFicha(achada, ativo, '00000000-0')
      const vinculo = elemento('a', { href: `detalhar?id=${i}` }, ie)
      return `<tr><td>${masked}</td><td>${vinculo}</td><td>${escapeXml(nome)}</td><td>${situacao}</td></tr>`
    })
    const cabeca = '<tr><th>CNPJ/CPF</th><th>CGF</th><th>Razão Social</th><th>Situação</th></tr>'
    // A person is shown as the one who answers for the registrations.
    const id = perguntaDe(pedido)?.tipo === 'cpf' ? 'dadossintegraresp' : 'dadossintegra'
    return pedido.pagina('SINTEGRA/CE', elemento('table', { id }, cabeca + linhas.join('\n')))
  },
})

/** The question in the address; undefined without a kind or a bare number. */
function perguntaDe({ consulta: campos }: PedidoPortal<Lista>): Pergunta | undefined {
  const tipo = tipos.get(campos.get('tipdocumento') ?? '')
  const documento = campos.get('numcnpjcgf') ?? ''
  return tipo && documento !== '' && cleanDocumento(documento) === documento ? { tipo, documento } : undefined
}

function detail(pedido: PedidoPortal<Lista>): Mensagem {
  const achada = pedido.sessao.dados.achadas[Number(pedido.consulta.get('id') ?? 'x')]
  if (!achada) return pedido.expirada()
  return pedido.pagina('SINTEGRA/CE', detalhe(readFicha(achada, ativo, '00000000-0')))
}

const DETALHE: Leiaute = [
  ['CNPJ/CPF', 'documento'],
  ['CGF', 'ie'],
  ['Razão Social', 'nome'],
  ['Nome Fantasia', 'fantasia'],
  ['Logradouro', 'logradouro'],
  ['Número', 'numero'],
  ['Complemento', 'complemento'],
  ['Bairro', 'bairro'],
  ['Município', 'municipio'],
  ['UF', 'uf'],
  ['CEP', 'cep'],
  ['Telefone', undefined],
  ['CNAE Principal(Nacional)', 'atividade'],
  ['CNAE Principal(Arrec/Fiscal)', 'atividade'],
  ['Data de Início de Atividade', 'inicio'],
  ['Situação Cadastral', 'situacao'],
  ['Data desta Situação Cadastral', 'dataDaSituacao'],
  ['Regime de Recolhimento', 'regime'],
]

function detalhe(ficha: Ficha): string {
  const simples = ficha.pagamento === 'SIMPLES NACIONAL' ? 'SIM' : 'NÃO'
  const pares: Par[] = [...fill(DETALHE, ficha), ['Opção Simples', simples]]
  return tabelaDePares(pares, { celulaDoRotulo: 'th' }, { class: 'table' })
}

type Emissao = { emitida: string }

const CND = 'Certidão Negativa de Débitos Estaduais'

const certidoes = portal<Emissao>({
  uf: 'CE',
  servico: 'cnd',
  nome: 'SEFAZ-CE, certidão negativa',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith(CERTIDAO),
  motor: 'java',
  novaSessao: () => ({ emitida: '' }),
  documento: (pedido) => pedido.campo('codigoDevedor') || (pedido.consulta.get('codigoDevedor') ?? undefined),
  answer: (pedido) => {
    const { caminho, metodo } = pedido
    if (caminho === `${CERTIDAO}preparar-consultar`) return solicitacao(pedido)
    if (caminho === `${CERTIDAO}consultar` && metodo === 'POST') return emissao(pedido)
    if (caminho === `${CERTIDAO}consultarPdf` && metodo === 'GET') return printCertidao(pedido)
    return naoAchada(pedido)
  },
})

function solicitacao(pedido: PedidoPortal<Emissao>, aviso = ''): Mensagem {
  const form = formulario(
    { action: 'consultar', id: 'certidaoForm' },
    `<label>${elemento('input', { type: 'radio', name: 'tipoDevedor', value: '1' })}CPF</label>`,
    `<label>${elemento('input', { type: 'radio', name: 'tipoDevedor', value: '2', checked: '' })}CNPJ</label>`,
    entrada('codigoDevedor', { maxlength: '18' }),
    botao('consultar', 'Consultar'),
  )
  const erro = aviso && elemento('div', { class: 'alert alert-danger' }, escapeXml(aviso))
  return pedido.pagina(CND, erro + form)
}

const emissao = conversaDeCertidao<Emissao>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: ({ campo }) => (/^[12]$/.test(campo('tipoDevedor')) ? undefined : 'Informe o tipo'),
  pergunta: ({ campos }) => perguntaDa(campos),
  notify: solicitacao,
  mensagens: { positiva: peloMotivo, irregular: peloMotivo },
  deliver: (pedido, { nome }) => {
    const { documento } = perguntaDa(pedido.campos)
    const { numero, emissao, hora, validade, nome: titular } = pedido.certidao(perguntaDa(pedido.campos))
    // The address of a print of 2026-04-29. How the button opens it, in a new tab, is a guess.
    const consulta = new URLSearchParams({
      tipoDevedor: pedido.campo('tipoDevedor'),
      codigoDevedor: cleanDocumento(documento),
      numCertificado: numero,
      devedor: '0',
      dataRetorno: emissao.replaceAll('-', ''),
      hora: hora.replaceAll(':', ''),
      razaoSocial: titular.padEnd(60),
      dataRetornoValidade: dataBrasileira(validade),
    }).toString()
    pedido.sessao.dados.emitida = consulta
    const open = `window.open('consultarPdf?${consulta}')`
    const vinculo = elemento(
      'button',
      { type: 'button', class: 'btn btn-outline-secondary', onclick: open },
      'PDF',
    )
    const tabela = `<tr><th>Contribuinte</th><th>CPF/CNPJ</th><th></th></tr><tr><td>${escapeXml(nome) || '&nbsp;'}</td><td>${escapeXml(documento)}</td><td>${vinculo}</td></tr>`
    return pedido.pagina(CND, elemento('table', { id: 'tabelaDados' }, tabela))
  },
})

function printCertidao(pedido: PedidoPortal<Emissao>): Mensagem {
  const { consulta, sessao } = pedido
  if (consulta.size === 0 || consulta.toString() !== sessao.dados.emitida) return pedido.expirada()
  return pedido.paginaDaCertidao(pedido.certidao(perguntaDa(consulta)), CND)
}

function perguntaDa(campos: { get: (nome: string) => string | null | undefined }): Pergunta {
  const tipo = campos.get('tipoDevedor') === '1' ? 'cpf' : 'cnpj'
  return { tipo, documento: campos.get('codigoDevedor') ?? '' }
}

function notify(pedido: PedidoPortal<Lista>, aviso: string): Mensagem {
  return pedido.pagina('SINTEGRA/CE', `<h2>${escapeXml(aviso)}</h2>`)
}

const naoAchada = <S>(pedido: PedidoPortal<S>): Mensagem =>
  pedido.pagina('HTTP Status 404', '<h1>HTTP Status 404</h1>', { status: 404 })

export const portais: readonly Portal[] = [cadastro, certidoes]
