import { sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import type { Pedido } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { AbrirCaptcha } from '../portal/captcha.ts'
import type { Lido } from '../portal/ler.ts'
import { escreverJson } from '../portal/mensagem.ts'
import type { Sessao } from '../portal/sessao.ts'
import { emBrasilia } from './certidao.ts'
import type { Livro } from './livro.ts'

/** How the API writes. */
export const ESCRITA = { charset: 'utf-8', motor: 'spa' } as const

/** What the portal keeps of a visitor: the CNPJ of his issuance, and the CNPJ of each search by its id. */
export type Visita = { emissao: string; consultas: Map<string, string> }

/** A request as the calls of the API see it. */
export type PedidoFederal = {
  campos: Lido['campos']
  /** The `ni` of the body, or that of the visitor's last question. */
  ni: string
  /** The visitor, where his cookie is still good. */
  sessao: Sessao<Visita> | undefined
  /** Begins a visit: its cookie goes with the answer. */
  entrar: () => Sessao<Visita>
  captcha: ReturnType<AbrirCaptcha>
  /** The site keys of the portal's widgets. */
  chaves: readonly string[]
  cabecalhos: Pedido['cabecalhos']
  livro: Livro
  agora: Date
}

/** An answer in JSON. */
export const responderJson = (valor: unknown, status = 200): Mensagem => escreverJson(ESCRITA, valor, status)

/** The refusal of a captcha's token; with what its absence is called, that of a visitor without session. */
export function recusarToken(
  statusValidacao: 'CaptchaFalhaValidacao' | 'CaptchaTokenNaoInformado',
): Mensagem {
  return responderJson({ statusValidacao, codigo: '023' }, 400)
}

/** The refusal of a request's token; undefined when it is good. Right or wrong, it is used up. */
export function conferirCaptcha({ captcha, cabecalhos, chaves }: PedidoFederal): Mensagem | undefined {
  const token = cabecalhos['x-captcha-token']
  if (typeof token !== 'string' || token === '') return recusarToken('CaptchaTokenNaoInformado')
  return captcha.conferirToken(token, chaves) ? undefined : recusarToken('CaptchaFalhaValidacao')
}

/** The refusal of a body that names no company; undefined when it does. */
export function conferirCorpo({ campos, ni }: PedidoFederal): Mensagem | undefined {
  if (campos.get('tipoContribuinte') === 'PJ' && tipoDoDocumento(ni) === 'cnpj') return undefined
  return responderJson({ statusValidacao: 'NiInvalido' }, 400)
}

/** A message as a text, or with its hour: clients met both. The CNPJ chooses. */
export function escreverMensagem({ ni, agora }: PedidoFederal, texto: string): unknown {
  const { dia, hora } = emBrasilia(agora.getTime())
  return sementeDe(ni) % 2 === 0 ? { texto, data: `${dia}T${hora}` } : texto
}

/** The banner of an error, with its number and hour. */
export function banner({ agora }: PedidoFederal, numero: string): string {
  const { dia, hora } = emBrasilia(agora.getTime())
  const quando = `${dia.split('-').reverse().join('/')} ${hora}`
  return `Não foi possível concluir a ação para o contribuinte informado. Por favor, tente novamente dentro de alguns minutos. ${numero} - ${quando}`
}
