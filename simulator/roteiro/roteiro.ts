import { linhasDeConsultarCnd } from './certidao.ts'
import { linhasDeConsultarCndFederal, linhasDeConsultarCnpj } from './federal.ts'
import {
  linhasDeConsultar,
  linhasDeConsultarCndTodos,
  linhasDeConsultarIeTodos,
  linhasDePerfilProdutor,
} from './inscricao.ts'
import type { Linha } from './linha.ts'
import { writeMarkdown, writeTexto } from './linha.ts'
import { linhasDeConsultarNfeXml } from './nfe.ts'
import { linhasDeConsultarCnir, linhasDeConsultarSigef } from './rural.ts'

export const listRoteiro = (): Linha[] => [
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

/** The keys are of notes that are as old at `agora` as each row wants, without events. */
export const listNotas = (agora: Date): Linha[] => linhasDeConsultarNfeXml(agora)

/** A table for a terminal, JSON, or docs/simulator.md, which has no keys. */
export function writeDocumentos(
  formato: 'texto' | 'json' | 'markdown',
  agora: Date,
  colunas = Number.POSITIVE_INFINITY,
): string {
  const linhas = [...listRoteiro(), ...listNotas(agora)]
  if (formato === 'json') return `${JSON.stringify(linhas, null, 2)}\n`
  return formato === 'texto' ? writeTexto(linhas, colunas) : writeMarkdown(linhas)
}
