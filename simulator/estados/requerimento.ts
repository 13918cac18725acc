import type { Certidao } from '../certidao/certidao.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'
import { conversaDeCertidao } from '../portal/conversa.ts'
import { campoErrado } from '../portal/exigencia.ts'
import { botao, elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'

/**
 * What the servlet keeps of a visitor: the certificate that is in the making, and how many more times he must
 * come for it.
 */
export type Requerente = { certidao: Certidao | undefined; faltam: number }

const CAMINHO = '/cnd/certidao/servlet/'
const SERVLET = 'ServletRotdAberto'
/**
 * Seconds between two refreshes of the request's page, to be multiplied by `ritmo`. The real page waits 15,
 * which is long for a trial.
 */
const INTERVALO = 2

/**
 * MT's servlet: a form; a page that says that a certificate in force exists, for some documents; a page
 * "REQUERIMENTO" that refreshes itself until the PDF, or the refusal, comes.
 */
export async function emitirPorRequerimento(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  if (pedido.caminho !== CAMINHO + SERVLET) return pedido.pagina('Erro 404', '<h1>404</h1>', { status: 404 })
  if (pedido.metodo === 'POST') {
    const origem = pedido.campo('origem')
    if (origem === '62') return requererNova(pedido)
    return origem === '63' ? reimprimir(pedido) : solicitacao(pedido)
  }
  return pedido.consulta.get('origem') === '60' ? formularioDe(pedido) : buscar(pedido)
}

/** The fields that the page's script leaves empty. */
const vazios = { codgMenu: '', nomeMenu: '', barraMenu: '', codgTemporario: '' }
const MODELO = { indiceModlCertSelecionado: '19' }

function formularioDe(pedido: PedidoPortal<Requerente>): Mensagem {
  const form = formulario(
    { action: SERVLET, name: 'formCND' },
    ocultos({ origem: '76', ...MODELO, numrDoctFinal: '', tipoDoctSele: '2', ...vazios }),
    selecao('tipoDocumento', { CNPJ: 'CNPJ', CPF: 'CPF' }, 'CNPJ'),
    entrada('numeroDocumento', { maxlength: '18' }),
    elemento('div', { class: 'cf-turnstile', 'data-sitekey': pedido.captcha.chave }, ''),
    botao('botaoSubmit', '     OK     '),
  )
  return pedido.pagina('CND - Certidão Negativa de Débitos', form)
}

const solicitacao = conversaDeCertidao<Requerente>({
  uf: 'MT',
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  sessao: ({ sessao }) => !sessao.nova,
  campos: (pedido) => {
    const { tipo, documento } = perguntaDe(pedido)
    const errado = campoErrado(pedido.campos, {
      ...{ origem: '76', ...MODELO, ...vazios, numrDoctFinal: documento },
      tipoDocumento: /^(?:CNPJ|CPF)$/,
      tipoDoctSele: tipo === 'cpf' ? '1' : '2',
      numeroDocumento: /^[0-9A-Z]+$/,
      botaoSubmit: /^ +OK +$/,
      'cf-turnstile-response': /^/,
    })
    return errado && INCORRETO
  },
  captcha: {
    confere: ({ captcha, campo }) => {
      const token = campo('cf-turnstile-response')
      return token === '' || captcha.conferirToken(token)
    },
    errado: 'Verificação de segurança inválida',
  },
  pergunta: perguntaDe,
  avisar,
  mensagens: {},
  entregar: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    return temVigente(certidao) ? mostrarVigente(pedido, certidao) : requerer(pedido, certidao)
  },
})

function perguntaDe({ campo }: PedidoPortal<Requerente>): Pergunta {
  return { tipo: campo('tipoDocumento') === 'CPF' ? 'cpf' : 'cnpj', documento: campo('numeroDocumento') }
}

const INCORRETO = 'O documento informado está incorreto'

/**
 * The request for a new one, out of the page that shows the one in force: the kind and number are the
 * session's.
 */
