import { linhasDeConsultar } from './roteiro/consultar.ts'
import { linhasDeConsultarCnd } from './roteiro/consultar-cnd.ts'
import { linhasDeConsultarCnpj } from './roteiro/consultar-cnpj.ts'
import { linhasDeConsultarCndTodos, linhasDeConsultarIeTodos } from './roteiro/consultar-todos.ts'
import { escreverMarkdown, escreverTexto } from './roteiro/escrita.ts'
import type { Linha } from './roteiro/linha.ts'

/** All that there is to try, endpoint by endpoint, in the order in which it is shown and tested. */
export function listarRoteiro(): Linha[] {
  return [
    ...linhasDeConsultar(),
    ...linhasDeConsultarIeTodos(),
    ...linhasDeConsultarCnd(),
    ...linhasDeConsultarCndTodos(),
    ...linhasDeConsultarCnpj(),
  ]
}

/** The list as a table for a terminal, as JSON (an array of rows), or as the whole of docs/simulator.md. */
export function escreverDocumentos(formato: 'texto' | 'json' | 'markdown'): string {
  const linhas = listarRoteiro()
  if (formato === 'json') return `${JSON.stringify(linhas, null, 2)}\n`
  return formato === 'texto' ? escreverTexto(linhas) : escreverMarkdown(linhas)
}
