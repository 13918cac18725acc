import { corpoDaCertidao, octetosDoPdf } from '../certidao/papel.ts'
import type { Pedido } from '../platform/autoridade.ts'
import type { AbrirCaptcha } from './captcha.ts'
import type { Definicao, MeiosDoPortal } from './definicao.ts'
import { lerPedido } from './ler.ts'
import { escreverArquivo, escreverHtml, escreverJson, escreverTexto, redirecionar } from './mensagem.ts'
import type { PedidoPortal } from './pedido.ts'
import { certidaoDe, procurar } from './registro.ts'
import type { Sessoes } from './sessao.ts'

/** The parts that a request is put together from. `id` is the session's, if the path holds it. */
type Montagem<S> = {
  definicao: Definicao<S>
  sessoes: Sessoes<S>
  meios: MeiosDoPortal
  abrirCaptcha: AbrirCaptcha
  recusa: () => boolean
  id: string | undefined
}

/** A request as the portal's pages see it, and the cookies that its answer will set. */
export function montarPedido<S>(
  { definicao, sessoes, meios, abrirCaptcha, recusa, id }: Montagem<S>,
  cru: Pedido,
): { pedido: PedidoPortal<S>; cookies: string[] } {
  const { uf, sessao: lugar } = definicao
  const lido = lerPedido(cru, definicao)
  const sessao = sessoes.abrir(lugar.em === 'cookie' ? lido.cookies.get(lugar.nome) : id)
  const cookies = lugar.em === 'cookie' && sessao.nova ? [`${lugar.nome}=${sessao.id}; path=/; HttpOnly`] : []
  const agora = meios.agora()
  const pedido: PedidoPortal<S> = {
    ...cru,
    ...lido,
    campo: (nome) => lido.campos.get(nome)?.trim() ?? '',
    porCookie: (cookie) => cookies.push(cookie),
    agora,
    ritmo: meios.ritmo ?? 1,
    sessao,
    captcha: abrirCaptcha({ sessao: sessao.id, host: cru.host, recusa }),
    procurar: (pergunta) => procurar(uf, pergunta),
    certidao: (pergunta) => certidaoDe(uf, pergunta, agora),
    pagina: (titulo, corpo, opcoes) => escreverHtml(definicao, titulo, corpo, opcoes),
    texto: (tipo, corpo, status) => escreverTexto(definicao, tipo, corpo, status),
    responderJson: (valor, status) => escreverJson(definicao, valor, status),
    redirecionar: (para) => redirecionar(definicao, para),
    pdf: async (certidao, { tipo = 'application/pdf', nome } = {}) =>
      escreverArquivo(definicao, tipo, await octetosDoPdf(certidao), nome),
    paginaDaCertidao: (certidao, titulo) => {
      const pagina = escreverHtml(definicao, titulo, corpoDaCertidao(certidao))
      // A broken one ends in the middle.
      const inteira = certidao.papel !== 'corrompido'
      return inteira ? pagina : { ...pagina, corpo: pagina.corpo.subarray(0, pagina.corpo.length - 100) }
    },
    octetosDoPdf,
    expirada: () =>
      definicao.expirada?.(pedido) ??
      escreverHtml(definicao, 'Sessão expirada', '<h2>Sua sessão expirou.</h2><p>Reinicie a consulta.</p>'),
  }
  return { pedido, cookies }
}
