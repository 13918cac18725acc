import { cleanDocumento } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { conversaDeCadastro, tiposPor } from '../portal/conversa.ts'
import { ativo, type Ficha, fill, type Leiaute, paginaDeFichas } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, type Par, tabelaDePares } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'portalcontribuinte.sefin.ro.gov.br'
const CADASTRO = { filtro: '/Publico/parametropublica.jsp', resultado: '/Publico/consultapublica.jsp' }

const tipos = tiposPor({ 1: 'ie', 2: 'cpf', 3: 'cnpj' })

const cadastro = portal({
  uf: 'RO',
  servico: 'ie',
  nome: 'SEFIN-RO, consulta pública',
  hosts: [HOST],
  charset: 'iso-8859-1',
  motor: 'java',
  documento: (pedido) => pedido.campo('NuDevedor') || undefined,
  answer: (pedido) => (pedido.caminho === CADASTRO.resultado ? consulta(pedido) : filtro(pedido)),
  captchaInesperado: (pedido) => filtro(pedido, `<img src="captcha.jsp">${entrada('captcha')}`),
})

const TITULO = 'Consulta Pública ao Cadastro do Estado de Rondônia'

function filtro(pedido: PedidoPortal<undefined>, captcha = ''): Mensagem {
  const form = formulario(
    { action: 'consultapublica.jsp', name: 'form1' },
    ...opcoes({ 1: 'Inscrição Estadual', 2: 'CPF', 3: 'CNPJ' }),
    entrada('NuDevedor', { maxlength: '18' }),
    captcha,
    botao('B1', 'Consultar Cadastro'),
  )
  return pedido.pagina(TITULO, form)
}

const consulta = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ metodo, sessao, campo }) =>
    metodo === 'POST' && !sessao.nova && campo('B1') === 'Consultar Cadastro',
  campos: (pedido) => (perguntaDa(pedido) ? undefined : 'Informe o tipo de documento'),
  pergunta: perguntaDa,
  notify: notify,
  ninguem: 'Nenhum resultado encontrado',
  draw: paginaDeFichas({ titulo: TITULO, palavras: ativo, bloco: tabela, entre: '<br>\n' }),
})

const CINZA = { bgcolor: '#E4E4E4' }
const BRANCO = { bgcolor: '#FFFFFF' }

const ONDE: Leiaute = [
  ['Endereço:', 'logradouro'],
  ['Complemento:', 'complemento'],
  ['Bairro:', 'bairro'],
  ['Número:', 'numero'],
  ['Município:', 'municipio'],
  ['CEP:', 'cep'],
  ['UF:', 'uf'],
]
const QUEM: Leiaute = [
  ['Inscrição Estadual:', 'ie'],
  ['Nire:', undefined],
  ['CNPJ/CPF:', 'documento'],
  ['Razão Social:', 'nome'],
  ['Nome Fantasia:', 'fantasia'],
]
const COMPLEMENTARES: Leiaute = [
  ['Situação do Contribuinte:', 'situacao'],
  ['Data da Situação:', 'dataDaSituacao'],
  ['Data Inicio Atividade:', 'inicio'],
  ['Atividade Econômica:', 'atividade'],
  ['Regime de Pagamento:', 'pagamento'],
]

/** The second white cell is the IE in 14 digits; the address comes twice. */
function tabela(ficha: Ficha): string {
  const estabelecimento: Par = ['Utilização do Estabelecimento:', 'PRÓPRIO']
  const blocos = [
    titulo('Consulta Pública ao Cadastro', BRANCO),
    linhas([...fill(QUEM, ficha), estabelecimento, ...fill(ONDE, ficha)]),
    titulo('ENDEREÇO DE CORRESPONDÊNCIA', CINZA),
    linhas(fill([...ONDE, ['E-mail:', undefined]], ficha)),
    titulo('INFORMAÇÕES COMPLEMENTARES', CINZA),
    linhas(fill(COMPLEMENTARES, ficha)),
  ]
  return elemento('table', { border: '1', id: 'AutoNumber1' }, blocos.join('\n'))
}

const titulo = (texto: string, atributos: typeof CINZA): string =>
  `<tr>${elemento('td', { ...atributos, colspan: '2' }, `<b>${escapeXml(texto)}</b>`)}</tr>`

const linhas = (pares: readonly Par[]): string =>
  tabelaDePares(pares, { rotulo: CINZA, valor: BRANCO }).replace(/^<table>|<\/table>$/g, '')

function perguntaDa(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const tipo = tipos.get(pedido.campo('TipoDevedor'))
  const documento = pedido.campo('NuDevedor')
  return tipo && cleanDocumento(documento) === documento ? { tipo, documento } : undefined
}

const opcoes = (textos: Readonly<Record<string, string>>): string[] =>
  Object.entries(textos).map(([value, texto]) =>
    elemento('input', { type: 'radio', name: 'TipoDevedor', value }).concat(escapeXml(texto)),
  )

function notify(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina('Portal do Contribuinte', `<p align="center"><b>${escapeXml(aviso)}</b></p>`)
}

export const portais: readonly Portal[] = [cadastro]
