import type { ServerResponse } from 'node:http'
import { corpoDaCertidao, octetosDoPdf } from '../certidao/papel.ts'
import type { Uf } from '../documento/uf.ts'
import { type Efeito, efeitoEm } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import { type Autoridade, type Mensagem, type Pedido, send } from '../platform/autoridade.ts'
import type { OpenCaptcha } from './captcha.ts'
import { readPedido, redirect, writeArquivo, writeHtml, writeJson, writeTexto } from './mensagem.ts'
import {
  createSessoes,
  type Definicao,
  type MeiosDoPortal,
  type PedidoPortal,
  type Sessoes,
} from './pedido.ts'
import { certidaoDe, findComportamentoEm, lookUp } from './registro.ts'

type CasaComEfeito<P> = Pick<Definicao, 'charset' | 'declaresCharset' | 'motor' | 'captcha'> & {
  answer: (pedido: P) => Mensagem | Promise<Mensagem>
  fechada?: (pedido: P) => Mensagem
  captchaInesperado?: (pedido: P) => Mensagem
}

/** The right answer, or the page that the effect puts in its place. */
export async function composeMensagem<P extends { expirada: () => Mensagem }>(
  definicao: CasaComEfeito<P>,
  pedido: P,
  efeito: Efeito | undefined,
): Promise<Mensagem> {
  switch (efeito?.tipo) {
    case 'sessao-velha':
      return pedido.expirada()
    case 'fechado':
      return definicao.fechada?.(pedido) ?? writeHtml(definicao, 'Serviço indisponível', FECHADO)
    case 'waf':
      return writeHtml(definicao, 'Acesso Negado', BLOQUEADO)
    case 'captcha':
      if (efeito.quando === 'recusado' || (definicao.captcha ?? 'nenhum') !== 'nenhum') break
      return definicao.captchaInesperado?.(pedido) ?? writeHtml(definicao, 'Verificação', VERIFICACAO)
    case 'layout':
      return change(definicao, await definicao.answer(pedido))
  }
  return definicao.answer(pedido)
}

/** Only text has a charset to mistake; a page in ISO-8859-1 is announced under another name. */
export function composeFio(
  efeito: Efeito | undefined,
  mensagem: Mensagem,
  { charset }: Pick<Definicao, 'charset'>,
): { efeito: Efeito | undefined; mensagem: Mensagem } {
  if (efeito?.tipo !== 'latin1') return { efeito, mensagem }
  const [tipo = ''] = (mensagem.cabecalhos['content-type'] ?? '').split(';')
  if (!TEXTO.test(tipo)) return { efeito: undefined, mensagem }
  if (charset === 'utf-8' || JSON_.test(tipo)) return { efeito, mensagem }
  const cabecalhos = { ...mensagem.cabecalhos, 'content-type': `${tipo}; charset=${efeito.declara}` }
  return { efeito: undefined, mensagem: { ...mensagem, cabecalhos } }
}

const JSON_ = /^application\/(?:[\w.-]+\+)?json$/
const TEXTO = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)$)/

const FECHADO =
  '<div class="aviso">Serviço disponível apenas em dias úteis, no horário das 06:00 às 21:00 horas.</div>'

const BLOQUEADO =
  '<h1>Acesso Negado</h1><p>Sua requisição foi bloqueada pela política de segurança desta instituição. ' +
  'A requisição foi bloqueada e registrada. Identificador do evento: 18446744073709551615.</p>'

const VERIFICACAO =
  '<form method="post"><p>Digite os caracteres da imagem para continuar:</p>' +
  '<img id="captcha" src="captcha.jpg" alt="captcha"><input type="text" name="captcha"><input type="submit" value="Continuar"></form>'

/** The new site: an empty shell that a script fills, or the same JSON under other names. */
function change(
  escrita: Pick<Definicao, 'charset' | 'declaresCharset' | 'motor'>,
  mensagem: Mensagem,
): Mensagem {
  const { cabecalhos, corpo } = mensagem
  if (JSON_.test(cabecalhos['content-type']?.split(';')[0] ?? '')) {
    const lido: unknown = JSON.parse(corpo.toString())
    return { ...mensagem, corpo: Buffer.from(JSON.stringify({ versao: '2.0', conteudo: rename(lido) })) }
  }
  const cabeca = '<meta name="viewport" content="width=device-width"><base href="/novo/">\n'
  return writeHtml(
    escrita,
    'Novo Portal de Serviços',
    '<app-root></app-root><script src="main.7f3a9c.js"></script>',
    { cabeca },
  )
}

function rename(valor: unknown): unknown {
  if (Array.isArray(valor)) return valor.map(rename)
  if (typeof valor !== 'object' || valor === null) return valor
  return Object.fromEntries(Object.values(valor).map((dentro, i) => [`campo${i + 1}`, rename(dentro)]))
}

type Casa<S> = {
  definicao: Definicao<S>
  sessoes: Sessoes<S>
  meios: MeiosDoPortal
  openCaptcha: OpenCaptcha
}

type Montagem<S> = Casa<S> & { recusa: () => boolean; id: string | undefined }

