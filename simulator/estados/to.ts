import type { Certidao } from '../certidao/certidao.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import type { CaptchaDoPortal } from '../portal/captcha.ts'
import {
  COM_MASCARA,
  campoErrado,
  conversaDeCadastro,
  conversaDeCertidao,
  invalido,
  naoHa,
  peloMotivo,
  recusaDoDocumento,
  unicaPreenchida,
} from '../portal/conversa.ts'
import { habilitado, readFicha } from '../portal/ficha.ts'
import {
  botaoGenexus,
  checkEstado,
  estadoExpirado,
  paginaGenexus,
  resultados,
  textoEm,
} from '../portal/genexus.ts'
import { elemento, entrada, selecao } from '../portal/html.ts'
import type { Definicao, PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

type Visita = PedidoPortal<undefined>
type Estado = Readonly<Record<string, unknown>>

const CONSULTA = '/sintegra/servlet/wpsico01'
const CERTIDAO = '/cnd/com.cnd.hecwbcnd01'
const IMPRESSAO = '/cnd/com.cnd.arecrpcnd'

const comum = {
  uf: 'TO',
  charset: 'utf-8',
  motor: 'java',
  sessao: { em: 'cookie', nome: 'JSESSIONID' },
  captcha: 'recaptcha-v2',
  expirada: estadoExpirado,
} as const satisfies Partial<Definicao>

/** Everything is a field of GXState but the document: which button, and the answer to reCAPTCHA. */
const RESPOSTA = 'GPXRECAPTCHA1_Response'

const chaveDe = <S>(pedido: PedidoPortal<S>): Estado => ({
  GPXRECAPTCHA1_Sitekey: pedido.captcha.chave,
  [RESPOSTA]: '',
})

function receive<S>(pedido: PedidoPortal<S>): Estado | undefined {
  const doScript = pedido.cabecalhos['x-requested-with'] === 'XMLHttpRequest'
  return doScript ? checkEstado(pedido) : undefined
}

const captchaDe = (estado: Estado) => ({
  fits: ({ captcha }: { captcha: CaptchaDoPortal }) => captcha.checkToken(textoEm(estado, RESPOSTA)),
  errado: 'Captcha inválido.',
})

const EVENTOS = [
  { tipo: 'cpf', campo: 'vCPF', rotulo: 'CPF', evento: "E'CPF'." },
  { tipo: 'cnpj', campo: 'vCNPJ', rotulo: 'CNPJ', evento: "E'CNPJ'." },
  { tipo: 'ie', campo: 'vIE', rotulo: 'Inscrição Estadual', evento: "E'IE'." },
] as const

const cadastro = portal<undefined>({
  ...comum,
  servico: 'ie',
  nome: 'SEFAZ-TO, SINTEGRA',
  hosts: ['sintegra.sefaz.to.gov.br'],
  novaSessao: () => undefined,
  documento: (pedido) => EVENTOS.map(({ campo }) => pedido.campo(campo)).find((texto) => texto !== ''),
  answer: (pedido) => {
    if (pedido.caminho !== CONSULTA) return naoHa(pedido)
    if (pedido.metodo !== 'POST') return filtro(pedido)
    const estado = receive(pedido)
    return estado ? consulta(estado)(pedido) : pedido.expirada()
  },
})

function filtro(pedido: Visita, aviso = ''): Mensagem {
  const linhas = EVENTOS.map(
    ({ campo, rotulo, evento }, i) =>
      `<tr><td>${rotulo}</td><td>${entrada(campo, { id: campo })}</td><td>${botaoGenexus(`BUTTON${i + 1}`, 'Consultar', evento)}</td></tr>`,
  )
  const conteudo = `${elemento('table', { id: 'TABLE1' }, linhas.join('\n'))}<div id="GPXRECAPTCHA1Container"></div>`
  return paginaGenexus(pedido, {
    titulo: 'SINTEGRA/ICMS - Tocantins',
    conteudo,
    estado: chaveDe(pedido),
    aviso,
  })
}

const consulta = (estado: Estado) => {
  const evento = EVENTOS.find((um) => um.evento === estado._EventName)
  return conversaDeCadastro<undefined>({
    ordem: ['campos', 'captcha', 'documento'],
    campos: () => (evento ? undefined : 'Evento inválido.'),
    captcha: captchaDe(estado),
    pergunta: ({ campo }) => evento && { tipo: evento.tipo, documento: campo(evento.campo) },
    recusa: (pergunta) =>
      pergunta.documento === '' ? `Informe: ${evento?.rotulo}.` : recusaDoDocumento('TO', pergunta),
    notify: filtro,
    ninguem: 'Nenhum resultado encontrado',
    draw: (pedido, achadas) =>
      paginaGenexus(pedido, {
        titulo: 'SINTEGRA/ICMS - Tocantins',
        conteudo: resultados(achadas.map(fichaDe)),
        estado: chaveDe(pedido),
      }),
  })
}

/** Of nine digits or of the older eleven. */
function fichaDe(achada: Ocorrencia) {
  const mascara = achada.inscricao.ie.length === 11 ? '00.000.0000-00' : '00.000.000-0'
  return readFicha(achada, habilitado, mascara)
}

const FINALIDADES = { '1': 'LICITAÇÃO', '2': 'CADASTRO' }
const [VALIDAR, IMPRIMIR] = ["E'EMITIR'.", "E'IMPRIMIR'."]
type Dados = { prontas: Map<string, Certidao> }

const certidoes = portal<Dados>({
  ...comum,
  servico: 'cnd',
  nome: 'SEFAZ-TO, certidão negativa',
  hosts: ['www.sefaz.to.gov.br'],
  serves: (caminho) => caminho.startsWith('/cnd/'),
  novaSessao: () => ({ prontas: new Map() }),
  documento: (pedido) => pedido.campo('vNUM_CNPJ') || pedido.campo('vNUM_CPF') || undefined,
  answer: (pedido) => {
    const pronta = pedido.sessao.dados.prontas.get(pedido.consulta.get('n') ?? '')
    if (pedido.caminho === IMPRESSAO && pronta) return pedido.pdf(pronta)
    if (pedido.caminho !== CERTIDAO) return naoHa(pedido)
    if (pedido.metodo !== 'POST') return emissao(pedido)
    const estado = receive(pedido)
    if (!estado) return pedido.expirada()
    return estado._EventName === IMPRIMIR ? printCertidao(pedido, estado) : validacao(estado)(pedido)
  },
})

const emissao = (pedido: PedidoPortal<Dados>, aviso = ''): Mensagem =>
  telaDaEmissao(pedido, { vERROCOD: aviso ? 1 : 0, vCNDNUM: 0, vDV: 0, vNOMRAZ: '' }, aviso)

function telaDaEmissao(pedido: PedidoPortal<Dados>, estado: Estado, aviso: string, pronta = false): Mensagem {
  const botoes = [
    botaoGenexus('BUTTON3', 'Emitir', VALIDAR),
    pronta ? botaoGenexus('BUTTON6', 'Imprimir CND', IMPRIMIR) : '',
  ]
  const conteudo = [
    entrada('vNUM_CPF', { id: 'vNUM_CPF', maxlength: '14' }),
    entrada('vNUM_CNPJ', { id: 'vNUM_CNPJ', maxlength: '18' }),
    selecao('vFINALIDADE1', FINALIDADES, '1', { id: 'vFINALIDADE1' }),
    '<div id="GPXRECAPTCHA1Container"></div>',
    ...botoes,
  ].join('\n')
  const titulo = 'Certidão Negativa de Débitos'
  return paginaGenexus(pedido, { titulo, conteudo, aviso, estado: { ...chaveDe(pedido), ...estado } })
}

const perguntaDe = (pedido: PedidoPortal<Dados>): Pergunta | undefined =>
  unicaPreenchida(pedido, { cpf: 'vNUM_CPF', cnpj: 'vNUM_CNPJ' })

const FALTA = 'Informe o CPF ou o CNPJ, e a finalidade.'

const validacao = (estado: Estado) =>
  conversaDeCertidao<Dados>({
    ordem: ['campos', 'captcha', 'documento'],
    campos: (pedido) => {
      const errado = campoErrado(pedido.campos, { vFINALIDADE1: /^[12]$/ })
      return perguntaDe(pedido) && !errado && estado._EventName === VALIDAR ? undefined : FALTA
    },
    captcha: captchaDe(estado),
    pergunta: perguntaDe,
    recusa: (pergunta) => {
      const mascarado = Object.values(COM_MASCARA).some((forma) => forma.test(pergunta.documento))
      return mascarado ? recusaDoDocumento('TO', pergunta) : invalido(pergunta)
    },
    notify: emissao,
    mensagens: NEGATIVAS,
    deliver: (pedido, { numero, nome }) => {
      const [vCNDNUM, vDV] = numero.split('-')
      const dados = { vERROCOD: 0, vCNDNUM: Number(vCNDNUM), vDV: Number(vDV), vNOMRAZ: nome }
      return telaDaEmissao(pedido, dados, '', true)
    },
  })

const NEGATIVAS = {
  positiva: 'Não foi possível emitir a CND: contribuinte com débito pendente.',
  irregular: peloMotivo,
} as const

/** The number of another document's certificate prints nothing. */
function printCertidao(pedido: PedidoPortal<Dados>, estado: Estado): Mensagem {
  const pergunta = perguntaDe(pedido)
  if (!pergunta) return emissao(pedido, FALTA)
  const certidao = pedido.certidao(pergunta)
  const numero = `${textoEm(estado, 'vCNDNUM').padStart(7, '0')}-${textoEm(estado, 'vDV')}`
  if (certidao.desfecho in NEGATIVAS || numero !== certidao.numero)
    return emissao(pedido, 'Certidão não localizada.')
  pedido.sessao.dados.prontas.set(certidao.numero, certidao)
  const url = `com.cnd.arecrpcnd?n=${certidao.numero}`
  return pedido.answerJson({ gxHiddens: {}, gxMessages: {}, gxCommands: [{ redirect: { url } }] })
}

export const portais: readonly Portal[] = [cadastro, certidoes]
