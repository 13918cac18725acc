import Table from 'cli-table3'
import { rotuloDoMembro } from '../platform/http/membros.ts'

/** A cell of a table: what is missing is shown as a dash. */
type Celula = string | number | boolean | null | undefined

const style = { head: [], border: [], compact: true }
/** Files in base64 are for `--pdf` and `--json`. */
const SEM_TABELA = /_base64$/

/** Writes rows under their headings, or says that there is none. */
export function listar(
  cabecalho: readonly string[],
  linhas: readonly (readonly Celula[])[],
  nenhuma: string,
): string {
  if (linhas.length === 0) return nenhuma
  const table = new Table({ style, head: [...cabecalho] })
  for (const linha of linhas) table.push(linha.map(dizer))
  return table.toString()
}

/** Writes an object as two columns, without what is empty: `Endereço, UF` of an object in it. */
export function descrever(objeto: object): string {
  const table = new Table({ style })
  for (const [nome, valor] of paresDe(objeto)) table.push([nome, valor])
  return table.toString()
}

function paresDe(objeto: object, antes = ''): [nome: string, valor: string][] {
  return Object.entries(objeto).flatMap(([chave, valor]): [string, string][] => {
    const nome = antes + rotuloDoMembro(chave)
    if (SEM_TABELA.test(chave) || valor === '' || valor === null || valor === undefined) return []
    if (Array.isArray(valor)) return valor.length === 0 ? [] : [[nome, valor.map(emUmaLinha).join('\n')]]
    return typeof valor === 'object' ? paresDe(valor, `${nome}, `) : [[nome, dizer(valor)]]
  })
}

const emUmaLinha = (valor: unknown): string =>
  typeof valor === 'object' && valor !== null
    ? paresDe(valor)
        .map(([, dito]) => dito)
        .join(' · ')
    : dizer(valor)

function dizer(valor: unknown): string {
  if (typeof valor === 'boolean') return valor ? 'sim' : 'não'
  if (typeof valor === 'number') return valor.toLocaleString('pt-BR', { maximumFractionDigits: 4 })
  return typeof valor === 'string' && valor !== '' ? valor : '–'
}
