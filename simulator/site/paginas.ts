import type { Icp } from '../platform/icp/icp.ts'
import type { Pagina } from '../platform/mensagem.ts'
import type { ResponderPagina } from '../platform/pagina.ts'
import { escreverDocumentos, listarNotas, listarRoteiro } from '../roteiro/roteiro.ts'
import type { Cliente } from './cliente.ts'
import { escreverIndice } from './site.ts'

/** A note whose XML comes at once and registers no event. */
const DO_EXEMPLO = 'ciencia-anterior'

/**
 * The simulator's own pages: `/` for people, and for programs `/documentos.json`, the same list, and
 * `/exemplos.json`, what a call of an endpoint must send of this simulator's. Each load makes new keys of
 * notes; the commands use the address and key of `cliente`.
 */
export function criarPaginas(
  agora: () => Date,
  cliente: () => Cliente | undefined = () => undefined,
): ResponderPagina {
  return (caminho, { gateway, icp, autoridades }) => {
    if (caminho === '/') {
      const linhas = [...listarRoteiro(), ...listarNotas(agora())]
      const corpo = escreverIndice({
        linhas,
        certificados: icp.catalogo,
        autoridades,
        gateway,
        cliente: cliente(),
      })
      return { status: 200, tipo: 'text/html; charset=utf-8', corpo }
    }
    if (caminho === '/documentos.json') {
      const corpo = escreverDocumentos('json', agora())
      return { status: 200, tipo: 'application/json; charset=utf-8', corpo }
    }
    return caminho === '/exemplos.json' ? escreverExemplos(icp, agora()) : undefined
  }
}

/** By path of the endpoint, the members of a body that no document can know before: a key and an A1 file. */
async function escreverExemplos(icp: Icp, agora: Date): Promise<Pagina> {
  const linha = listarNotas(agora).find(({ envio }) => envio?.cenario === DO_EXEMPLO)
  const { certificado: nome = '', corpo } = linha?.envio ?? {}
  const arquivo = await icp.certificado(nome)
  const enviado = { ...corpo, certificado: arquivo?.pfx.toString('base64'), senha: arquivo?.item.senha }
  const corpoDaPagina = JSON.stringify({ [linha?.endpoint ?? '']: enviado })
  return { status: 200, tipo: 'application/json; charset=utf-8', corpo: corpoDaPagina }
}
