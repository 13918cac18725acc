import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { conversaDeCadastro, porTexto } from '../portal/conversa.ts'
import { COM_MASCARA, campoErrado, recusaDoDocumento, unicaPreenchida } from '../portal/exigencia.ts'
import { habilitado, lerFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos } from '../portal/html.ts'
import { camposDaVista, conferirVista, respostaParcial, veioDoJsf, vistaExpirada } from '../portal/jsf.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'
import { camposDaMudanca, grade, mensagens } from './richfaces4.ts'
import { certidoes } from './rj-certidao.ts'

const SINCAD = '/sincad-web/'
const CAPTCHA = `${SINCAD}captchaServlet`

/** How each kind of document must come, and its field. */
const FORMAS = {
  cnpj: {
    campo: 'formulario:txtCNPJ',
    rotulo: 'CNPJ',
    forma: COM_MASCARA.cnpj,
  },
  cpf: { campo: 'formulario:txtCPF', rotulo: 'CPF', forma: COM_MASCARA.cpf },
  ie: { campo: 'formulario:txtInsEst', rotulo: 'Inscrição Estadual', forma: /^\d{8}$/ },
} as const satisfies Record<Pergunta['tipo'], { campo: string; rotulo: string; forma: RegExp }>

const TIPOS = ['cnpj', 'cpf', 'ie'] as const

const cadastro = portal<undefined>({
  uf: 'RJ',
  servico: 'ie',
  nome: 'SEFAZ-RJ, SINCAD',
  hosts: ['sucief-sincad-web.fazenda.rj.gov.br'],
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  novaSessao: () => undefined,
  captcha: 'imagem',
  documento: (pedido) => perguntaDe(pedido)?.documento,
  responder: (pedido) => {
    const { caminho, metodo, sessao } = pedido
    if (caminho === CAPTCHA) return sessao.nova ? pedido.expirada() : pedido.captcha.imagem()
    if (caminho !== `${SINCAD}index.jsf`) return naoHa(pedido)
    if (metodo !== 'POST') return filtro(pedido)
    return pedido.campos.has('javax.faces.partial.ajax') ? mudar(pedido) : pesquisa(pedido)
  },
  expirada: vistaExpirada,
})

const perguntaDe = (pedido: PedidoPortal<undefined>): Pergunta | undefined =>
  unicaPreenchida(pedido, {
    cnpj: FORMAS.cnpj.campo,
    cpf: FORMAS.cpf.campo,
    ie: FORMAS.ie.campo,
  })

function filtro(pedido: PedidoPortal<undefined>, aviso = '', resultado = ''): Mensagem {
  const campos = TIPOS.map(
    (tipo) => `<tr><td>${FORMAS[tipo].rotulo}:</td><td>${campoDe(FORMAS[tipo].campo)}</td></tr>`,
  )
  const form = formulario(
    { id: 'formulario', name: 'formulario', action: `${SINCAD}index.jsf` },
    ocultos({ formulario: 'formulario', skipValidation: 'false' }),
    elemento('table', {}, campos.join('\n')),
    elemento('img', { id: 'formulario:imgCaptcha', src: CAPTCHA }),
    entrada('formulario:cap', { id: 'formulario:cap', maxlength: '5' }),
    botao('formulario:btnPesquisar', 'Pesquisar'),
    camposDaVista(pedido, 'mudança'),
  )
  return pedido.pagina('Consulta Pública - SINCAD', mensagens(aviso) + form + resultado)
}

function campoDe(id: string, value = ''): string {
  const onchange = `RichFaces.ajax("${id}",event,{"incId":"1"} )`
  return entrada(id, { id, value, onchange })
}

/** The field that has changed is drawn anew, and the search waits for the ViewState that comes with it. */
function mudar(pedido: PedidoPortal<undefined>): Mensagem {
  if (!veioDoJsf(pedido) || !conferirVista(pedido, 'mudança')) return pedido.expirada()
  const pergunta = perguntaDe(pedido)
  const campo = pergunta && FORMAS[pergunta.tipo].campo
  if (!campo || campoErrado(pedido.campos, { ...camposDaMudanca(campo), formulario: 'formulario' }))
    return filtro(pedido, FALTA)
  return respostaParcial(pedido, 'pesquisa', { [campo]: campoDe(campo, pergunta.documento) })
}

const FALTA = 'Informe o CNPJ, o CPF ou a Inscrição Estadual.'

const pesquisa = conversaDeCadastro<undefined>({
  uf: 'RJ',
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: (pedido) => conferirVista(pedido, 'pesquisa'),
  campos: (pedido) => (perguntaDe(pedido) && !campoErrado(pedido.campos, EXIGIDOS) ? undefined : FALTA),
  captcha: porTexto('formulario:cap', 'Código da imagem inválido.'),
  pergunta: perguntaDe,
  // The mask of the field is part of the number.
  recusa: (pergunta) => {
    const { forma, rotulo } = FORMAS[pergunta.tipo]
    return forma.test(pergunta.documento)
      ? recusaDoDocumento('RJ', pergunta)
      : `${rotulo} em formato incorreto.`
  },
  avisar: filtro,
  ninguem: 'Nenhum resultado encontrado',
  desenhar: (pedido, achadas) =>
    filtro(pedido, '', grade('formulario:tabelaIE', TITULOS, achadas.map(linhaDe))),
})

const EXIGIDOS = {
  formulario: 'formulario',
  'formulario:cap': /^/,
  'formulario:btnPesquisar': 'formulario:btnPesquisar',
  skipValidation: 'false',
}

const TITULOS = [
  'CNPJ/CPF',
  'Razão Social',
  'Município',
  'Inscrição Estadual',
  'Situação Cadastral',
  'Data da Situação Cadastral',
  'Regime de Apuração',
  'Atividade Econômica',
]

function linhaDe(achada: Ocorrencia): readonly string[] {
  const ficha = lerFicha(achada, habilitado, '00.000.00-0')
  const situacao = [ficha.situacao, ficha.dataDaSituacao, ficha.regime, ficha.atividadeComMascara]
  return [ficha.documento, ficha.nome, ficha.municipio, ficha.ie, ...situacao]
}

function naoHa(pedido: PedidoPortal<undefined>): Mensagem {
  return pedido.pagina('Erro 404', '<h1>HTTP Status 404</h1>', { status: 404 })
}

export const portais: readonly Portal[] = [cadastro, certidoes]
