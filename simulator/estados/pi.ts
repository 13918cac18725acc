import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCadastro, porTexto } from '../portal/conversa.ts'
import { campoErrado, unicaPreenchida } from '../portal/exigencia.ts'
import { ativo, type Ficha, type Leiaute, paginaDeFichas, preencher } from '../portal/ficha.ts'
import { elemento, entrada, formulario, ocultos, tabelaDePares } from '../portal/html.ts'
import { camposDaVista, conferirVista, idGerado, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { certidoes } from './pi-certidao.ts'
import { botaoPrime, type ComImagem, imagemDinamica, mensagensPrime, painel } from './primefaces.ts'

const BASE = '/SintegraConsultaPublica/'
const RECURSO = `${BASE}javax.faces.resource/dynamiccontent.properties.jsf`
const ENVIO = `${BASE}index.jsf`
const FORM = 'formConsulta'
const TITULO = 'SINTEGRA/ICMS - Piauí'
const TIPOS = ['cnpj', 'ie'] as const

/** Plain HTTP, as it was. */
const cadastro = portal<ComImagem>({
  uf: 'PI',
  servico: 'ie',
  nome: 'SEFAZ-PI, SINTEGRA',
  hosts: ['webas.sefaz.pi.gov.br'],
  atende: (caminho) => caminho.startsWith(BASE),
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => ({ chave: '' }),
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  responder: (pedido) => {
    const { caminho, consulta, sessao, metodo } = pedido
    if (caminho === RECURSO && consulta.get('primefaces_image') === sessao.dados.chave)
      return pedido.captcha.imagem()
    if (caminho !== BASE && caminho !== ENVIO)
      return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
    return metodo === 'POST' ? conversa(pedido) : filtro(pedido)
  },
  expirada: vistaExpirada,
})

/** A CNPJ goes with or without its mask. */
const perguntaDe = (pedido: PedidoPortal<ComImagem>): Pergunta | undefined =>
  unicaPreenchida(pedido, { cnpj: 'cnpj', ie: 'ie' })

function filtro(pedido: PedidoPortal<ComImagem>, aviso = ''): Mensagem {
  const campos = TIPOS.map(
    (tipo) =>
      `<tr><td><label for="${tipo}">${tipo === 'ie' ? 'Inscrição Estadual' : tipo.toUpperCase()}</label></td><td>${entrada(tipo, { id: tipo })}</td></tr>`,
  )
  const form = formulario(
    { id: FORM, name: FORM, action: ENVIO, enctype: 'application/x-www-form-urlencoded' },
    ocultos({ [FORM]: FORM }),
    elemento('table', {}, campos.join('\n')),
    imagemDinamica(pedido, RECURSO, 'securityCaptcha'),
    entrada('captcha', { id: 'captcha', autocomplete: 'off' }),
    botaoPrime(idGerado(pedido, 4), 'Consultar'),
    camposDaVista(pedido, 'consulta'),
  )
  return pedido.pagina(TITULO, mensagensPrime('messages', aviso) + form)
}

const conversa = conversaDeCadastro<ComImagem>({
  uf: 'PI',
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: (pedido) => conferirVista(pedido, 'consulta'),
  campos: (pedido) => {
    const exigidos = { [FORM]: FORM, cnpj: /^/, ie: /^/, captcha: /^/, [idGerado(pedido, 4)]: '' }
    return perguntaDe(pedido) && !campoErrado(pedido.campos, exigidos)
      ? undefined
      : 'Informe o CNPJ ou a Inscrição Estadual.'
  },
  captcha: porTexto('captcha', 'O Texto digitado não confere com a Imagem'),
  pergunta: perguntaDe,
  avisar: filtro,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: paginaDeFichas({
    titulo: TITULO,
    palavras: ativo,
    mascara: '00.000.000-0',
    bloco: (ficha) => resultado(ficha),
  }),
})

/** The labels are those of MS. */
const RESULTADO: Leiaute = [
  ['{tipo}:', 'documento'],
  ['Inscrição Estadual:', 'ie'],
  ['Razão Social/Nome:', 'nome'],
  ['Logradouro:', 'logradouro'],
  ['Numero:', 'numero'],
  ['Complemento:', 'complemento'],
  ['CEP:', 'cep'],
  ['Bairro:', 'bairro'],
  ['Município:', 'municipio'],
  ['UF:', 'uf'],
  ['Data de Início da Atividade:', 'inicio'],
  ['Data da Última Atualização:', 'dataDaSituacao'],
  ['Situação Cadastral:', 'situacao'],
  ['Motivo da Situação:', undefined],
]

const resultado = (ficha: Ficha): string =>
  painel('Dados do Contribuinte', tabelaDePares(preencher(RESULTADO, ficha), { rotulo: { class: 'label' } }))

export const portais: readonly Portal[] = [cadastro, certidoes]
