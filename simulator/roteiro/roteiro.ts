import { linhasDeConsultarCnd } from './certidao.ts'
import { linhasDeConsultarCndFederal, linhasDeConsultarCnpj } from './federal.ts'
import {
  linhasDeConsultar,
  linhasDeConsultarCndTodos,
  linhasDeConsultarIeTodos,
  linhasDePerfilProdutor,
} from './inscricao.ts'
import type { Linha } from './linha.ts'
import { escreverMarkdown, escreverTexto } from './linha.ts'
import { linhasDeConsultarNfeXml } from './nfe.ts'
import { linhasDeConsultarCnir, linhasDeConsultarSigef } from './rural.ts'

/** All that there is to try with GET, endpoint by endpoint, in the order in which it is shown and tested. */
export function listarRoteiro(): Linha[] {
  return [
    ...linhasDeConsultar(),
    ...linhasDeConsultarIeTodos(),
    ...linhasDeConsultarCnd(),
    ...linhasDeConsultarCndTodos(),
    ...linhasDeConsultarCndFederal(),
    ...linhasDeConsultarSigef(),
    ...linhasDeConsultarCnpj(),
    ...linhasDeConsultarCnir(),
    ...linhasDePerfilProdutor(),
  ]
}

/**
 * All that there is to try with POST: the keys are of notes that are as old at `agora` as each row wants, to
 * the second, so that no row meets what an earlier list registered.
 */
export function listarNotas(agora: Date): Linha[] {
  return linhasDeConsultarNfeXml(agora)
}

/**
 * Both lists as a table for a terminal, as JSON (an array of rows), or as the whole of docs/simulator.md,
 * which has no keys.
 */
export function escreverDocumentos(formato: 'texto' | 'json' | 'markdown', agora: Date): string {
  const linhas = [...listarRoteiro(), ...listarNotas(agora)]
  if (formato === 'json') return `${JSON.stringify(linhas, null, 2)}\n`
  return formato === 'texto' ? escreverTexto(linhas) : escreverMarkdown(linhas)
}
