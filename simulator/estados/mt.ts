import type { Certidao } from '../certidao/certidao.ts'
import { cleanDocumento, sementeDe } from '../documento/documento.ts'
import type { Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import { escapeXml } from '../platform/xml.ts'
import { campoErrado, conversaDeCadastro, conversaDeCertidao, naoHa, tiposPor } from '../portal/conversa.ts'
import { ativo, type Ficha, readFicha } from '../portal/ficha.ts'
import { botao, elemento, entrada, formulario, ocultos, selecao } from '../portal/html.ts'
import type { PedidoPortal } from '../portal/pedido.ts'
import { type Portal, portal } from '../portal/portal.ts'

/** The certificate that is in the making, and how many more times the visitor must come for it. */
type Requerente = { certidao: Certidao | undefined; faltam: number }

const CAMINHO = '/cnd/certidao/servlet/'
const SERVLET = 'ServletRotdAberto'
/** Seconds, times `ritmo`; the real page waits 15, which is long for a trial. */
const INTERVALO = 2

/** A form; a page about a certificate in force; a page "REQUERIMENTO" that refreshes itself until the end. */
async function issueByRequerimento(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  if (pedido.caminho !== CAMINHO + SERVLET) return naoHa(pedido)
  if (pedido.metodo === 'POST') {
    const origem = pedido.campo('origem')
    if (origem === '62') return requestNova(pedido)
    return origem === '63' ? reprint(pedido) : solicitacao(pedido)
  }
  return pedido.consulta.get('origem') === '60' ? formularioDe(pedido) : search(pedido)
}

/** A terminal's Ctrl-C reaches the whole group; the parent says when it is done. */
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
    fits: ({ captcha, campo }) => {
      const token = campo('cf-turnstile-response')
      return token === '' || captcha.checkToken(token)
    },
    errado: 'Verificação de segurança inválida',
  },
  pergunta: perguntaDe,
  notify: notify,
  deliver: (pedido, certidao) => {
    pedido.sessao.dados.certidao = certidao
    return hasVigente(certidao) ? showVigente(pedido, certidao) : request(pedido, certidao)
  },
})

function perguntaDe({ campo }: PedidoPortal<Requerente>): Pergunta {
  return { tipo: campo('tipoDocumento') === 'CPF' ? 'cpf' : 'cnpj', documento: campo('numeroDocumento') }
}

const INCORRETO = 'O documento informado está incorreto'

/** The kind and the number are the session's. */
function requestNova(pedido: PedidoPortal<Requerente>): Mensagem {
  const { certidao } = pedido.sessao.dados
  if (!certidao) return pedido.expirada()
  const errado = campoErrado(pedido.campos, {
    ...{ origem: '62', ...MODELO, ...vazios, caracteres: '', usuario: 'null' },
    numrDoct: '',
    numrDoctFinal: certidao.documento,
    tipoDoctSele: certidao.tipoDocumento === 'cpf' ? '1' : '2',
  })
  return errado ? notify(pedido, INCORRETO) : request(pedido, certidao)
}

async function reprint(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  const { certidao } = pedido.sessao.dados
  if (!certidao || !hasVigente(certidao)) return pedido.expirada()
  if (pedido.campo('numrDoct') !== certidao.documento) return notify(pedido, INCORRETO)
  return pedido.pdf(certidao)
}

/** Whether a certificate is in force already: one in four of those that can be issued. */
function hasVigente({ desfecho, documento, papel }: Certidao): boolean {
  const emitivel = desfecho === 'negativa' || desfecho === 'efeitos'
  return emitivel && papel === 'certo' && sementeDe(documento) % 4 === 0
}

