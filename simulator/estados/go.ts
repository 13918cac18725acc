import { cleanDocumento, dataBrasileira } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import {
  COM_MASCARA,
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  recusaDoDocumento,
  tiposPor,
} from '../portal/conversa.ts'
import { ativo, type Ficha, fill, type Leiaute, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, type Par } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const SINTEGRA = '/Sintegra/Consulta/'
const CERTIDAO = '/Certidao/Emissao/'

const tipos = tiposPor({ 1: 'ie', 2: 'cnpj', 3: 'cpf' })
/** The masks that the page's script puts on the field. Clients send bare numbers, too. */
const mascaras = { ...COM_MASCARA, ie: /^\d{2}\.\d{3}\.\d{3}-\d$/ } as const
/** The fields that repeat the number, by the kind of document: not demanded, but they may not say another. */
const repetido = { ie: 'tCCE', cnpj: 'tCNPJ', cpf: 'tCPF' } as const

const cadastro = portal({
  uf: 'GO',
  servico: 'ie',
  nome: 'SEFAZ-GO, SINTEGRA',
  hosts: ['appasp.sefaz.go.gov.br'],
  charset: 'iso-8859-1',
  declaresCharset: false,
  motor: 'asp',
  sessao: { em: 'cookie', nome: 'ASPSESSIONIDSABTSRDC' },
  documento: (pedido) => pedido.campo('tDoc') || undefined,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${SINTEGRA}consultar.asp`.toLowerCase())
      return pedido.metodo === 'POST' ? consulta(pedido) : pedido.redirect('default.asp')
    if (caminho === SINTEGRA.toLowerCase() || /\/default\.(?:asp|html)$/.test(caminho)) return filtro(pedido)
    return pedido.pagina('Página não encontrada', '<h1>404</h1>', { status: 404 })
  },
  expirada: (pedido) => notify(pedido, 'Sessão expirada. Reinicie a consulta.'),
  captchaInesperado: (pedido) => filtro(pedido, `<div component="captcha">${entrada('tTest')}</div>`),
})

function filtro(pedido: PedidoPortal<undefined>, captcha = ''): Mensagem {
  const radios = [...tipos.keys()].map((value) =>
    elemento('input', { type: 'radio', name: 'rTipoDoc', value, checked: value === '2' ? '' : undefined }),
  )
  const zion = {
    'zion.SystemAction': 'consultarSintegra()',
    'zion.OnSubmited': '',
    'zion.FormElementPosted': 'zionFormID_1',
    zionPostMethod: '',
    zionRichValidator: 'true',
  }
  const campos = [entrada('tDoc'), entrada('tCCE'), entrada('tCNPJ'), entrada('tCPF')]
  const form = formulario(
    { action: 'consultar.asp', id: 'zionFormID_1' },
    ocultos(zion),
    ...radios,
    ...campos,
    captcha,
    botao('btCGC', 'Consultar'),
  )
  return pedido.pagina('Consulta Pública ao Cadastro - Estado de Goiás', form)
}

const palavras = { ...ativo, habilitado: 'Ativo - HABILITADO' }

const consulta = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: (pedido) => {
    if (!tipos.has(pedido.campo('rTipoDoc'))) return 'Selecione o tipo de documento'
    // The server cannot convert an empty number.
    return pedido.campo('tDoc') === ''
      ? pedido.pagina('500', '<h1>Internal Server Error</h1>', { status: 500 })
      : undefined
  },
  pergunta: ({ campo }) => {
    const tipo = tipos.get(campo('rTipoDoc'))
    return tipo && { tipo, documento: campo('tDoc') }
  },
  recusa: (pergunta, pedido) => {
    const { tipo, documento } = pergunta
    const recusa = recusaDoDocumento('GO', pergunta)
    const outro = cleanDocumento(pedido.campo(repetido[tipo]))
    const diverge = outro !== '' && outro !== cleanDocumento(documento)
    const escrito = /^[0-9A-Z]+$/.test(documento) || mascaras[tipo].test(documento)
    return recusa ?? (diverge || !escrito ? 'Número do documento inválido' : undefined)
  },
  notify: notify,
  ninguem: 'Não foi encontrado nenhum contribuinte',
  draw: paginaDeFichas({
    titulo: 'Consulta Pública ao Cadastro - Estado de Goiás',
    palavras,
    mascara: '00.000.000-0',
    bloco: (ficha, { agora }) => bloco(ficha, dataBrasileira(agora.toISOString().slice(0, 10))),
  }),
})

/** The page as it was recorded on 2024-11-07: the address is one value, a farm has a name. */
const bloco = (ficha: Ficha, hoje: string): string =>
  [
    caixa('', [...fill(NUMEROS, ficha), ['Cadastro Atualizado em', ficha.dataDaSituacao]]),
    caixa('', [
      ['Nome Empresarial', ficha.nome],
      ['Contribuinte?', ficha.situacao === palavras.habilitado ? 'Sim' : 'Não'],
      [ficha.tipo === 'cpf' ? 'Nome da Propriedade:' : 'Nome Fantasia:', ficha.fantasia],
    ]),
    caixa('', [['Endereço Estabelecimento', enderecoDe(ficha)]]),
    caixa('Atividade Econômica', [
      ['Atividade Principal', ficha.atividade],
      ['Atividade Secundária', ''],
    ]),
    caixa('Informações Complementares', [
      ['Unidade Auxiliar:', 'UNIDADE PRODUTIVA'],
      ...fill(COMPLEMENTARES, ficha),
      ['Operações com NF-E:', ficha.nfeDesde ? 'Habilitado' : ''],
    ]),
    caixa('Observações', []),
    caixa('', [['Data da Consulta', hoje]]),
  ].join('\n')

const NUMEROS: Leiaute = [
  ['{tipo}', 'documento'],
  ['Inscrição Estadual', 'ie'],
]
const COMPLEMENTARES: Leiaute = [
  ['Condição de Uso:', undefined],
  ['Data Final de Contrato:', undefined],
  ['Regime de Apuração:', 'regime'],
  ['Situação Cadastral Vigente:', 'situacao'],
  ['Data desta Situação Cadastral:', 'dataDaSituacao'],
  ['Data de Cadastramento:', 'inicio'],
]

function enderecoDe({ logradouro, numero, complemento, bairro, municipio, uf, cep }: Ficha): string {
  const parts = [logradouro, `nº ${numero || 'SN'}`, complemento, `${bairro} - ${municipio} ${uf}`]
  return `${parts.filter(Boolean).join(', ')}, CEP: ${cep}`
}

function caixa(titulo: string, itens: readonly Par[]): string {
  const escritos = itens.map(
    ([rotulo, valor]) =>
      '<div class="item">' +
      elemento('span', { class: 'label_title' }, escapeXml(rotulo)) +
      elemento('span', { class: 'label_text' }, escapeXml(valor) || '&nbsp;') +
      '</div>',
  )
  const cabeca = titulo && elemento('div', { class: 'box_title' }, escapeXml(titulo))
  return elemento('div', { class: 'box' }, `${cabeca}\n${escritos.join('\n')}`)
}

type Certificado = { confirm: string }

const certidoes = portal<Certificado>({
  uf: 'GO',
  servico: 'cnd',
  nome: 'SEFAZ-GO, emissão de certidão',
  hosts: ['www.sefaz.go.gov.br'],
  charset: 'iso-8859-1',
  declaresCharset: false,
  motor: 'asp',
  sessao: { em: 'cookie', nome: 'ASPSESSIONIDQQDBRSDB' },
  novaSessao: () => ({ confirm: '' }),
  documento: (pedido) => pedido.campo('Certidao.NumeroDocumento') || undefined,
  answer: (pedido) => {
    const caminho = pedido.caminho.toLowerCase()
    if (caminho === `${CERTIDAO}001frmemitecertidao_c.asp`.toLowerCase()) return solicitacao(pedido)
    if (caminho === `${CERTIDAO}certidao.asp`.toLowerCase() && pedido.metodo === 'POST')
      return emissao(pedido)
    return pedido.pagina('Página não encontrada', '<h1>404</h1>', { status: 404 })
  },
  expirada: (pedido) => notify(pedido, 'Sessão expirada. Reinicie a solicitação.'),
})

const exigidos = {
  'Certidao.Tipo': '01',
  'Certidao.TipoDocumento': /^[12]$/,
  'Certidao.NumeroDocumento': /^[0-9A-Z]+$/,
  'Certidao.Espolio': 'N',
  'Certidao.Render': 'pdf',
  'Certidao.ValidarEmissao_Emitir': '0',
}

function solicitacao(pedido: PedidoPortal<Certificado>): Mensagem {
  const form = formulario(
    { action: 'certidao.asp', name: 'frmEmiteCertidao' },
    ocultos({ 'Certidao.Tipo': '01', 'Certidao.NumeroDocumento': '', 'Certidao.ValidarEmissao_Emitir': '0' }),
    elemento('input', { type: 'radio', name: 'Certidao.TipoDocumento', value: '1' }, 'CPF'),
    elemento('input', { type: 'radio', name: 'Certidao.TipoDocumento', value: '2' }, 'CNPJ'),
    entrada('Certidao.NumeroDocumentoCPF'),
    entrada('Certidao.NumeroDocumentoCNPJ'),
    elemento('input', { type: 'radio', name: 'Certidao.Espolio', value: 'N', checked: '' }),
    elemento('input', { type: 'radio', name: 'Certidao.Render', value: 'pdf', checked: '' }),
    botao('Emitir', 'Emitir'),
  )
  return pedido.pagina('Emissão de Certidão Negativa de Débito', form)
}

const emissao = conversaDeCertidao<Certificado>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: (pedido) => {
    const { tipo, documento } = perguntaDe(pedido)
    const repete = { [`Certidao.NumeroDocumento${tipo.toUpperCase()}`]: documento }
    const errado = campoErrado(pedido.campos, { ...exigidos, ...repete })
    return errado && `Parâmetro inválido: ${errado}`
  },
  pergunta: perguntaDe,
  notify: notify,
  // A name is confirmed before anything else is said of its holder.
  deliver: (pedido, certidao) => {
    const { dados } = pedido.sessao
    const confirmado = pedido.campo('Certidao.ConfirmaNomeContribuinte') === 'Sim'
    if (certidao.nome && !(confirmado && dados.confirm === perguntaDe(pedido).documento))
      return confirmNome(pedido, certidao.nome)
    dados.confirm = ''
    return certidao.desfecho === 'irregular' ? notify(pedido, certidao.motivo) : pedido.pdf(certidao)
  },
})

function perguntaDe({ campo }: PedidoPortal<Certificado>): Pergunta {
  const tipo = campo('Certidao.TipoDocumento') === '1' ? 'cpf' : 'cnpj'
  return { tipo, documento: campo('Certidao.NumeroDocumento') }
}

function confirmNome(pedido: PedidoPortal<Certificado>, nome: string): Mensagem {
  pedido.sessao.dados.confirm = pedido.campo('Certidao.NumeroDocumento')
  const form = formulario(
    { action: 'certidao.asp' },
    ocultos(Object.fromEntries(pedido.campos)),
    `<p>Confirma o Nome do Contribuinte: <b>${escapeXml(nome)}</b>?</p>`,
    botao('Certidao.ConfirmaNomeContribuinte', 'Sim'),
    botao('Certidao.ConfirmaNomeContribuinte', 'Não'),
  )
  return pedido.pagina('Emissão de Certidão Negativa de Débito', form)
}

function notify<S>(pedido: PedidoPortal<S>, aviso: string): Mensagem {
  return pedido.pagina('Aviso', `<table><tr><td class="aviso">${escapeXml(aviso)}</td></tr></table>`)
}

export const portais: readonly Portal[] = [cadastro, certidoes]
