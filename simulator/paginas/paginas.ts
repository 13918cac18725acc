import type { ResponderPagina } from '../gateway/pagina.ts'
import { escreverDocumentos, listarNotas, listarRoteiro } from '../roteiro/roteiro.ts'
import type { Cliente } from './cliente.ts'
import { escreverIndice } from './indice.ts'

/**
 * The simulator's own pages: `/` for people, and `/documentos.json`, the same list for programs. Each load
 * makes new keys of notes; the commands use the address and key of `cliente`.
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
    return undefined
  }
}
