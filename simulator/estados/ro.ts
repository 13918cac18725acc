import { escapar } from '../autoridades/xml.ts'
import { ativo, type Ficha, lerFicha } from '../familias/ficha.ts'
import type { Mensagem } from '../gateway/mensagem.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { type ConversaDeCadastro, conversaDeCadastro } from '../portal/conversa.ts'
import { botao, elemento, entrada, formulario, type Par, tabelaDePares } from '../portal/html.ts'
import { limparDocumento } from '../portal/mascara.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

const HOST = 'portalcontribuinte.sefin.ro.gov.br'
const CADASTRO = { filtro: '/Publico/parametropublica.jsp', resultado: '/Publico/consultapublica.jsp' }

const tipos = new Map<string, Pergunta['tipo']>([
  ['1', 'ie'],
  ['2', 'cpf'],
  ['3', 'cnpj'],
])

const cadastro = portal<undefined>({
  uf: 'RO',
  servico: 'ie',
  nome: 'SEFIN-RO, consulta pública',
  hosts: [HOST],
  charset: 'iso-8859-1',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  documento: (pedido) => pedido.campo('NuDevedor') || undefined,
  responder: (pedido) =>
    pedido.caminho === CADASTRO.resultado ? conversaDeCadastro(pedido, consulta) : filtro(pedido),
  captchaInesperado: (pedido) => filtro(pedido, `<img src="captcha.jsp">${entrada('captcha')}`),
})

function filtro(pedido: PedidoPortal<undefined>, captcha = ''): Mensagem {
  const form = formulario(
    { action: 'consultapublica.jsp', name: 'form1' },
    ...opcoes({ 1: 'Inscrição Estadual', 2: 'CPF', 3: 'CNPJ' }),
    entrada('NuDevedor', { maxlength: '18' }),
    captcha,
    botao('B1', 'Consultar Cadastro'),
  )
  return pedido.pagina('Consulta Pública ao Cadastro do Estado de Rondônia', form)
}

const consulta: ConversaDeCadastro<undefined> = {
  uf: 'RO',
  ordem: ['sessao', 'campos', 'documento'],
  sessao: ({ metodo, sessao, campo }) =>
    metodo === 'POST' && !sessao.nova && campo('B1') === 'Consultar Cadastro',
  campos: (pedido) => (perguntaDa(pedido) ? undefined : 'Informe o tipo de documento'),
  pergunta: perguntaDa,
  avisar,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: (pedido, achadas) => {
    const tabelas = achadas.map((achada) => tabela(lerFicha(achada, ativo)))
    return pedido.pagina('Consulta Pública ao Cadastro do Estado de Rondônia', tabelas.join('<br>\n'))
  },
}

const CINZA = { bgcolor: '#E4E4E4' }
const BRANCO = { bgcolor: '#FFFFFF' }

/** The second white cell is the IE, in its 14 digits; the address comes twice, the second time to write to. */
function tabela(ficha: Ficha): string {
  const endereco = [
    ['Endereço:', ficha.logradouro],
    ['Complemento:', ficha.complemento],
    ['Bairro:', ficha.bairro],
    ['Número:', ficha.numero],
    ['Município:', ficha.municipio],
    ['CEP:', ficha.cep],
    ['UF:', ficha.uf],
  ] as const
  const blocos = [
    titulo('Consulta Pública ao Cadastro', BRANCO),
    linhas([
      ['Inscrição Estadual:', ficha.ie],
      ['Nire:', ''],
      ['CNPJ/CPF:', ficha.documento],
      ['Razão Social:', ficha.nome],
      ['Nome Fantasia:', ficha.fantasia],
      ['Utilização do Estabelecimento:', 'PRÓPRIO'],
      ...endereco,
    ]),
    titulo('ENDEREÇO DE CORRESPONDÊNCIA', CINZA),
    linhas([...endereco, ['E-mail:', '']]),
    titulo('INFORMAÇÕES COMPLEMENTARES', CINZA),
    linhas([
      ['Situação do Contribuinte:', ficha.situacao],
      ['Data da Situação:', ficha.dataDaSituacao],
      ['Data Inicio Atividade:', ficha.inicio],
      ['Atividade Econômica:', `${ficha.cnae} - ${ficha.atividade}`],
      ['Regime de Pagamento:', ficha.pagamento],
    ]),
  ]
  return elemento('table', { border: '1', id: 'AutoNumber1' }, blocos.join('\n'))
}

function titulo(texto: string, atributos: typeof CINZA): string {
  return `<tr>${elemento('td', { ...atributos, colspan: '2' }, `<b>${escapar(texto)}</b>`)}</tr>`
}

/** The rows of a table, without the table around them. */
function linhas(pares: readonly Par[]): string {
  return tabelaDePares(pares, { rotulo: CINZA, valor: BRANCO }).replace(/^<table>|<\/table>$/g, '')
}

/** Undefined when the kind is none of the page's, or the document has punctuation. */
function perguntaDa(pedido: PedidoPortal<undefined>): Pergunta | undefined {
  const tipo = tipos.get(pedido.campo('TipoDevedor'))
  const documento = pedido.campo('NuDevedor')
  return tipo && limparDocumento(documento) === documento ? { tipo, documento } : undefined
}

function opcoes(textos: Readonly<Record<string, string>>): string[] {
  return Object.entries(textos).map(([value, texto]) =>
    elemento('input', { type: 'radio', name: 'TipoDevedor', value }).concat(escapar(texto)),
  )
}

function avisar(pedido: PedidoPortal<undefined>, aviso: string): Mensagem {
  return pedido.pagina('Portal do Contribuinte', `<p align="center"><b>${escapar(aviso)}</b></p>`)
}

export const portais: readonly Portal[] = [cadastro]
