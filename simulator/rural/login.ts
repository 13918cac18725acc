import type { ServerResponse } from 'node:http'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import { enviar, type Mensagem } from '../platform/mensagem.ts'
import { lerPedido } from '../portal/ler.ts'
import { irPara, paginaDeLogin } from './paginas.ts'
import type { Selo } from './selo.ts'
import { novaSessao, temLogin } from './sessao.ts'

export const HOST = 'sigef.incra.gov.br'
/** Where SIGEF sends who has no session. */
export const ENTRADA = '/oauth2/authorization/govbr'

const SSO = 'sso.acesso.gov.br'
const VOLTA = '/login/oauth2/code/govbr'

/** A login that began, and the code that ends it, are good for so long. */
const PRAZO_MS = 120_000

/** The login of gov.br: it sends back who has its cookies, and shows its form to all others. */
export function criarGovBr({ agora, selo }: Opcoes & { selo: Selo }): Autoridade {
  return {
    nome: 'gov.br, acesso único',
    hosts: [SSO],
    pedeCertificado: false,
    responder: (pedido, resposta) => enviar(responder(pedido, selo, agora()), resposta),
  }
}

function responder(pedido: Pedido, selo: Selo, agora: Date): Mensagem {
  const { caminho, consulta } = pedido
  if (caminho === '/login') return paginaDeLogin()
  const nosso = consulta.get('redirect_uri') === `https://${HOST}${VOLTA}`
  if (caminho !== '/authorize' || !nosso) return escreverPagina(404, 'Not Found')
  const { cookies } = lerPedido(pedido, { charset: 'utf-8', motor: 'java' })
  if (!temLogin(selo, cookies, agora))
    return irPara(
      `https://${SSO}/login?client_id=${HOST}&authorization_id=${selo.emitir('visita', depois(agora))}`,
    )
  const volta = new URLSearchParams({
    code: selo.emitir('codigo', depois(agora)),
    state: consulta.get('state') ?? '',
  })
  return irPara(`https://${HOST}${VOLTA}?${volta}`)
}

/** The first step of a login at SIGEF: to gov.br. */
export function iniciarLogin(selo: Selo, agora: Date): Mensagem {
  const pergunta = new URLSearchParams({
    response_type: 'code',
    client_id: HOST,
    scope: 'openid email phone profile govbr_confiabilidades',
    state: selo.emitir('state', depois(agora)),
    redirect_uri: `https://${HOST}${VOLTA}`,
    nonce: selo.emitir('nonce', depois(agora)),
  })
  return irPara(`https://${SSO}/authorize?${pergunta}`)
}

/** The last step: a new session for who comes back with a code; the login again for all others. */
export function voltarDoLogin(
  selo: Selo,
  consulta: URLSearchParams,
  agora: Date,
  resposta: ServerResponse,
): Mensagem {
  const vale = (uso: string, nome: string) => selo.conferir(uso, consulta.get(nome) ?? '', agora) === 'vale'
  if (!vale('codigo', 'code') || !vale('state', 'state')) return irPara(ENTRADA)
  resposta.setHeader('set-cookie', novaSessao(selo, agora))
  return irPara('/')
}

const depois = (agora: Date): Date => new Date(agora.getTime() + PRAZO_MS)
