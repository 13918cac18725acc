import type { ServerResponse } from 'node:http'
import type { Efeito } from '../mundo/comportamento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import { enviar, type Mensagem } from '../platform/mensagem.ts'
import type { AbrirCaptcha, Captchas } from '../portal/captcha.ts'
import { detectarCookies } from '../portal/deteccao.ts'
import { comporFio, comporMensagem } from '../portal/efeito.ts'
import { lerPedido } from '../portal/ler.ts'
import { escreverHtml } from '../portal/mensagem.ts'
import { criarSessoes, type Sessoes } from '../portal/sessao.ts'
import { estadoInvalido, recursoAusente } from '../portal/webforms.ts'
import type { Cenario } from './cenario.ts'
import { doTitular } from './cenarios.ts'
import { chaveDigitada, consultar } from './consulta.ts'
import { baixar } from './download.ts'
import type { Livro } from './nota.ts'
import { notaDe } from './notas.ts'
import { avisar, ESCRITA, type PedidoNacional, type Visita } from './pedido.ts'
import { mostrarResumo } from './portal-resumo.ts'
import type { EscreverNfeProc } from './proc.ts'

const HOSTS = ['www.nfe.fazenda.gov.br', 'hom.nfe.fazenda.gov.br']
const PASTA = '/portal/'
const DOWNLOAD = 'downloadnfe.aspx'
const SESSAO = 'ASP.NET_SessionId'

/** The portal's own words, of all its consultations (open clients, since 2012). */
const INEXISTENTE = 'NF-e INEXISTENTE na base nacional, favor consultar esta NF-e no site da SEFAZ de origem.'
const SEM_CERTIFICADO = escreverPagina(403, '403.7 - Forbidden: SSL client certificate is required.')

/** What the national portal answers by. */
export type MeiosDoPortal = Opcoes & { captchas: Captchas; livro: Livro; escreverNfeProc: EscreverNfeProc }

type Casa = { meios: MeiosDoPortal; sessoes: Sessoes<Visita>; abrirCaptcha: AbrirCaptcha }

/**
 * The national portal of the NF-e, as far as the download of a note: key and hCaptcha, summary, and the file,
 * for which alone the certificate is asked. It is described nowhere: names and addresses are those that open
 * clients use (2025 and 2026).
 */
export function criarPortalNacional(meios: MeiosDoPortal): Autoridade {
  const novaSessao = (): Visita => ({ consulta: undefined })
  const casa: Casa = {
    meios,
    sessoes: criarSessoes({ sessao: { em: 'cookie' }, novaSessao }, meios.agora),
    abrirCaptcha: meios.captchas.doPortal({ nome: 'BR/nfe', tipo: 'hcaptcha', hosts: HOSTS }),
  }
  return {
    nome: 'Portal nacional da NF-e',
    hosts: HOSTS,
    pedeCertificado: false,
    pedeCertificadoEm: (caminho) => paginaDe(caminho) === DOWNLOAD,
    atende: (caminho) => caminho.toLowerCase().startsWith(PASTA),
    responder: (pedido, resposta) => responder(casa, pedido, resposta),
  }
}

function paginaDe(caminho: string): string {
  return caminho.slice(PASTA.length).toLowerCase()
}

async function responder(casa: Casa, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const pagina = paginaDe(cru.caminho)
  // IIS asks for the certificate before ASP.NET looks for a cookie.
  if (pagina === DOWNLOAD && !cru.chamador) return enviar(SEM_CERTIFICADO, resposta)
  const lido = lerPedido(cru, ESCRITA)
  const redirecionado = detectarCookies(ESCRITA, { ...cru, ...lido })
  if (redirecionado) return enviar(redirecionado, resposta)
  const sessao = casa.sessoes.abrir(lido.cookies.get(SESSAO))
  if (sessao.nova) resposta.setHeader('set-cookie', `${SESSAO}=${sessao.id}; path=/; HttpOnly; SameSite=Lax`)
  const { pedido, efeito } = montar(casa, { ...cru, ...lido, sessao })
  const { meios } = casa
  const atender = (este: PedidoNacional) => abrir(pagina, este, meios)
  const mensagem = await comporMensagem(
    { ...ESCRITA, captcha: 'hcaptcha', responder: atender },
    pedido,
    efeito,
  )
  const fio = comporFio(efeito, mensagem, ESCRITA)
  enviarComEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

/** The request as the pages see it, and what goes wrong with the note that it is about. */
function montar(
  { abrirCaptcha }: Casa,
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
    captcha: abrirCaptcha({ sessao: sessao.id, host, recusa: () => efeito?.tipo === 'captcha' }),
    pagina: (titulo, corpo, opcoes) => escreverHtml(ESCRITA, titulo, corpo, opcoes),
    expirada: () => estadoInvalido(pedido),
  }
  return { pedido, efeito }
}

function abrir(pagina: string, pedido: PedidoNacional, meios: MeiosDoPortal): Mensagem | Promise<Mensagem> {
  switch (pagina) {
    case 'consultarecaptcha.aspx':
      return consultar(pedido)
    case 'consultaresumo.aspx':
      return mostrarResumo(pedido)
    case DOWNLOAD:
      return baixar(pedido, meios)
    case 'inexistente_resumo.aspx':
      return avisar(pedido, INEXISTENTE)
    case 'erro.aspx':
      return avisar(
        pedido,
        'Ocorreu um erro no processamento da sua solicitação. Tente novamente mais tarde.',
      )
    default:
      return recursoAusente(pedido)
  }
}

/**
 * The effects that put another page in the place of one: they show where the key is typed in, all others at
 * the download.
 */
const DE_PAGINA: readonly Efeito['tipo'][] = ['layout', 'waf', 'sessao-velha', 'fechado', 'captcha']

/** What goes wrong on a page of the portal in a scenario; undefined where the answer is right. */
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
