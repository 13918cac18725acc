import Table from 'cli-table3'
import type { Cadeia } from '../platform/wire/cadeia.ts'
import { type A1, formatDia, formatInstante } from '../platform/wire/certificado.ts'

/** Prints the operator's certificate, never the key. */
export function showOperador(
  { titular, inicio, fim, chave, impressao }: Omit<A1, 'key'>,
  { dias, aviso }: { dias: number; aviso: string | undefined },
  json: boolean,
): void {
  if (json) {
    console.log(JSON.stringify({ titular, inicio, fim, dias, aviso, chave, impressao }))
    return
  }
  console.log(`Titular: ${titular.nome} (${titular.tipo.toUpperCase()} ${titular.documento})`)
  console.log(`Validade: de ${formatInstante(inicio)} a ${formatInstante(fim)}; dias restantes: ${dias}`)
  console.log(`Chave: ${chave}`)
  console.log(`SHA-256: ${impressao}`)
}

/**
 * Prints a table of the authorities with the SHA-256 of the roots. Standard error takes what was left out.
 */
export function showCadeia({ autoridades, recusados }: Cadeia, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ autoridades: autoridades.map(({ pem, ...rest }) => rest), recusados }))
    return
  }
  const table = new Table({
    head: ['tipo', 'nome', 'válida até', 'SHA-256'],
    style: { head: [], border: [] },
  })
  for (const { tipo, nome, fim, impressao, orfa } of autoridades) {
    const kind = tipo === 'raiz' ? 'raiz' : orfa ? 'intermediária sem a raiz' : 'intermediária'
    table.push([kind, nome, formatDia(fim), tipo === 'raiz' ? impressao : ''])
  }
  if (autoridades.length > 0) console.log(table.toString())
  const raizes = autoridades.filter(({ tipo }) => tipo === 'raiz').length
  const intermediarias = autoridades.length - raizes
  console.log(`Raízes: ${raizes}. Intermediárias: ${intermediarias}. Deixados de fora: ${recusados.length}.`)
  for (const { onde, motivo } of recusados) console.error(`${onde}: ${motivo}`)
}
