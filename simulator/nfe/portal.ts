import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { dataBrasileira, maskDocumento } from '../documento/documento.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import {
  type Autoridade,
  type Chamador,
  type Mensagem,
  type Opcoes,
  type Pedido,
  send,
} from '../platform/autoridade.ts'
import { writePagina } from '../platform/soap.ts'
import { escapeXml } from '../platform/xml.ts'
import type { Captchas, OpenCaptcha } from '../portal/captcha.ts'
import { botao, elemento, entrada, type Par } from '../portal/html.ts'
import { detectCookies, readPedido, redirect, writeArquivo, writeHtml } from '../portal/mensagem.ts'
import { createSessoes, type PedidoPortal, type Sessoes } from '../portal/pedido.ts'
import { composeFio, composeMensagem } from '../portal/portal.ts'
import { checkTrio, estadoInvalido, idDe, paginaWebForms, recursoAusente } from '../portal/webforms.ts'
import type { Cenario } from './cenario.ts'
import { doTitular } from './cenarios.ts'
import { reais, valoresDa } from './inf-nfe.ts'
import {
  dvDaChave,
  horaDeBrasilia,
  type Livro,
  liberadaPorEvento,
  type Nota,
  notaDe,
  readChave,
  writeWithDefeito,
} from './nota.ts'
import { protocoloDe, type WriteNfeProc } from './proc.ts'

const ESCRITA = { charset: 'utf-8', motor: 'asp.net' } as const

/** The contents that every address of a consultation names; real links carry the same text (2026-11). */
const TIPO_CONTEUDO = '7PhJ+gAVw2g='

const TITULO = 'Portal da Nota Fiscal Eletrônica'

/** What the portal keeps of a visitor: the note, and what the address of its download carries. */
type Visita = { consulta: { nota: Nota; a: string } | undefined }

type PedidoNacional = Pick<
  PedidoPortal<Visita>,
  | 'metodo'
  | 'caminho'
  | 'consulta'
  | 'chamador'
  | 'campos'
  | 'campo'
  | 'sessao'
  | 'captcha'
  | 'pagina'
  | 'expirada'
> & {
  nota: Nota | undefined
}

const nomeDe = (controle: string): string => `ctl00$ContentPlaceHolder1$${controle}`

const notify = ({ pagina }: Pick<PedidoNacional, 'pagina'>, texto: string): Mensagem =>
  pagina(TITULO, `<div id="conteudoDinamico"><p>${escapeXml(texto)}</p></div>`)

const redirectTo = (pagina: string): Mensagem => redirect(ESCRITA, `/portal/${pagina}`)

const CHAVE = nomeDe('txtChaveAcessoResumo')
const CONTINUAR = nomeDe('btnConsultarHCaptcha')
const LIMPAR = nomeDe('btnLimparHCaptcha')
const ERROS = nomeDe('bltMensagensErroHCaptcha')

const chaveDigitada = ({ campo }: Pick<PedidoNacional, 'campo'>): string => campo(CHAVE)

/** `consultaRecaptcha.aspx`: the key and the captcha, which is used up by every attempt. */
function query(pedido: PedidoNacional): Mensagem {
  if (pedido.metodo !== 'POST') return tela(pedido)
  if (!checkTrio(pedido, 'consulta')) return pedido.expirada()
  pedido.sessao.dados.consulta = undefined
  if (!pedido.campos.has(CONTINUAR)) return tela(pedido)
  const chave = chaveDigitada(pedido)
  const humano = pedido.captcha.checkToken(pedido.campo('h-captcha-response'))
  if (!isChave(chave)) return tela(pedido, 'Chave de Acesso inválida')
  // Those words are the portal's own (open clients, 2026-06); the others of this page are played.
  if (!humano) return tela(pedido, 'Falha na validação do Captcha')
  const { nota } = pedido
  if (nota?.cenario.portal === 'indisponivel') return redirectTo('erro.aspx')
  if (nota?.cenario.existe !== 'sim') return redirectTo('inexistente_resumo.aspx')
  // 48 octets in base64, as the real addresses carry (2025); what is in them is not known.
  pedido.sessao.dados.consulta = { nota, a: randomBytes(48).toString('base64') }
  return redirectTo(`consultaResumo.aspx?tipoConteudo=${TIPO_CONTEUDO}`)
}

const isChave = (texto: string): boolean => readChave(texto)?.dv === dvDaChave(texto.slice(0, -1))

