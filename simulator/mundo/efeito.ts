import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers'
import type { Conexao } from '../platform/autoridade.ts'
import { escreverPagina } from '../platform/autoridades-pagina.ts'
import { enviar, type Mensagem } from '../platform/mensagem.ts'
import type { Efeito } from './comportamento.ts'

/**
 * Spoils the sending of a right message, as the effect says. Effects that change the content belong to the
 * authority; delays are multiplied by `ritmo`.
 */
export function enviarComEfeito(
  efeito: Efeito | undefined,
  mensagem: Mensagem,
  resposta: ServerResponse,
  conexao: Conexao,
  ritmo = 1,
): void {
  if (efeito?.tipo === 'demora') enviarDepois(efeito.ms * ritmo, mensagem, resposta)
  else if (efeito?.tipo === 'tls') conexao.recusarTls()
  else if (efeito?.tipo !== 'queda') enviar(alterar(efeito, mensagem), resposta)
  else if (efeito.quando === 'antes') conexao.derrubar()
  else cairNoMeio(mensagem, resposta, conexao)
}

function alterar(efeito: Efeito | undefined, mensagem: Mensagem): Mensagem {
  const { corpo } = mensagem
  switch (efeito?.tipo) {
    case 'pagina':
      return escreverPagina(efeito.status, efeito.titulo)
    case 'redireciona':
      return { status: 302, cabecalhos: { location: efeito.para }, corpo: Buffer.alloc(0) }
    case 'vazio':
      return { ...mensagem, corpo: Buffer.alloc(0) }
    case 'malformado':
      return { ...mensagem, corpo: corpo.subarray(0, corpo.length * 0.6) }
    case 'gigante':
      return { ...mensagem, corpo: Buffer.concat([corpo, Buffer.alloc(efeito.bytes, ' ')]) }
    case 'latin1':
      return emLatin1(mensagem, efeito.declara)
    default:
      return mensagem
  }
}

function enviarDepois(ms: number, mensagem: Mensagem, resposta: ServerResponse): void {
  const relogio = setTimeout(() => enviar(mensagem, resposta), ms).unref()
  resposta.once('close', () => clearTimeout(relogio))
}

function cairNoMeio(
  { status, cabecalhos, corpo }: Mensagem,
  resposta: ServerResponse,
  conexao: Conexao,
): void {
  resposta.writeHead(status, { ...cabecalhos, 'content-length': corpo.length })
  resposta.write(corpo.subarray(0, corpo.length / 2), () => conexao.derrubar())
}

function emLatin1({ status, cabecalhos, corpo }: Mensagem, declara: string): Mensagem {
  const tipo = cabecalhos['content-type']?.split(';')[0] ?? 'text/xml'
  const texto = corpo.toString().replace(/(<\?xml [^?]*encoding=")[^"]*/, `$1${declara}`)
  const novos = { ...cabecalhos, 'content-type': `${tipo}; charset=${declara}` }
  return { status, cabecalhos: novos, corpo: Buffer.from(texto, 'latin1') }
}
