import type { Efeito } from '../mundo/comportamento.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { Definicao } from './definicao.ts'
import { escreverHtml } from './mensagem.ts'

/** A portal whose answers an effect may spoil. `P` is a request as its pages see it. */
type Casa<P> = Pick<Definicao, 'charset' | 'declaraCharset' | 'motor' | 'captcha'> & {
  responder: (pedido: P) => Mensagem | Promise<Mensagem>
  fechada?: (pedido: P) => Mensagem
  captchaInesperado?: (pedido: P) => Mensagem
}

/**
 * The right answer, or the page that the effect puts in its place; what goes wrong on the wire comes after.
 */
export async function comporMensagem<P extends { expirada: () => Mensagem }>(
  definicao: Casa<P>,
  pedido: P,
  efeito: Efeito | undefined,
): Promise<Mensagem> {
  switch (efeito?.tipo) {
    case 'sessao-velha':
      return pedido.expirada()
    case 'fechado':
      return definicao.fechada?.(pedido) ?? escreverHtml(definicao, 'Serviço indisponível', FECHADO)
    case 'waf':
      return escreverHtml(definicao, 'Acesso Negado', BLOQUEADO)
    case 'captcha':
      if (efeito.quando === 'recusado' || (definicao.captcha ?? 'nenhum') !== 'nenhum') break
      return definicao.captchaInesperado?.(pedido) ?? escreverHtml(definicao, 'Verificação', VERIFICACAO)
    case 'layout':
      return mudar(definicao, await definicao.responder(pedido))
  }
  return definicao.responder(pedido)
}

/**
 * The message, and the part of the effect that happens on the wire. Only text has a charset to mistake; a
 * page in ISO-8859-1 is announced under another name.
 */
export function comporFio(
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
function mudar(
  escrita: Pick<Definicao, 'charset' | 'declaraCharset' | 'motor'>,
  mensagem: Mensagem,
): Mensagem {
  const { cabecalhos, corpo } = mensagem
  if (JSON_.test(cabecalhos['content-type']?.split(';')[0] ?? '')) {
    const lido: unknown = JSON.parse(corpo.toString())
    return { ...mensagem, corpo: Buffer.from(JSON.stringify({ versao: '2.0', conteudo: renomear(lido) })) }
  }
  const cabeca = '<meta name="viewport" content="width=device-width"><base href="/novo/">\n'
  return escreverHtml(
    escrita,
    'Novo Portal de Serviços',
    '<app-root></app-root><script src="main.7f3a9c.js"></script>',
    { cabeca },
  )
}

function renomear(valor: unknown): unknown {
  if (Array.isArray(valor)) return valor.map(renomear)
  if (typeof valor !== 'object' || valor === null) return valor
  return Object.fromEntries(Object.values(valor).map((dentro, i) => [`campo${i + 1}`, renomear(dentro)]))
}