function tela(pedido: PedidoNacional, erro?: string): Mensagem {
  const erros = erro && elemento('ul', { id: idDe(ERROS, true) }, elemento('li', {}, escapeXml(erro)))
  const widget = elemento('div', { class: 'h-captcha', 'data-sitekey': pedido.captcha.chave }, '')
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'consulta',
    conteudo: [
      '<div id="conteudoDinamico"><h2>Consultar Resumo da NF-e</h2>',
      elemento('span', { id: idDe(nomeDe('lblChaveAcesso'), true) }, 'Chave de Acesso:'),
      entrada(CHAVE, { id: idDe(CHAVE, true), maxlength: '44', class: 'txtChaveAcesso' }),
      erros ?? '',
      elemento(
        'div',
        { id: idDe(nomeDe('pnlBotoesHCaptcha'), true) },
        [
          widget,
          botao(CONTINUAR, 'Continuar', { id: idDe(CONTINUAR, true) }),
          botao(LIMPAR, 'Limpar', { id: idDe(LIMPAR, true) }),
        ].join('\n'),
      ),
      '</div>',
    ].join('\n'),
  })
}

/** In the portal's own words (open clients, 2025). */
const NEGADA = 'O CNPJ ou CPF do certificado não está autorizado a fazer o download do documento.'

/**
 * What the portal says before a compulsory manifestation is not known: here it refuses as it does a stranger.
 */
async function download(
  pedido: PedidoNacional,
  { livro, writeNfeProc }: { livro: Livro; writeNfeProc: WriteNfeProc },
): Promise<Mensagem> {
  const { chamador, sessao } = pedido
  const aberta = sessao.dados.consulta
  if (!aberta || !chamador || !isDesta(pedido, aberta.a)) return redirectTo('erro.aspx')
  if (!releases(aberta.nota, chamador, livro)) return notify(pedido, NEGADA)
  const xml = await writeArquivoDoPortal(aberta.nota, writeNfeProc)
  return writeArquivo(ESCRITA, 'application/xml', Buffer.from(xml), `${aberta.nota.chave}.xml`)
}

/** Whether the address is that consultation's. A plus sign in it arrives as a space. */
function isDesta({ consulta }: PedidoNacional, a: string): boolean {
  const parametro = (nome: string): string => consulta.get(nome)?.replaceAll(' ', '+') ?? ''
  return (
    parametro('tipoConsulta') === 'resumo' &&
    parametro('a') === a &&
    parametro('lp') === Buffer.from(a).toString('base64')
  )
}

/** A company's establishments count as one, by the CNPJ's first eight characters: an assumption. */
function releases(nota: Nota, chamador: Chamador, livro: Livro): boolean {
  const mesmo = (quem: Chamador | undefined): boolean =>
    quem?.tipo === chamador.tipo && raiz(quem) === raiz(chamador)
  const { emitente, destinatario, transportador, autorizados, cenario } = nota
  const takesPart = [emitente, destinatario, transportador, ...autorizados].some(mesmo)
  if (!takesPart || cenario.portal === 'nega') return false
  const wantsManifestacao = cenario.portal === 'exige-manifestacao' && mesmo(destinatario)
  return !wantsManifestacao || liberadaPorEvento(nota, livro)
}

const raiz = ({ tipo, documento }: Chamador): string => (tipo === 'cnpj' ? documento.slice(0, 8) : documento)

async function writeArquivoDoPortal(nota: Nota, write: WriteNfeProc): Promise<string> {
  const { portal } = nota.cenario
  const defeito = typeof portal === 'object' && portal.tipo === 'documento' ? portal.defeito : undefined
  if (defeito === 'vazio') return ''
  return rewrite(await writeWithDefeito(defeito, nota, write))
}

/**
 * The portal puts `Id` before `versao` and drops the XML declaration (a report of 2012); the signature holds.
 */
const rewrite = (xml: string): string =>
  xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(/<infNFe (versao="[^"]*") (Id="[^"]*")>/, '<infNFe $2 $1>')
    .replace(/(<protNFe\b[^>]*?) xmlns="[^"]*"/, '$1')

const BAIXAR = nomeDe('btnDownload')
const COMPLETA = nomeDe('btnConsultaCompleta')
const AVISO = 'Para fazer o download do documento é necessário um certificado digital. Deseja continuar?'
const SITUACAO = { autorizada: 'Autorizada', cancelada: 'Cancelada', denegada: 'Denegada' } as const