/** A request as the portal's pages see it, and the cookies that its answer will set. */
function buildPedido<S>(
  { definicao, sessoes, meios, openCaptcha, recusa, id }: Montagem<S>,
  cru: Pedido,
): { pedido: PedidoPortal<S>; cookies: string[] } {
  const { uf, sessao: lugar } = definicao
  const lido = readPedido(cru, definicao)
  const sessao = sessoes.open(lugar.em === 'cookie' ? lido.cookies.get(lugar.nome) : id)
  const cookies = lugar.em === 'cookie' && sessao.nova ? [`${lugar.nome}=${sessao.id}; path=/; HttpOnly`] : []
  const agora = meios.agora()
  const pedido: PedidoPortal<S> = {
    ...cru,
    ...lido,
    uf,
    campo: (nome) => lido.campos.get(nome)?.trim() ?? '',
    porCookie: (cookie) => cookies.push(cookie),
    agora,
    ritmo: meios.ritmo ?? 1,
    sessao,
    captcha: openCaptcha({ sessao: sessao.id, host: cru.host, recusa }),
    search: (pergunta) => lookUp(uf, pergunta),
    certidao: (pergunta) => certidaoDe(uf, pergunta, agora),
    pagina: (titulo, corpo, opcoes) => writeHtml(definicao, titulo, corpo, opcoes),
    texto: (tipo, corpo, status) => writeTexto(definicao, tipo, corpo, status),
    answerJson: (valor, status) => writeJson(definicao, valor, status),
    redirect: (para) => redirect(definicao, para),
    pdf: async (certidao, { tipo = 'application/pdf', nome } = {}) =>
      writeArquivo(definicao, tipo, await octetosDoPdf(certidao), nome),
    paginaDaCertidao: (certidao, titulo) => {
      const pagina = writeHtml(definicao, titulo, corpoDaCertidao(certidao))
      // A broken one ends in the middle.
      const inteira = certidao.papel !== 'corrompido'
      return inteira ? pagina : { ...pagina, corpo: pagina.corpo.subarray(0, pagina.corpo.length - 100) }
    },
    octetosDoPdf,
    expirada: () =>
      definicao.expirada?.(pedido) ??
      writeHtml(definicao, 'Sessão expirada', '<h2>Sua sessão expirou.</h2><p>Reinicie a consulta.</p>'),
  }
  return { pedido, cookies }
}

/** Which paths are a portal's, and how it answers: session, captcha, misbehaviour and all. */
function servePortal<S>(
  definicao: Definicao<S>,
  sessoes: Sessoes<S>,
  meios: MeiosDoPortal,
): Pick<Autoridade, 'serves' | 'answer'> {
  const { uf, servico, captcha: tipo = 'nenhum', widget: desenho, hosts } = definicao
  const openCaptcha = meios.captchas.doPortal({ nome: `${uf}/${servico}`, tipo, hosts, desenho })
  const { serves } = definicao
  return {
    ...(serves ? { serves: (caminho) => serves(splitSessao(definicao, caminho).caminho) } : {}),
    answer: (pedido, resposta) => answer({ definicao, sessoes, meios, openCaptcha }, pedido, resposta),
  }
}

async function answer<S>(casa: Casa<S>, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const { definicao, sessoes, meios } = casa
  const { caminho, id } = splitSessao(definicao, cru.caminho)
  if (definicao.sessao.em === 'caminho' && (id === undefined || !sessoes.exists(id))) {
    const consulta = cru.consulta.size > 0 ? `?${cru.consulta}` : ''
    send(redirect(definicao, `${sessoes.open(undefined).raiz}${caminho}${consulta}`), resposta)
    return
  }
  let efeito: Efeito | undefined
  const recusa = (): boolean => efeito?.tipo === 'captcha' && efeito.quando === 'recusado'
  const { pedido, cookies } = buildPedido({ ...casa, recusa, id }, { ...cru, caminho })
  const documento = definicao.documento(pedido)
  const comportamento = documento ? findComportamentoEm(definicao.uf, documento) : undefined
  efeito = efeitoEm(comportamento?.efeito, definicao.uf, definicao.servico)
  const mensagem = await composeMensagem(definicao, pedido, efeito)
  if (cookies.length > 0) resposta.setHeader('set-cookie', cookies)
  const fio = composeFio(efeito, mensagem, definicao)
  sendWithEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

function splitSessao(
  { sessao }: Pick<Definicao, 'sessao'>,
  caminho: string,
): { caminho: string; id: string | undefined } {
  const [, id, resto] = (sessao.em === 'caminho' && /^\/\(S\(([^)/]*)\)\)(\/.*)?$/.exec(caminho)) || []
  return id === undefined ? { caminho, id } : { caminho: resto ?? '/', id }
}

export type Portal = {
  uf: Uf
  servico: 'ie' | 'cnd'
  open: (meios: MeiosDoPortal) => Autoridade
}

/** The cookie of a session where a portal does not name its own. */
const COOKIES: Readonly<Record<Definicao['motor'], string>> = {
  asp: 'ASPSESSIONID',
  'asp.net': 'ASP.NET_SessionId',
  java: 'JSESSIONID',
  php: 'PHPSESSID',
  spa: 'JSESSIONID',
}

/** A portal as the file of its state tells it: UTF-8, and the usual cookie, where nothing else is said. */
type Descricao<S> = Omit<Definicao<S>, 'charset' | 'sessao'> &
  Partial<Pick<Definicao<S>, 'charset' | 'sessao'>>

export function portal(descricao: Omit<Descricao<undefined>, 'novaSessao'>): Portal
export function portal<S>(descricao: Descricao<S>): Portal
export function portal<S>(descricao: Omit<Descricao<S>, 'novaSessao'> & { novaSessao?: () => S }): Portal {
  const { charset = 'utf-8', sessao = { em: 'cookie', nome: COOKIES[descricao.motor] } } = descricao
  const novaSessao = descricao.novaSessao ?? (() => undefined as S)
  const definicao: Definicao<S> = { ...descricao, charset, sessao, novaSessao }
  const { uf, servico, nome, hosts } = definicao
  return {
    uf,
    servico,
    open: (meios) => {
      const sessoes = createSessoes(definicao, meios.agora)
      return { nome, hosts, asksCertificado: false, ...servePortal(definicao, sessoes, meios) }
    },
  }
}
