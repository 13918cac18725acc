import type { Mensagem } from '../gateway/mensagem.ts'
import type { Certidao } from '../mundo/certidao.ts'
import type { Ocorrencia } from '../mundo/contribuinte.ts'
import type { Uf } from '../mundo/inscricao/molde.ts'
import type { Pergunta } from '../mundo/pergunta.ts'
import { recusaDoDocumento } from './exigencia.ts'
import type { PedidoPortal } from './pedido.ts'

/** What a portal checks before it looks anybody up. The order is a fact of each state. */
type Conferencia = 'sessao' | 'campos' | 'captcha' | 'documento'

/** How a portal receives a question. A check that is left out is not made. */
type Recepcao<S> = {
  uf: Uf
  ordem: readonly Conferencia[]
  /** Whether the session's token is right; otherwise the portal's page for a session that is gone. */
  sessao?: (pedido: PedidoPortal<S>) => boolean
  /** What the page says when a field is missing or wrong; undefined when all are right. */
  campos?: (pedido: PedidoPortal<S>) => string | undefined
  /** Whether the captcha's answer is right, and what the page says when it is not. */
  captcha?: { confere: (pedido: PedidoPortal<S>) => boolean | Promise<boolean>; errado: string }
  /** What is asked; undefined when the fields carry no question. */
  pergunta: (pedido: PedidoPortal<S>) => Pergunta | undefined
  /** What the page says of a document that it does not take; left out, the usual words. */
  recusa?: (pergunta: Pergunta) => string | undefined
  /** The page that shows a message, usually the form again. */
  avisar: (pedido: PedidoPortal<S>, aviso: string) => Mensagem
}

/** A conversation about registrations. */
export type ConversaDeCadastro<S> = Recepcao<S> & {
  /** What the page says when nobody is found. */
  ninguem: string | ((pedido: PedidoPortal<S>) => Mensagem)
  desenhar: (pedido: PedidoPortal<S>, achadas: readonly [Ocorrencia, ...Ocorrencia[]]) => Mensagem
}

/** A conversation about a certificate. */
export type ConversaDeCertidao<S> = Recepcao<S> & {
  /** What the page says instead of a certificate. An outcome without words here is delivered on paper. */
  mensagens: Partial<Record<Certidao['desfecho'], string>>
  entregar: (pedido: PedidoPortal<S>, certidao: Certidao) => Mensagem | Promise<Mensagem>
}

/** Answers the form that asks for registrations: checks in the state's order, finds, draws. */
export async function conversaDeCadastro<S>(
  pedido: PedidoPortal<S>,
  conversa: ConversaDeCadastro<S>,
): Promise<Mensagem> {
  const recebida = await receber(pedido, conversa)
  if (!('documento' in recebida)) return recebida.mensagem
  const [primeira, ...outras] = pedido.procurar(recebida)
  if (primeira) return conversa.desenhar(pedido, [primeira, ...outras])
  const { ninguem } = conversa
  return typeof ninguem === 'string' ? conversa.avisar(pedido, ninguem) : ninguem(pedido)
}

/** Answers the form that asks for a certificate: checks in the state's order, issues, delivers. */
export async function conversaDeCertidao<S>(
  pedido: PedidoPortal<S>,
  conversa: ConversaDeCertidao<S>,
): Promise<Mensagem> {
  const recebida = await receber(pedido, conversa)
  if (!('documento' in recebida)) return recebida.mensagem
  const certidao = pedido.certidao(recebida)
  const mensagem = conversa.mensagens[certidao.desfecho]
  return mensagem ? conversa.avisar(pedido, mensagem) : conversa.entregar(pedido, certidao)
}

/** The question, or the page that refuses it. */
async function receber<S>(
  pedido: PedidoPortal<S>,
  conversa: Recepcao<S>,
): Promise<Pergunta | { mensagem: Mensagem }> {
  for (const conferencia of conversa.ordem) {
    const recusa = await conferir(conferencia, pedido, conversa)
    if (recusa) return { mensagem: recusa }
  }
  const pergunta = conversa.pergunta(pedido)
  if (!pergunta) throw new Error(`${conversa.uf}: the checks let a request pass that asks nothing`)
  return pergunta
}

async function conferir<S>(
  conferencia: Conferencia,
  pedido: PedidoPortal<S>,
  conversa: Recepcao<S>,
): Promise<Mensagem | undefined> {
  const { uf, sessao, campos, captcha, avisar } = conversa
  const dizer = (aviso: string | undefined): Mensagem | undefined =>
    aviso === undefined ? undefined : avisar(pedido, aviso)
  switch (conferencia) {
    case 'sessao':
      return !sessao || sessao(pedido) ? undefined : pedido.expirada()
    case 'campos':
      return dizer(campos?.(pedido))
    case 'captcha':
      return !captcha || (await captcha.confere(pedido)) ? undefined : avisar(pedido, captcha.errado)
    case 'documento': {
      const { recusa = (pergunta: Pergunta) => recusaDoDocumento(uf, pergunta) } = conversa
      const pergunta = conversa.pergunta(pedido)
      return pergunta && dizer(recusa(pergunta))
    }
  }
}