/** That the button is answered by a redirect is a guess: open clients only tell of a GET of that address. */
function showResumo(pedido: PedidoNacional): Mensagem {
  const { consulta } = pedido.sessao.dados
  if (!consulta) return redirectTo(`consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=${TIPO_CONTEUDO}`)
  if (pedido.metodo !== 'POST') return telaDoResumo(pedido, consulta.nota)
  if (!checkTrio(pedido, 'resumo')) return pedido.expirada()
  if (pedido.campos.has(COMPLETA)) return redirectTo('consultaCompleta.aspx')
  if (!pedido.campos.has(BAIXAR)) return telaDoResumo(pedido, consulta.nota)
  const { a } = consulta
  const lp = Buffer.from(a).toString('base64')
  // As the real addresses go (2025): neither `+` nor `/` nor `=` escaped, and a space where the contents have
  // a plus.
  const conteudo = TIPO_CONTEUDO.replace('+', '%20')
  return redirectTo(`downloadNFe.aspx?tipoConsulta=resumo&a=${a}&tipoConteudo=${conteudo}&lp=${lp}`)
}

function telaDoResumo(pedido: PedidoNacional, nota: Nota): Mensagem {
  const confirma = `return confirm('${AVISO}');`
  return paginaWebForms(pedido, {
    titulo: TITULO,
    etapa: 'resumo',
    conteudo: [
      '<div id="conteudoDinamico"><h2>Resumo da NF-e</h2>',
      elemento('div', { class: 'XSLTNFeResumida' }, summarize(nota).map(linha).join('\n')),
      botao(COMPLETA, 'Consulta Completa', { id: idDe(COMPLETA, true) }),
      botao(BAIXAR, 'Download do documento', { id: idDe(BAIXAR, true), onclick: confirma }),
      '</div>',
    ].join('\n'),
  })
}

const linha = ([rotulo, valor]: Par): string =>
  `<div class="rowTP01"><div class="wID50"><label>${escapeXml(rotulo)}</label><p>${escapeXml(valor)}</p></div></div>`

function summarize(nota: Nota): Par[] {
  const { chave, emitente, destinatario, autorizacao, situacao } = nota
  const [dia = '', hora = ''] = horaDeBrasilia(autorizacao).split('T')
  return [
    ['Chave de Acesso', chave],
    ['Número NF-e', String(Number(chave.slice(25, 34)))],
    ['Data de Emissão', `${dataBrasileira(dia)} ${hora}-03:00`],
    ['Emitente', `${maskDocumento(emitente.documento)} ${emitente.nome}`],
    ['Destinatário', `${maskDocumento(destinatario.documento)} ${destinatario.nome}`],
    ['Valor Total da Nota Fiscal', reais(valoresDa(nota).total).replace('.', ',')],
    ['Protocolo de Autorização', protocoloDe(nota)],
    ['Situação da NF-e', SITUACAO[situacao]],
  ]
}

const HOSTS = ['www.nfe.fazenda.gov.br', 'hom.nfe.fazenda.gov.br']
const PASTA = '/portal/'
const DOWNLOAD = 'downloadnfe.aspx'
const SESSAO = 'ASP.NET_SessionId'

/** The portal's own words, of all its consultations (open clients, since 2012). */
const INEXISTENTE = 'NF-e INEXISTENTE na base nacional, favor consultar esta NF-e no site da SEFAZ de origem.'
const SEM_CERTIFICADO = writePagina(403, '403.7 - Forbidden: SSL client certificate is required.')

export type MeiosDoPortal = Opcoes & { captchas: Captchas; livro: Livro; writeNfeProc: WriteNfeProc }

type Casa = { meios: MeiosDoPortal; sessoes: Sessoes<Visita>; openCaptcha: OpenCaptcha }

/**
 * The national portal as far as the download of a note. Names and addresses are those of open clients (2025,
 * 2026).
 */
