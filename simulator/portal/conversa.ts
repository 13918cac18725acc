import type { Certidao } from '../certidao/certidao.ts'
import { cleanDocumento, tipoDoDocumento } from '../documento/documento.ts'
import { checkInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/uf.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import type { PedidoPortal } from './pedido.ts'

export type Exigencias = Readonly<Record<string, string | RegExp>>

/** The kinds of document by the code that a page gives them. */
export const tiposPor = (codigos: Readonly<Record<string, Pergunta['tipo']>>) =>
  new Map<string, Pergunta['tipo']>(Object.entries(codigos))

export const naoHa = <S>(pedido: PedidoPortal<S>, corpo = '404'): Mensagem =>
  pedido.pagina('Erro 404', `<h1>${corpo}</h1>`, { status: 404 })

/** A document as its form's mask writes it. */
export const COM_MASCARA = {
  cnpj: /^[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}$/,
  cpf: /^\d{3}\.\d{3}\.\d{3}-\d{2}$/,
} as const

/** The first of the fields that did not come or holds something else; undefined when all are right. */
export const campoErrado = (campos: ReadonlyMap<string, string>, exigidos: Exigencias): string | undefined =>
  Object.entries(exigidos).find(([nome, quer]) => {
    const veio = campos.get(nome)
    return veio === undefined || (typeof quer === 'string' ? veio !== quer : !quer.test(veio))
  })?.[0]

/** The question in the only field that is filled in. Undefined when none is, or several are. */
export function unicaPreenchida(
  { campo }: { campo: (nome: string) => string },
  campos: Partial<Record<Pergunta['tipo'], string>>,
): Pergunta | undefined {
  const perguntas = (['cnpj', 'cpf', 'ie'] as const).flatMap((tipo) => {
    const nome = campos[tipo]
    const documento = nome === undefined ? '' : campo(nome)
    return documento === '' ? [] : [{ tipo, documento }]
  })
  return perguntas.length === 1 ? perguntas[0] : undefined
}

/** A bare CPF or CNPJ, told apart by its length. */
export const perguntaDeDocumento = (documento: string): Pergunta => ({
  tipo: documento.length === 11 ? 'cpf' : 'cnpj',
  documento,
})

/** Why a page does not take a document, in the usual words; undefined when its check digits are right. */
export function recusaDoDocumento(uf: Uf, { tipo, documento }: Pergunta): string | undefined {
  const numero = cleanDocumento(documento)
  if (tipo === 'ie') return checkInscricao(uf, numero) ? undefined : 'Inscrição Estadual inválida'
  return tipoDoDocumento(numero) === tipo ? undefined : `${tipo.toUpperCase()} inválido`
}

export const invalido = ({ tipo }: Pergunta): string =>
  tipo === 'ie' ? 'Inscrição Estadual inválida' : `${tipo.toUpperCase()} inválido`

/** The checks before the search. Their order is a fact of each state. */
type Conferencia = 'sessao' | 'campos' | 'captcha' | 'documento'

type Dito = string | Mensagem

/** How a portal receives a question. A check that is left out is not made. */
type Recepcao<S> = {
  ordem: readonly Conferencia[]
  /** Whether the session's token is right; otherwise the portal's page for a session that is gone. */
  sessao?: (pedido: PedidoPortal<S>) => boolean
  campos?: (pedido: PedidoPortal<S>) => Dito | undefined
  captcha?: {
    fits: (pedido: PedidoPortal<S>) => boolean | Promise<boolean>
    errado: string | ((pedido: PedidoPortal<S>) => Dito)
  }
  pergunta: (pedido: PedidoPortal<S>) => Pergunta | undefined
  recusa?: (pergunta: Pergunta, pedido: PedidoPortal<S>) => Dito | undefined
  notify: (pedido: PedidoPortal<S>, aviso: string) => Mensagem
}

export type ConversaDeCadastro<S> = Recepcao<S> & {
  ninguem: string | ((pedido: PedidoPortal<S>) => Dito)
  /** The registrations that are shown, of those found; left out, all. */
  mostradas?: (achada: Ocorrencia, pedido: PedidoPortal<S>) => boolean
  draw: (pedido: PedidoPortal<S>, achadas: readonly [Ocorrencia, ...Ocorrencia[]]) => Mensagem
}

type ConversaDeCertidao<S> = Recepcao<S> & {
  /** The words instead of a certificate. An outcome without words here is delivered. */
  mensagens?: Partial<Record<Certidao['desfecho'], string | ((certidao: Certidao) => string)>>
  deliver: (pedido: PedidoPortal<S>, certidao: Certidao) => Mensagem | Promise<Mensagem>
}

type ComCaptcha = Pick<PedidoPortal<unknown>, 'captcha' | 'campo'>

export const porTexto = <E>(nome: string, errado: E) => ({
  fits: ({ captcha, campo }: ComCaptcha) => captcha.checkTexto(campo(nome)),
  errado,
})

export const porToken = <E>(nome: string, errado: E) => ({
  fits: ({ captcha, campo }: ComCaptcha) => captcha.checkToken(campo(nome)),
  errado,
})

/** Says of a certificate what stands against it, in the register's own words. */
export const peloMotivo = ({ motivo }: Certidao): string => motivo

type Conversa<S> = (pedido: PedidoPortal<S>) => Promise<Mensagem>

export function conversaDeCadastro<S>(conversa: ConversaDeCadastro<S>): Conversa<S> {
  const { ninguem, mostradas = () => true, draw } = conversa
  return async (pedido) => {
    const recebida = await receive(pedido, conversa)
    if (!('documento' in recebida)) return recebida.mensagem
    const [primeira, ...outras] = pedido.search(recebida).filter((achada) => mostradas(achada, pedido))
    if (primeira) return draw(pedido, [primeira, ...outras])
    return say(pedido, conversa, typeof ninguem === 'string' ? ninguem : ninguem(pedido))
  }
}

export const conversaDeCertidao =
  <S>(conversa: ConversaDeCertidao<S>): Conversa<S> =>
  async (pedido) => {
    const recebida = await receive(pedido, conversa)
    if (!('documento' in recebida)) return recebida.mensagem
    const certidao = pedido.certidao(recebida)
    const mensagem = conversa.mensagens?.[certidao.desfecho]
    if (mensagem === undefined) return conversa.deliver(pedido, certidao)
    return conversa.notify(pedido, typeof mensagem === 'string' ? mensagem : mensagem(certidao))
  }

async function receive<S>(
  pedido: PedidoPortal<S>,
  conversa: Recepcao<S>,
): Promise<Pergunta | { mensagem: Mensagem }> {
  for (const conferencia of conversa.ordem) {
    const recusa = await check(conferencia, pedido, conversa)
    if (recusa !== undefined) return { mensagem: say(pedido, conversa, recusa) }
  }
  const pergunta = conversa.pergunta(pedido)
  if (!pergunta) throw new Error(`${pedido.uf}: the checks let a request pass that asks nothing`)
  return pergunta
}

const say = <S>(pedido: PedidoPortal<S>, { notify }: Pick<Recepcao<S>, 'notify'>, dito: Dito): Mensagem =>
  typeof dito === 'string' ? notify(pedido, dito) : dito

async function check<S>(
  conferencia: Conferencia,
  pedido: PedidoPortal<S>,
  conversa: Recepcao<S>,
): Promise<Dito | undefined> {
  const { sessao, campos, captcha, recusa } = conversa
  switch (conferencia) {
    case 'sessao':
      return !sessao || sessao(pedido) ? undefined : pedido.expirada()
    case 'campos':
      return campos?.(pedido)
    case 'captcha': {
      if (!captcha || (await captcha.fits(pedido))) return undefined
      return typeof captcha.errado === 'string' ? captcha.errado : captcha.errado(pedido)
    }
    case 'documento': {
      const pergunta = conversa.pergunta(pedido)
      if (!pergunta) return undefined
      return recusa ? recusa(pergunta, pedido) : recusaDoDocumento(pedido.uf, pergunta)
    }
  }
}
