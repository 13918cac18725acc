import Table from 'cli-table3'
import type { Trabalho } from '../platform/jobs/admin.ts'

/** Without colours: the tables are also read in files. */
const style = { head: [], border: [], compact: true }

/** Writes jobs as a table, or as JSON. */
export function showTrabalhos(trabalhos: readonly Trabalho[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify(trabalhos.map(toJson), null, 2))
    return
  }
  const table = new Table({
    style,
    head: ['Trabalho', 'Tipo', 'Chave', 'Estado', 'Tentativas', 'Criado em', 'Motivo'],
  })
  for (const { id, tipo, chave, estado, tentativas, criado_em, motivo } of trabalhos)
    table.push([id, tipo, chave, estado, tentativas, instant(criado_em), motivo ?? ''])
  console.log(table.toString())
}

/** Prints all that is known of a job, one line a fact, or as JSON. */
export function showTrabalho(trabalho: Trabalho, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(toJson(trabalho), null, 2))
    return
  }
  const { id, tipo, chave, estado, tentativas, motivo, dados, resultado } = trabalho
  const lines: [string, string | null][] = [
    ['Trabalho', id],
    ['Tipo', tipo],
    ['Chave', chave],
    ['Estado', estado],
    ['Tentativas', String(tentativas)],
    ['Motivo', motivo],
    ['Criado em', instant(trabalho.criado_em)],
    ['Próxima tentativa', estado === 'esperando' ? instant(trabalho.livre_em) : null],
    ['Terminado em', instantOrNull(trabalho.terminado_em)],
    ['Guardado até', instantOrNull(trabalho.expira_em)],
    ['Dados', dados],
    ['Resultado', resultado],
  ]
  for (const [name, value] of lines) if (value !== null) console.log(`${name}: ${value}`)
}

const toJson = (trabalho: Trabalho) => ({
  id: trabalho.id,
  tipo: trabalho.tipo,
  chave: trabalho.chave,
  estado: trabalho.estado,
  tentativas: trabalho.tentativas,
  motivo: trabalho.motivo,
  criado_em: new Date(trabalho.criado_em),
  proxima_em: trabalho.estado === 'esperando' ? new Date(trabalho.livre_em) : null,
  terminado_em: trabalho.terminado_em === null ? null : new Date(trabalho.terminado_em),
  guardado_ate: trabalho.expira_em === null ? null : new Date(trabalho.expira_em),
  dados: JSON.parse(trabalho.dados),
  resultado: trabalho.resultado === null ? null : JSON.parse(trabalho.resultado),
})

const instant = (instante: number): string =>
  new Date(instante).toLocaleString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
const instantOrNull = (instante: number | null): string | null =>
  instante === null ? null : instant(instante)