export function createPortalNacional(meios: MeiosDoPortal): Autoridade {
  const novaSessao = (): Visita => ({ consulta: undefined })
  const casa: Casa = {
    meios,
    sessoes: createSessoes({ sessao: { em: 'cookie' }, novaSessao }, meios.agora),
    openCaptcha: meios.captchas.doPortal({ nome: 'BR/nfe', tipo: 'hcaptcha', hosts: HOSTS }),
  }
  return {
    nome: 'Portal nacional da NF-e',
    hosts: HOSTS,
    asksCertificado: false,
    asksCertificadoAt: (caminho) => paginaDe(caminho) === DOWNLOAD,
    serves: (caminho) => caminho.toLowerCase().startsWith(PASTA),
    answer: (pedido, resposta) => answer(casa, pedido, resposta),
  }
}

const paginaDe = (caminho: string): string => caminho.slice(PASTA.length).toLowerCase()

async function answer(casa: Casa, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const pagina = paginaDe(cru.caminho)
  // IIS asks for the certificate before ASP.NET looks for a cookie.
  if (pagina === DOWNLOAD && !cru.chamador) return send(SEM_CERTIFICADO, resposta)
  const lido = readPedido(cru, ESCRITA)
  const redirecionado = detectCookies(ESCRITA, { ...cru, ...lido })
  if (redirecionado) return send(redirecionado, resposta)
  const sessao = casa.sessoes.open(lido.cookies.get(SESSAO))
  if (sessao.nova) resposta.setHeader('set-cookie', `${SESSAO}=${sessao.id}; path=/; HttpOnly; SameSite=Lax`)
  const { pedido, efeito } = build(casa, { ...cru, ...lido, sessao })
  const { meios } = casa
  const answer = (este: PedidoNacional) => openPagina(pagina, este, meios)
  const mensagem = await composeMensagem({ ...ESCRITA, captcha: 'hcaptcha', answer: answer }, pedido, efeito)
  const fio = composeFio(efeito, mensagem, ESCRITA)
  sendWithEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

function build(
  { openCaptcha }: Casa,
  visto: Pedido & Pick<PedidoNacional, 'campos' | 'sessao'>,
): { pedido: PedidoNacional; efeito: Efeito | undefined } {
  const { campos, sessao, host, caminho, chamador } = visto
  const campo = (nome: string): string => campos.get(nome)?.trim() ?? ''
  const chave = chaveDigitada({ campo })
  const nota = chave === '' ? sessao.dados.consulta?.nota : notaDe(chave)
  // The scenario of the note; where that has nothing to say, of the certificate: at the download, for it
  // comes with no other page.
  const cenarios = [nota?.cenario, chamador && doTitular(chamador.documento)].filter((um) => um !== undefined)
  const efeito = cenarios.map((um) => efeitoNa(paginaDe(caminho), um)).find((um) => um !== undefined)
  const pedido: PedidoNacional = {
    ...visto,
    campo,
    nota,
    captcha: openCaptcha({ sessao: sessao.id, host, recusa: () => efeito?.tipo === 'captcha' }),
    pagina: (titulo, corpo, opcoes) => writeHtml(ESCRITA, titulo, corpo, opcoes),
    expirada: () => estadoInvalido(pedido),
  }
  return { pedido, efeito }
}

function openPagina(
  pagina: string,
  pedido: PedidoNacional,
  meios: MeiosDoPortal,
): Mensagem | Promise<Mensagem> {
  switch (pagina) {
    case 'consultarecaptcha.aspx':
      return query(pedido)
    case 'consultaresumo.aspx':
      return showResumo(pedido)
    case DOWNLOAD:
      return download(pedido, meios)
    case 'inexistente_resumo.aspx':
      return notify(pedido, INEXISTENTE)
    case 'erro.aspx':
      return notify(
        pedido,
        'Ocorreu um erro no processamento da sua solicitação. Tente novamente mais tarde.',
      )
    default:
      return recursoAusente(pedido)
  }
}

/** The effects that replace the page where the key is typed in; all others show at the download. */
const DE_PAGINA: readonly Efeito['tipo'][] = ['layout', 'waf', 'sessao-velha', 'fechado', 'captcha']

function efeitoNa(pagina: string, { portal }: Pick<Cenario, 'portal'>): Efeito | undefined {
  if (portal === 'captcha-recusado') return { tipo: 'captcha', quando: 'recusado' }
  if (typeof portal === 'string') return undefined
  switch (portal.tipo) {
    case 'codigo':
    case 'envelope':
    case 'registra-e-cai':
    case 'documento':
      return undefined
  }
  const onde = DE_PAGINA.includes(portal.tipo) ? 'consultarecaptcha.aspx' : 'downloadnfe.aspx'
  return pagina === onde ? portal : undefined
}