function showVigente(pedido: PedidoPortal<Requerente>, { documento, tipoDocumento }: Certidao): Mensagem {
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
function request(pedido: PedidoPortal<Requerente>, { documento }: Certidao): Mensagem {
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

async function search(pedido: PedidoPortal<Requerente>): Promise<Mensagem> {
  const { dados } = pedido.sessao
  if (!dados.certidao || dados.faltam === 0) return pedido.expirada()
  dados.faltam -= 1
  if (dados.faltam > 0) return emAndamento(pedido)
  const { desfecho, motivo } = dados.certidao
  if (desfecho === 'positiva') return notify(pedido, INDEFERIDO)
  if (desfecho === 'irregular') return notify(pedido, motivo)
  return pedido.pdf(dados.certidao)
}

const INDEFERIDO =
  'Requerimento indeferido: as informações constantes nas bases da SEFAZ e da PGE não são suficientes para que se considere sua situação regular.'

function notify(pedido: PedidoPortal<Requerente>, aviso: string): Mensagem {
  return pedido.pagina(
    'CND - Certidão Negativa de Débitos',
    `<div class="mensagem">${escapeXml(aviso)}</div>`,
  )
}

const HOST = 'www.sefaz.mt.gov.br'
const CADASTRO = '/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto'
const IMAGEM = '/cadastro/emissaocartao/imagemCaptcha'

const tipos = tiposPor({ 2: 'cnpj', 3: 'cpf' })

const cadastro = portal({
  uf: 'MT',
  servico: 'ie',
  nome: 'SEFAZ-MT, cartão do contribuinte',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith('/cadastro/emissaocartao/'),
  charset: 'iso-8859-1',
  motor: 'java',
  captcha: 'imagem',
  documento: ({ consulta }) => consulta.get('numrDoct') || undefined,
  answer: (pedido) => {
    if (pedido.caminho === IMAGEM) return pedido.captcha.imagem({ letras: 4 })
    if (pedido.caminho !== CADASTRO) return naoHa(pedido)
    return pedido.metodo === 'POST' ? query(pedido) : filtro(pedido)
  },
})

const TITULO = 'Emissão do Cartão do Contribuinte'

function filtro(pedido: PedidoPortal<undefined>, aviso = ''): Mensagem {
  const form = formulario(
    { name: 'formulario', action: CADASTRO },
    selecao('codigoTipoDocumento', { 2: 'CNPJ', 3: 'CPF' }),
    entrada('numrDoct', { maxlength: '18' }),
    elemento('img', { id: 'imagemCaptcha', src: IMAGEM }),
    entrada('captchaDigitado', { maxlength: '4' }),
    elemento('input', { type: 'button', value: 'Pesquisar', onclick: 'pesquisar()' }),
  )
  return pedido.pagina(TITULO, (aviso && `<div class="erro">${escapeXml(aviso)}</div>`) + form)
}

const query = conversaDeCadastro<undefined>({
  ordem: ['sessao', 'campos', 'captcha', 'documento'],
  // It is the image's answer that binds the captcha to a session.
  sessao: ({ sessao }) => !sessao.nova,
  campos: ({ consulta }) => {
    const exigidos = { pagn: 'Pesquisar', codigoTipoDocumento: /^[23]$/, numrDoct: /^[0-9A-Z]+$/ }
    const errado = campoErrado(new Map(consulta), { ...exigidos, ajaxRequest: '1', vU: /^\d+$/ })
    return errado && `Campo obrigatório não informado: ${errado}`
  },
  captcha: {
    fits: ({ captcha, consulta }) => captcha.checkTexto(consulta.get('captchaDigitado') ?? ''),
    errado: 'Código de caracteres inválido!',
  },
  pergunta: ({ consulta }) => ({
    tipo: tipos.get(consulta.get('codigoTipoDocumento') ?? '') ?? 'cnpj',
    documento: cleanDocumento(consulta.get('numrDoct') ?? ''),
  }),
  notify: filtro,
  ninguem: 'Nenhum registro encontrado',
  draw: (pedido, achadas) => {
    const linhas = achadas.map((achada) => linha(readFicha(achada, ativo, '00.000.000-0')))
    return pedido.pagina(TITULO, elemento('table', { width: '100%' }, linhas.join('\n')))
  },
})

function linha({ ie, nome, situacao }: Ficha): string {
  const open = elemento(
    'a',
    { href: '#', onclick: `enviar('${cleanDocumento(ie)}','FormularioListaEnviar')` },
    ie,
  )
  const celulas = [open, escapeXml(nome), situacao].map((html) => `<td><font size="1">${html}</font></td>`)
  return `<tr>${celulas.join('')}</tr>`
}

const certidoes = portal<Requerente>({
  uf: 'MT',
  servico: 'cnd',
  nome: 'SEFAZ-MT, certidão negativa',
  hosts: [HOST],
  serves: (caminho) => caminho.startsWith('/cnd/certidao/servlet/'),
  charset: 'iso-8859-1',
  motor: 'java',
  novaSessao: () => ({ certidao: undefined, faltam: 0 }),
  // The widget is drawn, and an empty answer was taken (09/2026). An answer that is sent must be good.
  captcha: 'turnstile',
  documento: (pedido) => pedido.campo('numrDoctFinal') || undefined,
  answer: issueByRequerimento,
})

export const portais: readonly Portal[] = [cadastro, certidoes]
