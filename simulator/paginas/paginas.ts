import type { Ambiente, Pagina } from '../gateway/pagina.ts'
import { escreverDocumentos, listarRoteiro } from '../roteiro.ts'
import { escreverIndice } from './indice.ts'

/** The simulator's own pages: `/`, what to try, for people, and `/documentos.json`, the same list for programs. */
export function responderPagina(caminho: string, { icp, autoridades }: Ambiente): Pagina | undefined {
  if (caminho === '/') {
    const corpo = escreverIndice({ linhas: listarRoteiro(), certificados: icp.catalogo, autoridades })
    return { status: 200, tipo: 'text/html; charset=utf-8', corpo }
  }
  if (caminho === '/documentos.json') {
    return { status: 200, tipo: 'application/json; charset=utf-8', corpo: escreverDocumentos('json') }
  }
  return undefined
}