function requererNova(pedido: PedidoPortal<Requerente>): Mensagem {
  const { certidao } = pedido.sessao.dados
  if (!certidao) return pedido.expirada()
  const errado = campoErrado(pedido.campos, {
    ...{ origem: '62', ...MODELO, ...vazios, caracteres: '', usuario: 'null' },
    numrDoct: '',
    numrDoctFinal: certidao.documento,
    tipoDoctSele: certidao.tipoDocumento === 'cpf' ? '1' : '2',
  })
  return errado ? avisar(pedido, INCORRETO) : requerer(pedido, certidao)
}

/** Prints the certificate in force, for a visitor who was shown that there is one. */
async function reimprimir(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  if (!certidao || !temVigente(certidao)) return pedido.expirada()
  if (pedido.campo('numrDoct') !== certidao.documento) return avisar(pedido, INCORRETO)
  return pedido.pdf(certidao)
}

/** Whether a certificate is in force already: one in four of those that can be issued. */
function temVigente({ desfecho, documento, papel }: Certidao): boolean {
  const emitivel = desfecho === 'negativa' || desfecho === 'efeitos'
  return emitivel && papel === 'certo' && sementeDe(documento) % 4 === 0
}

function mostrarVigente(pedido: PedidoPortal<Requerente>, { documento, tipoDocumento }: Certidao): Mensagem {
  const tipo = tipoDocumento === 'cpf' ? '1' : '2'
  const nova = formulario(
    { action: SERVLET, name: 'formNova' },
    ocultos({ origem: '62', ...MODELO, numrDoct: '', caracteres: '', tipoDoctSele: tipo }),
    ocultos({ numrDoctFinal: documento, ...vazios, usuario: 'null' }),
    botao('nova', 'Emitir nova Certidão'),
  )
  const reimprimir = formulario(
    { action: SERVLET, name: 'formReimprimir' },
    ocultos({ origem: '63', numrDoct: documento }),
    botao('reimprimir', 'Reimprimir Certidão Vigente'),
  )
  const aviso = '<p>Existe certidão vigente para o documento informado.</p>'
  return pedido.pagina('CND - Certidão Negativa de Débitos', aviso + reimprimir + nova)
}

/** Once more for most, twice for one in sixteen. */
function requerer(pedido: PedidoPortal<Requerente>, { documento }: Certidao): Mensagem {
  pedido.sessao.dados.faltam = sementeDe(documento) % 16 === 1 ? 2 : 1
  return emAndamento(pedido)
}

function emAndamento(pedido: PedidoPortal<Requerente>): Mensagem {
  const segundos = Math.round(INTERVALO * pedido.ritmo)
  const cabeca = `<meta http-equiv="refresh" content="${segundos}">\n`
  const corpo =
    '<h3>REQUERIMENTO DE CERTIDÃO NEGATIVA DE DÉBITOS</h3><p>Seu requerimento está sendo processado. Aguarde: esta página será atualizada automaticamente.</p>'
  return pedido.pagina('CND - Requerimento', corpo, { cabeca })
}

/** What the page's refresh finds: the same page, the PDF, or the refusal. */
async function buscar(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  const { dados } = pedido.sessao
  if (!dados.certidao || dados.faltam === 0) return pedido.expirada()
  dados.faltam -= 1
  if (dados.faltam > 0) return emAndamento(pedido)
  const { desfecho, motivo } = dados.certidao
  if (desfecho === 'positiva') return avisar(pedido, INDEFERIDO)
  if (desfecho === 'irregular') return avisar(pedido, motivo)
  return pedido.pdf(dados.certidao)
}

const INDEFERIDO =
  'Requerimento indeferido: as informações constantes nas bases da SEFAZ e da PGE não são suficientes para que se considere sua situação regular.'

function avisar(pedido: PedidoPortal<Requerente>, aviso: string): Mensagem {
  return pedido.pagina('CND - Certidão Negativa de Débitos', `<div class="mensagem">${escapar(aviso)}</div>`)
}
