import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEntradas } from '../../src/catalogo/esquema.ts'
import type { Rejeicao } from '../../src/domain/rejeicoes/rejeicao.ts'
import { verificacoes } from './verificacoes.ts'

const par = { certo: '<certo/>', errado: '<errado/>' }

const nova = (codigo: number): Rejeicao => ({
  codigo,
  titulo: `Rejeição ${codigo}`,
  slug: `status-${codigo}`,
  motivo: `Rejeição: ${codigo}`,
  categoria: null,
  url_blog: `/blog/rejeicoes/status-${codigo}/`,
  causas: [],
  solucao_passos: [],
  verificacoes_analiticas: [],
  tipo: 'rejeicao',
  fontes: [],
  regras: [],
  outro_significado: null,
  campos: [],
})

/**
 * Writes a catalogue of the entries that the service comes with and the checks as they are written now, and
 * gives its path.
 */
export function escreverCatalogo(): string {
  const lidas = parseEntradas(readFileSync(new URL('../../data/rejeicoes.json', import.meta.url), 'utf8'))
  const porCodigo = new Map(
    lidas.map((entrada) => [entrada.codigo, { ...entrada, verificacoes_analiticas: [] }]),
  )
  const entradas = new Map<number, Rejeicao>(porCodigo)
  for (const { codigo, ...verificacao } of verificacoes) {
    const entrada = entradas.get(codigo) ?? nova(codigo)
    entradas.set(codigo, {
      ...entrada,
      verificacoes_analiticas: [...entrada.verificacoes_analiticas, { ...verificacao, par }],
    })
  }
  const arquivo = join(mkdtempSync(join(tmpdir(), 'catalogo-')), 'rejeicoes.json')
  writeFileSync(arquivo, JSON.stringify([...entradas.values()]))
  return arquivo
}
