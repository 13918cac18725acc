import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PacoteNoDia } from './calendario.ts'
import type { Instalado } from './instalados.ts'
import { ARQUIVOS } from './pacote.ts'

const MUDANCAS = fileURLToPath(new URL('../../../data/xsd/pacotes.json', import.meta.url))

/**
 * The SHA-256 of each file of a package, hexadecimal, by its name; of one that we rebuilt, that of the table
 * of changes.
 */
export function resumosDe(
  { nome, origem, fonte }: Pick<PacoteNoDia, 'nome' | 'origem' | 'fonte'>,
  instalados: readonly Instalado[],
): Readonly<Record<string, string>> {
  const instalado = instalados.find((um) => um.nome === nome)
  if (origem === 'instalado' && instalado) return instalado.arquivos
  if (origem === 'reconstruido') return { 'pacotes.json': resumo(MUDANCAS) }
  return Object.fromEntries(ARQUIVOS.map((arquivo) => [arquivo, resumo(`${fonte.pasta}/${arquivo}`)]))
}

const resumo = (arquivo: string): string => hash('sha256', readFileSync(arquivo))
